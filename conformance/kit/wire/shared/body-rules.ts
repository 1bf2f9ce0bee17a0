// What every provider refuses in a body before it reads the content.

import type { Sighting } from "../codec.ts";
import { brokenStrings, isObject, kindOf } from "./json.ts";
import { shapeRequirement, when, type OpenedRequest, type Rule } from "./rules.ts";

/** How a provider refuses a body. */
interface Refusal {
  /** Its code for an invalid request. */
  code: string;
  /** Where it documents its headers, and where the body. */
  docs: { headers: string; body: string };
  /** How it refuses half of a surrogate pair. Absent: nobody has seen it do so. */
  brokenText?: { message: string; seen: readonly Sighting[] };
}

/** The rules about a body as such. To the other rules, a body that is not an object is an empty one. */
export function bodyRules(provider: string, { code, docs, brokenText }: Refusal): readonly Rule<OpenedRequest>[] {
  const refused = { status: 400, code, requirement: shapeRequirement } as const;
  return [
    {
      ...refused,
      id: `${provider}/content-type`,
      statement: "The body of a request is declared as application/json.",
      docs: docs.headers,
      check: ({ headers }) =>
        when(
          !/^application\/json\b/i.test(headers["content-type"] ?? ""),
          `content-type: expected application/json, got ${headers["content-type"] ?? "none"}`,
        ),
    },
    ...(brokenText ? [unicodeRule(provider, code, brokenText)] : []),
    {
      ...refused,
      id: `${provider}/body`,
      statement: "The body of a request is a JSON object.",
      docs: docs.body,
      check: ({ body }) => when(!isObject(body), `the request body is ${kindOf(body)}, not an object`),
    },
  ];
}

function unicodeRule(
  provider: string,
  code: string,
  { message, seen }: Required<Refusal>["brokenText"],
): Rule<OpenedRequest> {
  return {
    status: 400,
    code,
    id: `${provider}/unicode`,
    statement: "No string of a request has half of a surrogate pair.",
    requirement: "PROVIDER-12",
    docs: "https://www.rfc-editor.org/rfc/rfc8259#section-8.2",
    undocumented: true,
    seen,
    note: `The API answers: ${message}.`,
    check: ({ strings }) => {
      const places = brokenStrings(strings);
      return when(places.length > 0, `${message}: half of a surrogate pair in ${places.join(", ")}`);
    },
  };
}
