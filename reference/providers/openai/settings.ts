// What both of OpenAI's APIs make of a request's settings in the same way.

import { isRecord } from "../shared/arguments.ts";
import { digest } from "../shared/fingerprint.ts";
import type { WarnedLoss, WarnOfLoss } from "../shared/losses.ts";
import type { ModelRequest, ModelSettings, ToolChoice } from "../../../schemas/types.ts";

type Fields = Record<string, unknown>;

/** The losses that both APIs have, by what is lost. */
export interface SettingLosses {
  effort: WarnedLoss;
  budget: WarnedLoss;
  choice: WarnedLoss;
}

/** How much the model is to think. Not to think is an effort too; a budget of tokens is not. @see CHAT-34 RESPONSES-30 */
export function effortOf(
  { effort, thinking }: ModelSettings,
  losses: SettingLosses,
  warn: WarnOfLoss,
): ModelSettings["effort"] {
  if (thinking?.budget_tokens !== undefined)
    warn(losses.budget, `thinking.budget_tokens ${thinking.budget_tokens} was left out: the API has only an effort`);
  if (thinking?.mode !== "off") return effort;
  if (effort !== undefined && effort !== "none")
    warn(losses.effort, `the effort ${effort} was left out: the model is not to think`);
  return "none";
}

/** What is sent of a choice: nothing without tools, where the API refuses one. `wordFor` names a tool in the API's form. @see CHAT-31 RESPONSES-27 */
export function choiceOf(
  { tool_choice: choice, tools }: ModelRequest,
  wordFor: (name: string) => unknown,
  losses: SettingLosses,
  warn: WarnOfLoss,
): unknown {
  if (choice === undefined) return undefined;
  const isThere = typeof choice === "string" ? tools.length > 0 : tools.some(({ name }) => name === choice.name);
  if (isThere) return typeof choice === "string" ? choice : wordFor(choice.name);
  if (choice !== "auto" && choice !== "none")
    warn(losses.choice, `the tool_choice ${nameOf(choice)} was left out: the request has no such tool`);
  return undefined;
}

function nameOf(choice: ToolChoice): string {
  return typeof choice === "string" ? choice : JSON.stringify(choice.name);
}

/**
 * The fields that control caching. The servers cache prefixes by themselves; a key that all requests of a conversation have, and no
 * other, brings these to the same place. It is made from how the conversation begins.
 * @see https://platform.openai.com/docs/guides/prompt-caching
 * @see CHAT-35 RESPONSES-31
 */
export function cacheFields({ messages, settings }: ModelRequest): Fields {
  if (settings?.cache === "off") return { prompt_cache_options: { mode: "explicit" } };
  if (settings?.cache !== "prefix") return {};
  const first = messages.findIndex(({ role }) => role !== "system");
  const beginning = messages.slice(0, first < 0 ? messages.length : first + 1);
  const words = beginning.map((message) => ("content" in message ? message.content : message));
  return { prompt_cache_key: digest(JSON.stringify(words)) };
}

/** The fields that have a value. */
export function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The body with the fields that the adapter was given, which win. Of the groups, which hold several settings each, both sides
 * keep what the other does not say.
 */
export function withExtraFields(body: Fields, extra: Fields, groups: readonly string[]): Fields {
  const merged = { ...body, ...extra };
  for (const group of groups) {
    const [own, more] = [body[group], extra[group]];
    if (isRecord(own) && isRecord(more)) merged[group] = { ...own, ...more };
  }
  return merged;
}
