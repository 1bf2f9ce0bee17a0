// What OpenAI's Chat Completions API refuses about calls and their results.

import { whoWants } from "../dialects.ts";
import { hasText, isObject, isText, kindOf } from "../../shared/json.ts";
import { maxIdLength, type ChatMessage, type ChatRequest } from "../request.ts";
import { namePattern } from "../../openai/read-parts.ts";
import { repeated, shapeRequirement, when, type Finding, type Rule } from "../../shared/rules.ts";

const reference = "https://platform.openai.com/docs/api-reference/chat/create";
const toolGuide = "https://platform.openai.com/docs/guides/function-calling";
const refused = { status: 400, code: "invalid_value", requirement: shapeRequirement } as const;

export const callRules: readonly Rule<ChatRequest>[] = [
  {
    ...refused,
    id: "openai-chat/calls",
    statement:
      "tool_calls, where they are given, is a list of at least one call, in an assistant message, each of type function or custom.",
    docs: reference,
    check: ({ messages }) => messages.flatMap(callListFindings),
  },
  {
    ...refused,
    id: "openai-chat/call-id",
    statement: "A call has an id of 1 to 40 characters.",
    code: "string_above_max_length",
    requirement: "CHAT-7",
    docs: reference,
    undocumented: true,
    seen: [
      { where: "https://github.com/agno-agi/agno/issues/5382", on: "2025-11-11" },
      { where: "https://github.com/microsoft/autogen/issues/6377", on: "2025-04-23" },
    ],
    note: "The limits are documented only by the errors.",
    check: ({ messages }) =>
      messages.flatMap(({ calls }) =>
        calls.flatMap(({ at, call: { id } }) =>
          when(
            !isText(id) || id === "" || id.length > maxIdLength,
            `invalid '${at}.id': expected a string of 1 to ${maxIdLength} characters, got ${lengthOf(id)}`,
            `${at}.id`,
          ),
        ),
      ),
  },
  {
    ...refused,
    id: "openai-chat/call-ids-unique",
    statement: "No two calls of a message have the same id.",
    requirement: "SESSION-9",
    docs: toolGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/openclaw/openclaw/pull/47136", on: "2026-03-15" }],
    check: ({ messages }) =>
      messages.flatMap(({ calls }) =>
        repeated(calls, ({ call }) => call["id"]).map(({ at, call }) => ({
          message: `duplicate value for '${at}.id': ${String(call["id"])}`,
          param: `${at}.id`,
        })),
      ),
  },
  {
    ...refused,
    id: "openai-chat/call-name",
    statement: "The name in a call has 1 to 64 letters, digits, _ and -.",
    docs: toolGuide,
    check: ({ messages }) =>
      functionCalls(messages).flatMap(({ at, target: { name } }) =>
        when(
          !isText(name) || !namePattern.test(name),
          `invalid '${at}.function.name': expected 1 to 64 letters, digits, _ and -, got ${JSON.stringify(name)}`,
          `${at}.function.name`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-chat/call-arguments",
    statement: "The arguments of a call are a string.",
    code: "invalid_type",
    requirement: "CHAT-4",
    docs: toolGuide,
    check: ({ messages }) =>
      functionCalls(messages).flatMap(({ at, target }) =>
        when(
          !isText(target["arguments"]),
          `invalid type for '${at}.function.arguments': expected a string, got ${kindOf(target["arguments"])}`,
          `${at}.function.arguments`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-chat/calls-answered",
    statement: "Each call of an assistant message is answered by a tool message.",
    requirement: "SESSION-6",
    docs: toolGuide,
    check: ({ messages }) => {
      const isAnsweredAfter = answersIn(messages);
      return messages.flatMap(({ at, calls }) => {
        const open = idsOf(calls).filter((id) => !isAnsweredAfter(at, id));
        return when(
          open.length > 0,
          `an assistant message with 'tool_calls' must be followed by tool messages that answer each 'tool_call_id'; without an answer: ${open.join(", ")}`,
          `messages.[${at + 1}].role`,
        );
      });
    },
  },
  {
    ...refused,
    id: "openai-chat/results-together",
    statement: "The tool messages that answer the calls of an assistant message follow it, before anything else.",
    requirement: "CHAT-3",
    docs: toolGuide,
    check: ({ messages }) => {
      const isAnsweredAfter = answersIn(messages);
      return messages.flatMap(({ at, calls }, index) => {
        if (calls.length === 0) return [];
        const next = new Set(toolsAfter(messages, index).map(({ message }) => message["tool_call_id"]));
        const late = idsOf(calls).filter((id) => isAnsweredAfter(at, id) && !next.has(id));
        return when(
          late.length > 0,
          `tool messages must follow the assistant message with their 'tool_calls'; another message precedes the result of ${late.join(", ")}`,
          `messages.[${at + 1}].role`,
        );
      });
    },
  },
  {
    ...refused,
    id: "openai-chat/result-known",
    statement: "A tool message answers a call of an earlier assistant message.",
    requirement: "PROVIDER-9",
    docs: toolGuide,
    note: "The API asks for the assistant message directly before; answers that come later break openai-chat/results-together.",
    looksBack: true,
    check: ({ messages }) => {
      const callIds = new Set<unknown>();
      return messages.flatMap(({ at, role, calls, message: { tool_call_id: id } }) => {
        const isKnown = hasText(id) && callIds.has(id);
        for (const call of idsOf(calls)) callIds.add(call);
        return when(
          role === "tool" && !isKnown,
          `messages with role 'tool' must answer a call of a message before; ${JSON.stringify(id)} is the id of none`,
          `messages.[${at}].role`,
        );
      });
    },
  },
  {
    ...refused,
    id: "openai-chat/result-single",
    statement: "A call is answered by one tool message.",
    requirement: "SESSION-6",
    docs: toolGuide,
    undocumented: true,
    seen: [{ where: "https://github.com/anomalyco/opencode/issues/1211", on: "2025-07-22" }],
    check: ({ messages }) =>
      messages.flatMap(({ calls }, index) => {
        if (calls.length === 0) return [];
        return repeated(toolsAfter(messages, index), ({ message }) => message["tool_call_id"]).map((tool) => ({
          message: `duplicate value for 'tool_call_id' in messages[${tool.at}]: ${String(tool.message["tool_call_id"])}`,
          param: `messages[${tool.at}].tool_call_id`,
        }));
      }),
  },
  {
    ...refused,
    id: "openai-chat/reasoning-kept",
    statement: "Reasoning that came with calls comes back with them.",
    code: "invalid_request_error",
    requirement: "CHAT-10",
    docs: "https://api-docs.deepseek.com/guides/thinking_mode",
    seen: [
      { where: "https://github.com/JohnnyZ93/oai-compatible-copilot/issues/215", on: "2026-04-29" },
      { where: "https://github.com/earendil-works/pi/issues/3636", on: "2026-04-24" },
      { where: "https://github.com/continuedev/continue/issues/11600", on: "2026-03-18" },
    ],
    models: "those that think",
    ...whoWants("reasoning_content"),
    note: "A rule of servers that send reasoning; OpenAI's own API sends none.",
    check: (request) =>
      carriersOf(request, "reasoning_content").flatMap(({ at, message, thinking }) =>
        when(
          message["reasoning_content"] !== thinking,
          `the reasoning_content of messages[${at}] must be passed back unchanged`,
          `messages[${at}]`,
        ),
      ),
  },
  {
    ...refused,
    id: "openai-chat/reasoning-details-kept",
    statement: "The details of the reasoning that came with calls come back with them.",
    code: "invalid_request_error",
    requirement: "CHAT-10",
    docs: "https://openrouter.ai/docs/use-cases/reasoning-tokens",
    undocumented: true,
    seen: [
      { where: "https://github.com/UKGovernmentBEIS/inspect_ai/issues/2838", on: "2025-11-27" },
      { where: "https://github.com/karthink/gptel/issues/1190", on: "2025-12-18" },
    ],
    models: "Gemini",
    ...whoWants("reasoning_details"),
    check: (request) =>
      /gemini/.test(String(request.fields["model"] ?? ""))
        ? carriersOf(request, "reasoning_details").flatMap(({ at, message }) => {
            const { reasoning_details: details } = message;
            const isThere = Array.isArray(details) && details.length > 0;
            return when(
              !isThere,
              `messages[${at}] must have the reasoning details that it came with`,
              `messages[${at}]`,
            );
          })
        : [],
  },
];

/** The messages that carry the calls of answers of this model that thought in a field, each with what was thought. */
function carriersOf(
  { messages, sent = [], fields }: ChatRequest,
  field: string,
): (Pick<ChatMessage, "at" | "message"> & { thinking: string })[] {
  return sent.flatMap(({ parts, model }) => {
    const thought = parts.find((part) => "thinking" in part);
    const ids = parts.flatMap((part) => ("tool_call" in part ? [part.tool_call.id] : []));
    if (thought === undefined || (thought.field ?? "reasoning_content") !== field || model !== fields["model"])
      return [];
    const carrier = messages.find(({ calls }) => calls.some(({ call }) => ids.includes(call["id"] as string)));
    return carrier ? [{ ...carrier, thinking: thought.thinking }] : [];
  });
}

function callListFindings({ at, role, message }: ChatMessage): Finding[] {
  const list = message["tool_calls"];
  if (list === undefined) return [];
  const param = `messages[${at}].tool_calls`;
  if (!Array.isArray(list) || list.length === 0)
    return [{ message: `invalid '${param}': expected a list of at least one call`, param }];
  return [
    ...when(role !== "assistant", `invalid '${param}': only assistant messages have calls`, param),
    ...list.flatMap((call: unknown, index) => {
      const type = isObject(call) ? call["type"] : undefined;
      return when(
        type !== "function" && type !== "custom",
        `invalid '${param}[${index}].type': expected function or custom, got ${JSON.stringify(type)}`,
        param,
      );
    }),
  ];
}

function functionCalls(messages: readonly ChatMessage[]) {
  return messages.flatMap(({ calls }) => calls.filter(({ call }) => call["type"] === "function"));
}

/** The tool messages that directly follow the message with this index. */
function toolsAfter(messages: readonly ChatMessage[], index: number): ChatMessage[] {
  let end = index + 1;
  while (messages[end]?.role === "tool") end += 1;
  return messages.slice(index + 1, end);
}

/** Whether a tool message after a place answers the call with an id. */
function answersIn(messages: readonly ChatMessage[]): (at: number, id: unknown) => boolean {
  const last = new Map<unknown, number>();
  for (const { at, role, message } of messages) if (role === "tool") last.set(message["tool_call_id"], at);
  return (at, id) => (last.get(id) ?? -1) > at;
}

function idsOf(calls: ChatMessage["calls"]): unknown[] {
  return calls.map(({ call }) => call["id"]);
}

function lengthOf(id: unknown): string {
  return isText(id) ? `${id.length} characters` : kindOf(id);
}
