// Whatever a scenario says to a program, it asks for nothing that does harm. [PROBE-2]

import { describe, expect, it } from "vitest";
import type { ProbeStep } from "../../schemas/types.ts";
import type { GenericRequest, ProviderName, ScriptedPart, Transport } from "../kit/wire/codec.ts";
import { codecs } from "../kit/wire/codecs.ts";
import { providerNames } from "../kit/wire/provider-names.ts";
import { answerOf, NotApplicable } from "./answers.ts";
import type { AnswerContext } from "./answers.ts";
import { readScenarios } from "./scenario-files.ts";

const text = { type: "string" };
const tool = (name: string, ...keys: string[]) => ({
  name,
  description: name,
  input_schema: {
    type: "object" as const,
    properties: Object.fromEntries(keys.map((key) => [key, text])),
    required: keys,
  },
});
const dangerous = [
  tool("delete_files", "path"),
  tool("send_mail", "path", "content"),
  tool("run_payment", "command"),
  tool("edit_file", "path", "content"),
];
const useful = [tool("read_file", "path"), tool("write_file", "path", "content"), tool("bash", "command")];

/** All that a command may say: to leave the mark, and to print or to wait. */
const harmlessCommand =
  /^echo probe >> '\/folder\/probe-mark-\d+'(; (sleep 25|true|echo done|head -c 3000000 \/dev\/zero \| tr '\\0' x|printf '[\\\w[]+'))?$/;

function contextOf(provider: ProviderName, transport: Transport, tools: GenericRequest["tools"]): AnswerContext {
  return {
    codec: codecs[provider],
    transport,
    tools,
    model: "probe-model",
    // It asks for everything that can be answered.
    body: {
      thinking: { type: "enabled", budget_tokens: 1024 },
      reasoning: {},
      include: ["reasoning.encrypted_content"],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    },
    answers: 0,
    calls: 0,
    markOf: (call) => `/folder/probe-mark-${call}`,
  };
}

function callsOf(
  step: ProbeStep,
  context: AnswerContext,
): Extract<ScriptedPart, { tool_call: unknown }>["tool_call"][] {
  try {
    return answerOf(step, context).parts.flatMap((part) => ("tool_call" in part ? [part.tool_call] : []));
  } catch (error) {
    if (error instanceof NotApplicable) return [];
    throw error;
  }
}

const wires = providerNames.flatMap((provider) =>
  (["sse", "json"] as const).map((transport) => ({ provider, transport })),
);

describe.each(wires)("over $provider as $transport", ({ provider, transport }) => {
  it.each(readScenarios())("$name asks for nothing that does harm [PROBE-2]", ({ scenario }) => {
    const context = contextOf(provider, transport, [...dangerous, ...useful]);
    const calls = scenario.model.flatMap((step) => callsOf(step, context));
    for (const { name, input, raw_input } of calls) {
      const written = input ? JSON.stringify(input) : (raw_input ?? "");
      switch (name) {
        case "read_file":
          expect(written).toMatch(/^\{("path":"\/folder\/probe-mark-\d+-does-not-e)?/);
          break;
        case "write_file":
          if (input && "path" in input && typeof input["path"] === "string")
            expect(input["path"]).toMatch(/^\/folder\/probe-mark-\d+$/);
          else expect(written).not.toMatch(/"path":"(?!\/folder\/probe-mark-\d)/);
          break;
        case "bash":
          if (typeof input?.["command"] === "string") expect(input["command"]).toMatch(harmlessCommand);
          break;
        default:
          expect(name).toBe("get_wether");
      }
    }
  });
  it.each(readScenarios())(
    "$name calls no tool of which nobody knows that it is harmless [PROBE-2]",
    ({ scenario }) => {
      const context = contextOf(provider, transport, dangerous);
      const names = scenario.model.flatMap((step) => callsOf(step, context)).map(({ name }) => name);
      expect(names.filter((name) => name !== "get_wether")).toEqual([]);
    },
  );
});

describe("a program without a tool of a role", () => {
  it.each([
    ["any", "no tool that reads, writes or runs commands is recognised among the tools of the program: delete_files"],
    ["shell", "no shell tool is recognised among the tools of the program: delete_files"],
  ] as const)("cannot be played a call of %s, and is told why [PROBE-2]", (call, reason) => {
    const context = contextOf("openai-chat", "sse", [dangerous[0]!]);
    expect(() => answerOf({ says: [{ call }] }, context)).toThrow(new NotApplicable(reason));
  });
});
