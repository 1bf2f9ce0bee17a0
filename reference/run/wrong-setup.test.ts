// Whatever a run is given: a result, one beginning and one end, and a session that the next run may have.

import type { RunSetup } from "./setup.ts";
import { expect, it } from "vitest";

import { agentLoop } from "./run.ts";
import { initSession } from "../core/session.ts";

const provider: RunSetup["provider"] = {
  name: "scripted",
  invokeModel: async () => ({ messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" }),
};

/** What a run comes to that JavaScript may start, and TypeScript would not. */
async function broken(wrong: object) {
  const session = initSession({ id: `wrong-${JSON.stringify(wrong)}`, user: "Go." });
  const run = agentLoop({ provider, session, ...wrong } as never);
  const types: string[] = [];
  for await (const { type } of run) types.push(type);
  expect(types).toEqual(["run_start", "run_end"]);
  expect((await agentLoop({ provider, session }).result).status).toBe("completed");
  return (await run.result).error;
}

it.each([
  ["a condition that nobody knows", { stop_when: [{ nonsense: 1 }] }, /one of tool_called, .*nonsense/],
  ["two conditions in one", { stop_when: [{ same_call: 2, no_progress: 2 }] }, /one of tool_called/],
  ["a pattern that is not closed", { permissions: { rules: [{ effect: "deny", match: "bash(rm *" }] } }, /bash\(rm/],
  ["an option that is misspelt", { max_turn: 3 }, /options\.max_turn\b.*nearest.*max_turns/],
  ["an option of another loop", { "com.example.quota": 3 }, /com\.example\.quota/],
  ["a mode that nobody knows", { permissions: { mode: "paln" } }, /plan.*paln/],
  [
    "permissions with something else",
    { permissions: { rule: [{ effect: "deny", match: "bash" }] } },
    /rules\?.*"rule"/,
  ],
  ["an effect that nobody knows", { permissions: { rules: [{ effect: "no", match: "bash" }] } }, /"no"/],
])("%s is refused by name", async (_, options, message) => {
  expect(await broken({ options })).toEqual({ kind: "configuration", message: expect.stringMatching(message) });
});

it.each([
  ["without a schema", { name: "work" }, /work.*none.*type: "object"/],
  ["whose schema is null", { name: "work", input_schema: null }, /work.*null/],
  ["whose schema is that of a text", { name: "work", input_schema: { type: "string" } }, /work.*string/],
  ["without a name", { input_schema: { type: "object" } }, /name is undefined/],
])("a tool %s is refused by name", async (_, tool, message) => {
  expect(await broken({ tools: [tool] })).toEqual({ kind: "configuration", message: expect.stringMatching(message) });
});

it.each([
  ["instructions", "Be brief."],
  ["model", "m"],
  ["settings", { temperature: 0 }],
  ["tools", []],
])("%s beside agents is refused by name", async (field, value) => {
  const agents = { main: { name: "main" } };
  const message = expect.stringMatching(new RegExp(`^${field}: expected agents, or`)) as string;
  expect(await broken({ agents, [field]: value })).toEqual({ kind: "configuration", message });
});

it("what cannot be conducted at all ends with an error, and gives the session back", async () => {
  const now = () => {
    throw new Error("there is no time");
  };
  expect((await broken({ clock: { now, sleep: async () => {} } }))?.kind).toBe("internal");
});
