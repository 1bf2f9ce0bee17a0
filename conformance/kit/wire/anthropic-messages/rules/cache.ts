// What the Anthropic Messages API refuses about the breakpoints of its prompt cache.

import { blocksOf, type AnthropicRequest } from "../request.ts";
import { isObject, listOf, type JsonObject } from "../../shared/json.ts";
import { unknownKeys, when, type Rule } from "../../shared/rules.ts";

const docs = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching";
const refused = { status: 400, code: "invalid_request_error", requirement: "PROVIDER-28" } as const;

/** How many breakpoints a request may have. */
const mostBreakpoints = 4;

export const cacheRules: readonly Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/cache-control",
    statement: "cache_control is an object of type ephemeral, with a ttl of 5m or 1h if any.",
    docs,
    check: (request) =>
      markedIn(request).flatMap(({ at, mark }) => {
        if (!isObject(mark) || mark["type"] !== "ephemeral")
          return [{ message: `${at}.cache_control: expected an object of type ephemeral` }];
        const { ttl } = mark;
        return [
          ...unknownKeys(mark, new Set(["type", "ttl", "scope"])).map((key) => ({
            message: `${at}.cache_control.ephemeral.${key}: extra inputs are not permitted`,
          })),
          ...when(
            ttl !== undefined && ttl !== "5m" && ttl !== "1h",
            `${at}.cache_control.ephemeral.ttl: input should be '5m' or '1h'`,
          ),
        ];
      }),
  },
  {
    ...refused,
    id: "anthropic-messages/cache-breakpoints",
    statement: `A request has at most ${mostBreakpoints} cache breakpoints, the one that the server sets by itself included.`,
    docs: `${docs}#when-to-use-multiple-breakpoints`,
    looksBack: true,
    check: (request) => {
      const count = markedIn(request).length;
      return when(
        count > mostBreakpoints,
        `a maximum of ${mostBreakpoints} blocks with cache_control may be provided, found ${count}`,
      );
    },
  },
];

/** Everything that is marked: the request as a whole, tools, texts of the system prompt, and blocks of messages. */
function markedIn({ own, fields, turns }: AnthropicRequest): { at: string; mark: unknown }[] {
  // What the server keeps of a thread was marked in the requests that sent it.
  const sent = turns.slice(turns.length - listOf(own["messages"]).length);
  const blocks = sent.flatMap((turn) => turn.blocks);
  const places: { at: string; block: JsonObject }[] = [
    { at: "request", block: own },
    ...listOf(own["tools"]).flatMap((tool, at) => (isObject(tool) ? [{ at: `tools.${at}`, block: tool }] : [])),
    ...(Array.isArray(fields["system"]) ? blocksOf(own["system"], "system") : []),
    ...blocks,
    ...blocks.flatMap(({ at, block }) => (Array.isArray(block["content"]) ? blocksOf(block["content"], at) : [])),
  ];
  return places.flatMap(({ at, block }) =>
    block["cache_control"] === undefined || block["cache_control"] === null
      ? []
      : [{ at, mark: block["cache_control"] }],
  );
}
