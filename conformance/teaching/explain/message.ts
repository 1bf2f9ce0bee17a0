// Explains a kind of message, or of a part of one: what it is, its fields, and one that looks like it.

import { fieldLines } from "./field-lines.ts";
import { exampleWith } from "./json-example.ts";
import type { Kind } from "./kind.ts";
import { listed, listedRequirements } from "./lists.ts";
import { titledSchemas } from "./schemas.ts";
import type { Schema } from "./schemas.ts";

export const messageKind: Kind = {
  called: "a kind of message or part",
  names: () => messageSchemas().map(nameOf),
  *explain(name, sources) {
    const schema = messageSchemas().find((one) => nameOf(one) === name)!;
    const named = [...sources.suite.catalogue.requirements.values()].filter(({ text }) => text.includes(`\`${name}\``));
    yield `${name}, a kind of message or part  ${schema.description}`;
    yield* listed("Fields", fieldLines(schema));
    yield* listedRequirements("Requirements", named, sources);
    const example = exampleWith(name, ["type", "role"]);
    if (example !== undefined) yield `  For example: ${example}`;
  },
};

function messageSchemas(): Schema[] {
  return titledSchemas().filter((schema) => /(Message|Part)$/.test(schema.title!) && nameOf(schema) !== "");
}

/** What the `type` or the `role` of such a message always is; empty for one of an unknown type. */
function nameOf({ properties = {} }: Schema): string {
  return String(properties["type"]?.const ?? properties["role"]?.const ?? "");
}
