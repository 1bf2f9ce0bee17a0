// What both of OpenAI's APIs refuse about a request as a whole.

import { bodyRules } from "../shared/body-rules.ts";
import type { JsonObject } from "../shared/json.ts";
import { shapeRequirement, when, type OpenedRequest, type Rule } from "../shared/rules.ts";

/** The rules about the key and about the body as such. */
export function requestRules(provider: string, reference: string): readonly Rule<OpenedRequest>[] {
  return [
    {
      id: `${provider}/authentication`,
      statement: "A request has an API key as a bearer token.",
      requirement: shapeRequirement,
      status: 401,
      code: "invalid_api_key",
      docs: "https://platform.openai.com/docs/api-reference/authentication",
      check: ({ headers }) =>
        when(
          !/^Bearer \S/.test(headers["authorization"] ?? ""),
          "no API key was given; it belongs in the header Authorization: Bearer KEY",
        ),
    },
    ...bodyRules(provider, {
      code: "invalid_value",
      docs: { headers: reference, body: reference },
      brokenText: {
        message: "could not parse the JSON body of the request",
        seen: [{ where: "https://github.com/JohnnyZ93/oai-compatible-copilot/issues/206", on: "2026-04-26" }],
      },
    }),
  ];
}

/** The rule about the options of a stream. */
export function streamOptionsRule(
  provider: string,
  reference: string,
  requirement: string,
): Rule<{ fields: JsonObject }> {
  return {
    status: 400,
    code: "invalid_value",
    id: `${provider}/stream-options`,
    statement: "stream_options stand only beside stream: true.",
    requirement,
    docs: reference,
    check: ({ fields }) =>
      when(
        fields["stream_options"] != null && fields["stream"] !== true,
        "stream_options is only allowed when stream is enabled",
        "stream_options",
      ),
  };
}
