// The streams that are damaged: written ones, and recorded ones where there are recordings.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ProviderName, ScriptedResponse } from "../../kit/wire/codec.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { root } from "../schema-files.ts";

const usage = {
  input_tokens: 9,
  output_tokens: 5,
  cache_read_tokens: 2,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
const call = (id: string, input: Record<string, unknown>) => ({ tool_call: { id, name: "look", input } });

const written: Omit<ScriptedResponse, "usage" | "model" | "id">[] = [
  { parts: [{ text: "Zürich 😀 – it is “warm”.\nYes." }], stop_reason: "end_turn" },
  { parts: [{ text: "I look." }, call("c1", { at: "Paris" }), call("c2", { at: ["Rome"] })], stop_reason: "tool_use" },
  { parts: [{ thinking: "Hm, where?", signature: "c2ln" }, call("c1", {})], stop_reason: "tool_use" },
  { parts: [call("c1", { n: 1 }), call("c1", { n: 2 }), call("", { n: 3 })], stop_reason: "tool_use" },
  { parts: [{ text: "So far" }, call("c1", { at: "Oslo" })], stop_reason: "max_tokens" },
  { parts: [{ thinking: "Hm", signature: "c2ln" }, { text: "No." }], stop_reason: "refusal" },
];

/** What the model says when nothing is damaged any more. */
export const last: ScriptedResponse = {
  parts: [{ text: "Done." }],
  stop_reason: "end_turn",
  usage,
  model: "m",
  id: "last",
};

/** The stream of a response, as the provider writes it. */
export function streamOf(provider: ProviderName, response: ScriptedResponse): string {
  return codecs[provider]
    .renderResponse(response, "sse")
    .writes.map(({ text }) => text)
    .join("");
}

/** Every stream of a provider; recordings are looked for in the given folder. */
export function streams(provider: ProviderName, recordings?: string): string[] {
  const made = written.map((response, at): ScriptedResponse => ({ ...response, usage, model: "m", id: `r${at}` }));
  const sayable = made.filter((response) => codecs[provider].canExpress(response, "sse") === true);
  return [
    ...sayable.map((response) => streamOf(provider, response)),
    ...fixtures(provider),
    ...recorded(provider, recordings),
  ];
}

interface Exchanges {
  exchanges: { response: { sse?: string; events?: { event?: string; data: unknown }[] } }[];
}

function fixtures(provider: ProviderName): string[] {
  const folder = join(root, "fixtures", provider);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Exchanges);
  const answers = files.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ response }) => (response.events ? [response.events] : [])),
  );
  return answers.map((events) =>
    events
      .map(({ event, data }) => {
        const line = typeof data === "string" ? data : JSON.stringify(data);
        return `${event === undefined ? "" : `event: ${event}\n`}data: ${line}\n\n`;
      })
      .join(""),
  );
}

function recorded(provider: ProviderName, recordings: string | undefined): string[] {
  const folder = recordings && resolve(recordings, provider);
  if (!folder || !existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith(".json"),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return paths.flatMap((path) => {
    const { exchanges } = JSON.parse(readFileSync(path, "utf8")) as Exchanges;
    return exchanges.flatMap(({ response }) => (response.sse === undefined ? [] : [response.sse]));
  });
}
