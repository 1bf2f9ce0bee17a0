// Proves that a scene tells a loop that has the bug from one that has not, in each format, whole and streamed, and that what a provider
// refuses is seen.

import { describe, expect, it } from "vitest";

interface Happened {
  bug?: string;
  executed: { name: string; input: unknown }[];
  requests: Record<string, unknown>[];
}
interface Tool {
  name: string;
  run(input: unknown): Promise<string>;
}
type Json = Record<string, never>;
type Say = (input: string) => Promise<{ text: string; stop: string }>;

const load = async (file: string): Promise<unknown> => await import(new URL(file, import.meta.url).href);
const { happens, unpaired } = (await load("repro.mjs")) as {
  happens(
    agentOf: (given: { api: string; url: string; stream: boolean; tools: Tool[] }) => Say,
    scene: object,
  ): Promise<Happened>;
  unpaired(body: object): string | undefined;
};
const scenes = (await load("scenes.mjs")) as Record<string, (where: object) => object>;

/** Executes the calls of a whole answer of Chat Completions, or not, and asks once more. */
function loop({ url, tools }: { url: string; tools: Tool[] }, isCareful: boolean): Say {
  const messages: object[] = [];
  const ask = async (): Promise<Json> =>
    (await (await fetch(url, { method: "POST", body: JSON.stringify({ messages }) })).json()) as Json;
  return async (input) => {
    messages.push({ role: "user", content: input });
    const { message, finish_reason } = (await ask())["choices"]![0] as { message: Json; finish_reason: string };
    const calls = (message["tool_calls"] ?? []) as { id: string; function: { name: string; arguments: string } }[];
    if (calls.length === 0 || (isCareful && finish_reason === "length")) return { text: "", stop: finish_reason };
    messages.push(message);
    for (const { id, function: called } of calls) {
      const tool = tools.find(({ name }) => name === called.name)!;
      messages.push({ role: "tool", tool_call_id: id, content: await tool.run(JSON.parse(called.arguments)) });
    }
    await ask();
    return { text: "Fine.", stop: "stop" };
  };
}

describe("a scene", () => {
  const scene = () => scenes["callBeside"]!({ api: "openai-chat", stop: "max_tokens" });

  it("says what a loop did that has the bug", async () => {
    const { bug, executed } = await happens((given) => loop(given, false), scene());
    expect(bug).toBe('EXECUTED delete_files {"path":"/etc"}, although the response ended with max_tokens');
    expect(executed).toEqual([{ name: "delete_files", input: { path: "/etc" } }]);
  });

  it("says nothing of a loop that has it not", async () => {
    const { bug, executed } = await happens((given) => loop(given, true), scene());
    expect([bug, executed]).toEqual([undefined, []]);
  });
});

describe.each(["anthropic-messages", "gemini", "openai-chat", "openai-responses"])("the server, %s", (api) => {
  it.each([false, true])("gives every answer that the scene has, streamed: %s", async (stream) => {
    const answers = [
      { blocks: [{ text: "One." }, { call: "note", id: "call_1", args: '{"at":1}' }] },
      { blocks: [{ text: "Two." }] },
    ];
    const texts: string[] = [];
    const agentOf = ({ url }: { url: string }): Say => {
      return async () => {
        for (const _ of [...answers, "one more"])
          texts.push(await (await fetch(url, { method: "POST", body: "{}" })).text());
        return { text: "", stop: "" };
      };
    };
    const { requests } = await happens(agentOf, { api, stream, answers, bug: () => undefined });
    expect(requests.length).toBe(3);
    expect(texts[0]).toContain("One.");
    expect(texts[0]).toMatch(/\{\\"at\\":1\}|\{"at":1\}/);
    expect(texts[1]).toContain("Two.");
    expect(texts[0]!.includes("data: ")).toBe(stream);
    expect(texts[2]).toBe("there is no further answer");
  });
});

describe("what a provider refuses", () => {
  const use = (id: string) => ({ role: "assistant", content: [{ type: "tool_use", id }] });
  const result = (id: string) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id }] });
  it.each([
    ["a call without a result", [use("a")], "the call a has no result"],
    ["a result without its call", [result("a")], "the result a has no call"],
    ["an id that is there twice", [use("a"), result("a"), use("a"), result("a")], 'two calls have the id "a"'],
    ["nothing", [use("a"), result("a")], undefined],
  ])("is %s", (_, messages, what) => {
    expect(unpaired({ messages })).toBe(what);
  });
  it("is a call of Gemini without a result", () => {
    const contents = [{ role: "model", parts: [{ functionCall: { id: "a" } }] }];
    expect(unpaired({ contents })).toBe("the call a has no result");
    const results = [{ role: "user", parts: [{ functionResponse: { id: "a" } }] }];
    expect(unpaired({ contents: [...contents, ...results] })).toBe(undefined);
  });
  it("is a custom call with the result of another kind", () => {
    const input = [
      { type: "custom_tool_call", call_id: "a" },
      { type: "function_call_output", call_id: "a" },
    ];
    expect(unpaired({ input })).toBe("the call a (custom) has no result");
  });
});
