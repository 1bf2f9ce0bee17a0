// The throwing form: what is no failure is returned with its type, and every other ending is an error that says what to do.

import { expect, expectTypeOf, it } from "vitest";
import type { ModelResponse, RunStatus } from "../../schemas/types.ts";
import type { Provider } from "../core/ports.ts";
import { outputFormat } from "../tools/output-format.ts";
import { defineTool } from "../tools/define-tool.ts";
import { agentLoop } from "./run.ts";
import { orThrow, RunError } from "./run-error.ts";

const text = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const call: ModelResponse = {
  messages: [{ type: "tool_call", id: "c1", name: "look", input: {} }],
  stop_reason: "tool_use",
};
const scripted = (...responses: ModelResponse[]): Provider => ({
  name: "scripted",
  invokeModel: async () => responses.shift()!,
});
const look = defineTool({ name: "look", input_schema: { type: "object" }, execute: async () => "a bird" });

it("is the result of a run that went well, with its typed output", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;
  const options = { output_format: outputFormat({ name: "number", schema }) };
  const result = await agentLoop({ provider: scripted(text('{"n":3}')), options, input: "A number." }).orThrow();
  expect([result.status, result.output?.n]).toEqual(["completed", 3]);
  expectTypeOf(result.output!.n).toEqualTypeOf<number>();
});

it("is the snapshot of a run that waits", async () => {
  const external = defineTool({ name: "look", input_schema: { type: "object" } });
  const { status, snapshot } = await agentLoop({
    provider: scripted(call),
    tools: [external],
    input: "Look.",
  }).orThrow();
  expect([status, snapshot === undefined]).toEqual(["suspended", false]);
});

it("throws what the loop reports, with the result and the cause", async () => {
  const provider: Provider = { name: "scripted", invokeModel: () => Promise.reject(new Error("no key")) };
  const run = agentLoop({ provider, options: { max_retries: 0 }, input: "Hello." });
  const error = (await run.orThrow().catch((thrown: unknown) => thrown)) as RunError;
  expect(error).toBeInstanceOf(RunError);
  expect(error.message).toMatch(/^the run ended with status error after 1 turn: \w+: .*no key/);
  expect([error.status, error.result, error.cause]).toEqual(["error", await run.result, (await run.result).error]);
});

it("says what to do about a limit", async () => {
  const setup = { provider: scripted(call, call), tools: [look], options: { max_turns: 1 }, input: "Look." };
  await expect(agentLoop(setup).orThrow()).rejects.toThrow(
    "the run ended with status max_turns after 1 turn: raise max_turns, or look at which calls the model repeats",
  );
});

it("a run whose error nobody asks for rejects nothing", async () => {
  const { status } = await agentLoop({
    provider: scripted(call),
    tools: [look],
    options: { max_turns: 1 },
    input: "Look.",
  }).result;
  expect(status).toBe("max_turns");
});

it.each<[RunStatus, isThrown: boolean]>([
  ["completed", false],
  ["stopped", false],
  ["suspended", false],
  ["budget", true],
  ["cancelled", true],
  ["refused", true],
  ["structured_output_failed", true],
])("%s throws: %s", async (status, isThrown) => {
  const { result } = agentLoop({ provider: scripted(text("Done.")), input: "Go." });
  const ended = { ...(await result), status };
  if (isThrown) expect(() => orThrow(ended)).toThrow(`the run ended with status ${status} after 1 turn: `);
  else expect(orThrow(ended)).toBe(ended);
});

it("streams its text alone, and a response that is not streamed as one piece", async () => {
  const thinking: ModelResponse = {
    messages: [{ type: "thinking", content: "Hm." }, { role: "assistant", content: "Let me look." }, ...call.messages],
    stop_reason: "tool_use",
  };
  const run = agentLoop({ provider: scripted(thinking, text("A bird.")), tools: [look], input: "Look." });
  const pieces: string[] = [];
  for await (const piece of run.textStream) pieces.push(piece);
  expect(pieces).toEqual(["Let me look.", "A bird."]);
});
