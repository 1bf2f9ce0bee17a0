// Looks in the requests for what the model must not see: context variables, and what tools return for programs only.

import type { Case, Failure, Handler } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { agentsOf } from "../suite/case-agents.ts";
import type { Observation } from "../observed/observation.ts";

/** Shorter texts stand anywhere by chance. */
const shortest = 5;

/** @see TOOL-34 PROVIDER-32 */
export function checkHidden({ filled, requests, variant, instructions }: Observation): Failure[] {
  const { given } = filled.case;
  const handlers = Object.values(given.handlers ?? {}).flatMap((handler) => [handler, ...(handler.sequence ?? [])]);
  const variables = [given.context, ...handlers.map(({ context_updates }) => context_updates)];
  const data = [
    ...handlers.flatMap((handler) => (handler.output === undefined ? [] : [handler.data])),
    ...given.messages.flatMap((message) => (message.type === "tool_result" ? [message.data] : [])),
  ];
  // A tool result of a generic request has its data; it is the adapter that leaves them out.
  const hidden: [requirement: string, what: string, values: unknown[]][] = [
    ["TOOL-34", "a context variable", variables],
    ...(variant.seam === "generic" ? [] : [["PROVIDER-32", "the data of a tool", data] as [string, string, unknown[]]]),
  ];
  const wanted = hidden.map(([requirement, what, values]) => [requirement, what, values.flatMap(textsIn)] as const);
  // Most cases hide nothing, and the rest is not cheap.
  if (wanted.every(([, , texts]) => texts.length === 0)) return [];
  const made = instructions.map(({ text }) => text);
  const open = JSON.stringify([openIn(filled.case, handlers), made]);
  const sent = requests.map((request) => JSON.stringify(request.body ?? request));
  return wanted.flatMap(([requirement, what, texts]) => {
    const secrets = texts.filter((text) => !open.includes(inJson(text)));
    return sent.flatMap((request, index) => {
      const seen = secrets.find((text) => request.includes(inJson(text)));
      return seen === undefined
        ? []
        : [breach(requirement, `model request ${index + 1} has ${what}`, { received: seen })];
    });
  });
}

/** Everything that a request may legitimately contain. */
function openIn({ given, model, actions = [] }: Case, handlers: Handler[]): unknown {
  const outputs = handlers.map(({ output, data, throw: thrown }) => output ?? thrown ?? JSON.stringify(data));
  const messages = given.messages.map((message) =>
    message.type === "tool_result" ? { ...message, data: undefined } : message,
  );
  return [messages, agentsOf(given), given.options, given.hooks, outputs, model, actions];
}

/** The texts in a JSON value. Keys are named by the case, and may be anything. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length < shortest ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** A text as it stands between the quotes of JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
