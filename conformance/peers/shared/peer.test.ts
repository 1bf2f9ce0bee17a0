// Proves the part that the drivers share: conversations that go on, parts of a tool, and the word of a run that was cancelled or failed.

import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";

type Json = Record<string, unknown>;

const driver = `
  import { servePeer } from ${JSON.stringify(new URL("peer.ts", import.meta.url).href)};
  servePeer({ name: "toy", version: "1", seams: ["openai-chat"] }, ({ tools, limit, execute }) => {
    const inputs = [];
    return async (input, signal) => {
      inputs.push(input);
      if (input === "fail") throw new Error("it broke");
      if (input === "use") return { ended: "completed", text: JSON.stringify(await execute(tools[0].name, [1], signal)) };
      return { ended: "completed", text: inputs.join(", ") + " " + limit };
    };
  });`;
const model = {
  seam: "openai-chat",
  transport: "json",
  base_url: "http://127.0.0.1:1",
  api_key: "key",
  model: "gpt-4.1",
};
const tools = [{ name: "look", input_schema: { type: "object" } }];

let child: ChildProcess;
let received: Json[];
let wake: () => void;

beforeEach(() => {
  received = [];
  wake = () => {};
  child = spawn(process.execPath, ["--input-type=module", "--eval", driver], { stdio: ["pipe", "pipe", "inherit"] });
  createInterface({ input: child.stdout! }).on("line", (line) => {
    received.push(JSON.parse(line) as Json);
    wake();
  });
});
afterEach(() => void child.kill());

function send(message: Json): void {
  child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function next(is: (message: Json) => boolean): Promise<Json> {
  for (;;) {
    const found = received.find(is);
    if (found) return found;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}
const answer = async (id: number): Promise<unknown> => (await next((message) => message["id"] === id))["result"];
const toolCall = (): Promise<Json> => next(({ method }) => method === "tool/execute");

it("names the models of its seams, and goes on with a conversation under the limit that it began with", async () => {
  send({ id: 1, method: "initialize", params: {} });
  expect(await answer(1)).toMatchObject({ level: "wire", models: { "openai-chat": "gpt-4.1" } });
  send({ id: 2, method: "run", params: { run: "a", input: "one", tools, limit: 3, model } });
  expect(await answer(2)).toEqual({ ended: "completed", text: "one 3" });
  send({ id: 3, method: "run", params: { run: "b", after: "a", input: "two", model } });
  expect(await answer(3)).toEqual({ ended: "completed", text: "one, two 3" });
});

it("hands on what a framework hands to its tool, and the parts that the tool says", async () => {
  send({ id: 1, method: "run", params: { run: "a", input: "use", tools, model } });
  const { id, params } = await toolCall();
  expect(params).toEqual({ run: "a", call: { name: "look", input: [1] } });
  send({ id, result: { output: [{ type: "text", text: "seen" }] } });
  expect(await answer(1)).toEqual({ ended: "completed", text: '[{"type":"text","text":"seen"}]' });
});

it("says that a run failed, and that one was cancelled while a tool ran", async () => {
  send({ id: 1, method: "run", params: { run: "a", input: "fail", tools, model } });
  expect(await answer(1)).toEqual({ ended: "error", error: "Error: it broke" });
  send({ id: 2, method: "run", params: { run: "b", input: "use", tools, model } });
  await toolCall();
  send({ method: "cancel", params: { run: "b" } });
  expect(await answer(2)).toMatchObject({ ended: "cancelled" });
});
