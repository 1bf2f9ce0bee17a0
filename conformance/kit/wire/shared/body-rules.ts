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
  /** Its message for a body that it cannot parse. */
  unparsed: string;
  /** Where half of a surrogate pair was seen to be refused. */
  brokenText: readonly Sighting[];
}

/** The rules about a body as such. To the other rules, a body that is not an object is an empty one. */
export function bodyRules(
  provider: string,
  { code, docs, unparsed, brokenText }: Refusal,
): readonly Rule<OpenedRequest>[] {
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
    {
      ...refused,
      id: `${provider}/unicode`,
      statement: "No string of a request has half of a surrogate pair.",
      requirement: "PROVIDER-12",
      docs: "https://www.rfc-editor.org/rfc/rfc8259#section-8.2",
      undocumented: true,
      seen: brokenText,
      note: `The API answers: ${unparsed}.`,
      check: ({ strings }) => {
        const places = brokenStrings(strings);
        return when(places.length > 0, `${unparsed}: half of a surrogate pair in ${places.join(", ")}`);
      },
    },
    {
      ...refused,
      id: `${provider}/body`,
      statement: "The body of a request is a JSON object.",
      docs: docs.body,
      check: ({ body }) => when(!isObject(body), `the request body is ${kindOf(body)}, not an object`),
    },
  ];
}
