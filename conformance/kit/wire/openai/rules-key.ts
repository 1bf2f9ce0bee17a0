// How both of OpenAI's APIs refuse a request without a key.

import { shapeRequirement, when, type Rule } from "../shared/rules.ts";

/** The rule that a request says who sends it. */
export function bearerRule(provider: string): Rule<{ headers: Record<string, string> }> {
  return {
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
  };
}
