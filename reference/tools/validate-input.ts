// Checks the arguments of a call against the tool's schema; the library is loaded when it is needed.

import { validateWithLibrary } from "./validate-with-library.ts";

/**
 * Never throws because of the arguments: what cannot be checked does not match. Expects a schema that `checkSchema` takes. The library
 * is loaded with the first call of a tool: it would double the import time of the package.
 * @returns every violation with its JSON Pointer into the arguments; empty if there is none. Nothing is converted.
 * @see TOOL-4 TOOL-6 TOOL-42
 */
export const validateInput = validateWithLibrary(() => import("@cfworker/json-schema"));
