// Makes schemas/types.ts, and the two files that it exports, from the schemas.

import { compile, type JSONSchema } from "json-schema-to-typescript";
import { declarationsIn, neededTypes, typeNamesIn } from "../copy/needed-types.ts";
import { namedSchemas, readSchemaFiles, type NamedSchema, type Schema } from "./schema-files.ts";

/** Open types whose unknown fields a program reads, so that they get an index signature. The other open types (messages,
 * parts, Session, Snapshot) go without: an index signature would let every misspelt field pass. */
const indexed = new Set(["Meta", "Opaque"]);

/** Variants that would take the discrimination away from a union: `type: string` overlaps with every literal. */
const leftOut: Record<string, string> = { Message: "UnknownMessage", Part: "UnknownPart" };

/** Names with a dot and what has one: the schemas take them, and the types name what the specification knows. */
const extension = "extension.schema.json";

const typeKeywords = ["$ref", "tsType", "type", "enum", "const", "anyOf", "oneOf", "allOf", "properties", "items"];

/** Schemas that no loop needs. */
const ofKit =
  /^(agent-program|case|driver|event-grammar|expectation|known-failures|manifest|matrix|peer|probe-scenario|report|track-\w+)\.schema\.json$/;

/** Where the types are: those of a loop, those that only the kit needs, and all of them. */
export const typePaths = ["schemas/types/loop.ts", "schemas/types/kit.ts", "schemas/types.ts"] as const;

/** The text of each file. */
export async function typesFiles(files = readSchemaFiles()): Promise<Record<(typeof typePaths)[number], string>> {
  const all = await typesFile(files);
  const named = namedSchemas(files).filter(({ file }) => !ofKit.test(file));
  const text = neededTypes(
    all,
    named.map(({ name }) => name),
  );
  const ofLoop = declarationsIn(text);
  const kit = [...declarationsIn(all)].flatMap(([name, own]) => (ofLoop.has(name) ? [] : [own])).join("");
  const imported = [...new Set(typeNamesIn(kit))].filter((name) => ofLoop.has(name)).sort();
  const imports = `import type {\n${imported.map((name) => `  ${name},\n`).join("")}} from "./loop.ts";`;
  return {
    "schemas/types/loop.ts": `${banner}\n${text.trimEnd()}\n`,
    "schemas/types/kit.ts": `${kitBanner}\n${imports}\n\n${kit.trimEnd()}\n`,
    "schemas/types.ts": `${bothBanner}\nexport type * from "./types/loop.ts";\nexport type * from "./types/kit.ts";\n`,
  };
}

/** The text of all types together. */
export async function typesFile(files = readSchemaFiles()): Promise<string> {
  const named = namedSchemas(files);
  const byRef = new Map(named.map((entry) => [entry.ref, entry.name]));
  const definitions: Record<string, Schema> = {};

  for (const entry of named) {
    const { $defs: _, $id: __, $schema: ___, ...own } = entry.schema;
    definitions[entry.name] = simplify(own, entry, entry.name);
  }
  const text = await compile({ $id: "Types", title: "Types", definitions } as JSONSchema, "Types", {
    bannerComment: banner,
    additionalProperties: false,
    unreachableDefinitions: true,
    format: true,
    style: { printWidth: 120, semi: true, singleQuote: false },
  });
  return tidy(text);

  /** Rewrites a schema so that every reference is a type name, and what types cannot say is left out. */
  function simplify(schema: Schema, entry: NamedSchema, name?: string): Schema {
    if (schema.$ref !== undefined) return { tsType: nameOf(schema.$ref, entry), description: schema.description };
    if (name === undefined && schema.title !== undefined && schema.type === "object") return hoist(schema, entry);

    const out: Schema = { ...schema, ...(name === undefined ? {} : { title: name }) };
    for (const keyword of [
      "not",
      "allOf",
      "if",
      "then",
      "else",
      "discriminator",
      "default",
      "pattern",
      "minItems",
      "maxItems",
    ]) {
      delete out[keyword];
    }
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const branches = schema[keyword];
      if (branches === undefined) continue;
      delete out[keyword];
      if (branches.every(isConstraint)) continue;
      const kept = branches.filter(
        ({ $ref = "" }) => !$ref.startsWith(extension) && !$ref.endsWith(`/${leftOut[name ?? ""]}`),
      );
      out.anyOf = kept.map((branch) => simplify(branch, entry));
      delete out.type;
      delete out.required;
    }
    if (schema.properties) {
      out.properties = Object.fromEntries(Object.entries(schema.properties).map(([k, v]) => [k, simplify(v, entry)]));
    }
    if (schema.items) {
      out.items = withoutDescription(simplify(schema.items, entry));
      if (schema.minItems === 2 && schema.maxItems === 2)
        return { tsType: pairOf(schema.items), description: schema.description };
    }
    if (typeof schema.additionalProperties === "object") {
      out.additionalProperties = withoutDescription(simplify(schema.additionalProperties, entry));
    } else if (name !== undefined && schema.additionalProperties === true) {
      out.additionalProperties = indexed.has(name);
    }
    if (name !== undefined && entry.file === "message.schema.json" && out.properties) addAbsentDiscriminator(out);
    if (!typeKeywords.some((keyword) => keyword in out)) out.tsType = "unknown";
    return out;
  }

  /** Gives a titled schema inside another one a place among the definitions. */
  function hoist(schema: Schema, entry: NamedSchema): Schema {
    const name = schema.title!;
    const made = simplify(schema, entry, name);
    if (definitions[name] !== undefined && JSON.stringify(definitions[name]) !== JSON.stringify(made)) {
      throw new Error(`two different schemas have the title ${name}; one is inside ${entry.ref}. Rename one of them.`);
    }
    definitions[name] = made;
    return { tsType: name, description: schema.description };
  }

  function nameOf(ref: string, entry: NamedSchema): string {
    const absolute = ref.startsWith("#") ? entry.file + ref : ref;
    const name = byRef.get(absolute);
    if (name === undefined) throw new Error(`schemas/${entry.file}: $ref "${ref}" names no schema`);
    return name;
  }
}

/** A branch that only narrows what its parent said, such as `{ required: ["url"] }`; types leave it out. */
function isConstraint(branch: Schema): boolean {
  return (
    branch.$ref === undefined &&
    branch.type === undefined &&
    branch.enum === undefined &&
    branch.const === undefined &&
    branch.title === undefined
  );
}

function pairOf(items: Schema): string {
  return `[${items.type}, ${items.type}]`;
}

/** A message has a role or a type: saying which of the two is absent lets `message.type === "tool_call"` narrow the union. */
function addAbsentDiscriminator(message: Schema): void {
  const { role, type } = message.properties!;
  if ((role === undefined) === (type === undefined)) return;
  message.properties![role ? "type" : "role"] = { tsType: "undefined", description: "Never present." };
}

/** The compiler would repeat it in the comment of the list or map. */
function withoutDescription({ description: _, ...schema }: Schema): Schema {
  return schema;
}

/** Takes away what the compiler adds for its own root type, and writes short comments and plain maps in one line. */
function tidy(text: string): string {
  return text
    .replace(/^(\/\*\*\n(?: \*.*\n)*? \*\/\n)?export interface Types \{\n(?:.*\n)*?\}\n/m, "")
    .replaceAll(/(?: \*\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g, "")
    .replaceAll(/\{\n *\[k: string\]: ([\w[\]]+);\n *\}/g, "Record<string, $1>")
    .replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, (block, indent: string, line: string) =>
      indent.length + line.length + 7 <= 120 ? `${indent}/** ${line} */` : block,
    )
    .replaceAll(/^\}\n(?=\/\*\*|export)/gm, "}\n\n");
}

const banner = `// The types of the specification, generated from schemas/ by \`npm run generate\`. Do not edit.
//
// Messages, parts, sessions and snapshots are open: they may carry fields that are not named here, and a program must
// preserve them. UnknownMessage and UnknownPart stand apart from Message and Part, so that the unions can be narrowed.
`;

const kitBanner = `// The types that only the kit needs: cases, drivers, reports. Generated from schemas/ by \`npm run generate\`. Do not edit.
`;

const bothBanner = `// The types of the specification: those of a loop, and those of the kit. Generated by \`npm run generate\`. Do not edit.
`;
