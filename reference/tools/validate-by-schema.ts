// Checks a value by the schema of the library behind its JSON Schema, and else by this.

import type { Ports } from "../core/ports.ts";
import { problemsBySchema } from "./standard-schema.ts";
import { validateInput } from "./validate-input.ts";

/** What is wrong with a value. @see TOOL-4 */
export const validateBySchema: Ports["validateInput"] = (schema, value) =>
  problemsBySchema(schema, value, validateInput);
