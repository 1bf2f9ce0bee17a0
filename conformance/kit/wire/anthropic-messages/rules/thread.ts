// What the Anthropic Messages API refuses about message threads, in which the server keeps the conversation.

import { isDeepStrictEqual } from "node:util";
import { threadBefore, type KeptThread } from "../server-state.ts";
import type { AnthropicRequest } from "../request.ts";
import { hasText, isObject } from "../../shared/json.ts";
import { shapeRequirement, unknownKeys, when, type Finding, type Rule } from "../../shared/rules.ts";

const docs = "https://platform.claude.com/docs/en/build-with-claude/message-threads";
const refused = { status: 400, code: "invalid_request_error", requirement: "PROVIDER-33" } as const;
const beta = "message-threads-2026-08-12";

/** The codes that the API gives in `error.details` beside the type of the error. */
export const errorCodes: Readonly<Record<string, string>> = {
  "anthropic-messages/thread-known": "thread_not_found",
  "anthropic-messages/thread-continued-once": "thread_already_continued",
  "anthropic-messages/thread-same-fields": "thread_fingerprint_mismatch",
};

export const threadRules: readonly Rule<AnthropicRequest>[] = [
  {
    ...refused,
    id: "anthropic-messages/thread",
    statement: "thread is an object of type create, or of type continue with the id of the previous response.",
    requirement: shapeRequirement,
    docs,
    check: ({ own: { thread } }) => {
      if (thread === undefined || thread === null) return [];
      const type = isObject(thread) ? thread["type"] : undefined;
      if (!isObject(thread) || (type !== "create" && type !== "continue"))
        return [{ message: "thread: expected an object of type create or continue" }];
      const known = new Set(type === "create" ? ["type"] : ["type", "previous_message_id"]);
      return [
        ...unknownKeys(thread, known).map((key) => ({
          message: `thread.${type}.${key}: extra inputs are not permitted`,
        })),
        ...when(
          type === "continue" && !hasText(thread["previous_message_id"]),
          "thread.continue.previous_message_id: field required",
        ),
      ];
    },
  },
  {
    ...refused,
    id: "anthropic-messages/thread-beta",
    statement: `A request with thread has ${beta} in the header anthropic-beta.`,
    requirement: shapeRequirement,
    docs,
    check: ({ own, headers }) =>
      when(
        isObject(own["thread"]) && !(headers["anthropic-beta"] ?? "").split(/\s*,\s*/).includes(beta),
        `thread: extra inputs are not permitted without the header anthropic-beta: ${beta}`,
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/thread-known",
    statement: "The response that a request goes on from is one that the server keeps.",
    requirement: "PROVIDER-34",
    status: 404,
    code: "not_found_error",
    docs,
    note: "A thread is kept for five minutes; the kit keeps it for the whole run.",
    check: (request) =>
      continuing(request, (before, id) =>
        when(before === undefined, `thread: no state was found for previous_message_id ${id}`),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/thread-continued-once",
    statement: "A response is gone on from once.",
    requirement: "PROVIDER-34",
    docs,
    check: (request) =>
      continuing(request, (before, id) =>
        when(before?.isContinued === true, `thread: the response ${id} has already been continued`),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/thread-create-only",
    statement:
      "A request that goes on with a thread has neither system nor tools: the thread keeps those that it began with.",
    docs,
    note: "Clients were seen to repeat them, and to be answered.",
    check: (request) =>
      continuing(request, () =>
        ["system", "tools"].flatMap((field) =>
          when(request.own[field] !== undefined, `${field}: not permitted with thread.continue`),
        ),
      ),
  },
  {
    ...refused,
    id: "anthropic-messages/thread-same-fields",
    statement: "A request that goes on with a thread has the model and the output_config that the thread began with.",
    requirement: "PROVIDER-34",
    docs,
    note: "Which fields have to stay the same is not listed; output_config was seen to be one.",
    check: (request) =>
      continuing(request, (before) => {
        if (before === undefined) return [];
        const differing = ["model", "output_config"].filter(
          (field) => !isDeepStrictEqual(request.own[field], before.created[field]),
        );
        return when(differing.length > 0, `thread: differing field(s): ${differing.join(", ")}`);
      }),
  },
];

/** The findings about a request that continues a thread, if it is known what the server keeps. */
function continuing(
  { own, kept }: AnthropicRequest,
  find: (before: KeptThread | undefined, id: string) => Finding[],
): Finding[] {
  const { thread } = own;
  if (kept === undefined || !isObject(thread) || thread["type"] !== "continue") return [];
  return hasText(thread["previous_message_id"]) ? find(threadBefore(own, kept), thread["previous_message_id"]) : [];
}
