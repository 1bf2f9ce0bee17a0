// Makes conformance/kit/base/validators.js from the schemas: compiled ahead of time, because compiling takes half a second.

import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { schemaRefs } from "../kit/base/schema-refs.ts";
import { readSchemaFiles, type Schema } from "./schema-files.ts";

const unused = new Set(["title", "description", "default"]);

/** The text of conformance/kit/base/validators.js: one exported function per type, which says yes or no. */
export function validatorsFile(files = readSchemaFiles()): string {
  const ajv = new Ajv2020({
    code: { source: true, esm: true },
    discriminator: true,
    inlineRefs: false,
    messages: false,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  });
  for (const [name, schema] of files) ajv.addSchema(withoutProse(schema), name);
  const code = standalone.default(ajv, { ...schemaRefs }).replace('"use strict";', "");
  return banner + code.replace(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, "codePoints") + "\n";
}

/** The compiled code carries its schemas; what does not decide anything would only make it larger. */
function withoutProse(schema: Schema, isMap = false): Schema {
  const entries = Object.entries(schema).filter(([key]) => isMap || !unused.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, copy(value, !isMap && (key === "properties" || key === "$defs"))]),
  );
}

function copy(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, false));
  return value !== null && typeof value === "object" ? withoutProse(value as Schema, isMap) : value;
}

const banner = `// The validators of the schemas, compiled from schemas/ by \`npm run generate\`. Do not edit.
const codePoints = (text) => { let length = 0; for (const _ of text) length += 1; return length; };
`;
