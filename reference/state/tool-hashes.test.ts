// A run that goes on with other tools says which ones.

import type { RunSetup } from "../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, recover, resume } from "../run/run.ts";
import type { InvokeModel } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { toolHashes } from "./tool-hashes.ts";
import type { Snapshot, Tool } from "../../schemas/types.ts";

const ask: Tool = { name: "ask", input_schema: { type: "object", properties: { b: {}, a: {} } }, external: true };
const look: Tool = { name: "look", description: "Looks.", input_schema: { type: "object" } };

const invokeModel: InvokeModel = async ({ messages }) =>
  messages.length > 1
    ? { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" }
    : { messages: [{ type: "tool_call", id: "a", name: "ask", input: {} }], stop_reason: "tool_use" };
const setup = (tools: Tool[]): RunSetup => ({ provider: { name: "scripted", invokeModel }, tools });

let sessions = 0;
async function suspended(): Promise<Snapshot> {
  const session = initSession({ id: `drift${(sessions += 1)}`, user: "Go." });
  const { snapshot } = await agentLoop({ ...setup([ask, look]), session }).result;
  return JSON.parse(JSON.stringify(snapshot)) as Snapshot;
}

async function warnings(run: ReturnType<typeof resume>): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of run) {
    if (event.type === "warning") seen.push(`${event.code} ${event.message}`);
  }
  expect(await run.result).toMatchObject({ status: "completed" });
  return seen;
}

const resumed = async (tools: Tool[], snapshot: Snapshot) =>
  warnings(resume({ ...setup(tools), snapshot, decisions: [{ id: "a", action: "respond", output: "?" }] }));

describe("a resumed run [JOURNAL-15]", () => {
  it("says nothing about tools that are the same, in whatever order they and their fields stand", async () => {
    const same: Tool = { external: true, input_schema: { properties: { a: {}, b: {} }, type: "object" }, name: "ask" };
    expect(await resumed([look, same], await suspended())).toEqual([]);
  });

  it("says which tools have changed, are gone and are new", async () => {
    const changes = await resumed(
      [
        { ...ask, description: "Asks." },
        { ...look, name: "see" },
      ],
      await suspended(),
    );
    expect(changes).toEqual([
      expect.stringMatching(/^tool_changed The definition of the tool ask has changed/),
      expect.stringMatching(/^tool_changed The tool look is gone/),
      expect.stringMatching(/^tool_changed The tool see is new/),
    ]);
  });

  it("says nothing where the snapshot does not know its tools", async () => {
    const { tools: _, ...snapshot } = await suspended();
    expect(await resumed([ask], snapshot)).toEqual([]);
  });

  it("says so as well when it is recovered", async () => {
    const journal = memoryJournal();
    const session = initSession({ id: "drift", user: "Go." });
    const notYet: RunSetup = { ...setup([look]), provider: { name: "scripted", invokeModel: () => Promise.reject() } };
    await agentLoop({ ...notYet, session, journal }).result;
    const died = memoryJournal(journal.records().slice(0, 1));
    const done: InvokeModel = async () => ({
      messages: [{ role: "assistant", content: "." }],
      stop_reason: "end_turn",
    });
    const other = { ...setup([{ ...look, description: "Sees." }]), provider: { name: "scripted", invokeModel: done } };
    expect(await warnings(recover({ ...other, journal: died }))).toHaveLength(1);
  });
});

it("hashes the canonical JSON of a definition, as anybody else can [JOURNAL-14]", async () => {
  const odd: Tool = {
    name: "ü",
    input_schema: { type: "object", properties: { 10: {}, 9: { const: 1e21 }, "\u20ac": {}, a: {} } },
  };
  const text = '{"input_schema":{"properties":{"10":{},"9":{"const":1e+21},"a":{},"€":{}},"type":"object"},"name":"ü"}';
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  expect(await toolHashes({ name: "main", tools: [odd] })).toEqual({ ü: Buffer.from(digest).toString("hex") });
  expect((await suspended()).tools).toEqual(await toolHashes({ name: "main", tools: [ask, look] }));
});
