// What a run cannot work with is refused by its name, before anything starts.

import { expect, it, test } from "vitest";
import { agentLoop, resume } from "./run.ts";
import type { RunSetup } from "./setup.ts";
import schema from "../../schemas/run-options.schema.json" with { type: "json" };

const provider: RunSetup["provider"] = {
  name: "scripted",
  invokeModel: async () => ({ messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" }),
};

async function errorOf(wrong: object) {
  const run = agentLoop({ provider, input: "Go.", ...wrong } as never);
  const types: string[] = [];
  for await (const { type } of run) types.push(type);
  expect(types).toEqual(["run_start", "run_end"]);
  return (await run.result).error;
}

it.each([
  ["no provider", { provider: undefined }, /^provider: expected a provider, .*got undefined/],
  ["a provider that is a name", { provider: "anthropic" }, /^provider: .*got "anthropic"/],
  ["a clock without a time", { clock: {} }, /^clock: expected .*got {}/],
  ["a hook at no point", { hooks: [{ point: "before_tol", run() {} }] }, /^hooks\[0\]: .*before_tool.*"before_tol"/],
  ["a hook that does nothing", { hooks: [{ point: "stop" }] }, /^hooks\[0\]: expected { point, run\(\) }/],
  ["hooks that are no list", { hooks: {} }, /^hooks: expected a list of hooks, got {}/],
  ["options that are a text", { options: "fast" }, /^options: expected an object, got "fast"/],
])("%s is refused by name", async (_what, wrong, message) => {
  expect(await errorOf(wrong)).toEqual({ kind: "configuration", message: expect.stringMatching(message) });
});

it.each([
  [{ max_turns: "3" }, 'options.max_turns: expected a whole number from 1, or null for no limit, got "3".'],
  [{ max_turns: 0 }, "options.max_turns: expected a whole number from 1, or null for no limit, got 0."],
  [{ max_retries: -1 }, "options.max_retries: expected a whole number from 0, got -1."],
  [{ deadline_ms: Number.NaN }, "options.deadline_ms: expected a whole number from 1, or null for no limit, got NaN."],
  [{ fallback_models: "x" }, 'options.fallback_models: expected a list of names of models, got "x".'],
  [{ scheduling: "fast" }, 'options.scheduling: expected one of barrier, parallel, serial, reads_first, got "fast".'],
  [{ execute_tools: "no" }, 'options.execute_tools: expected true or false, got "no".'],
  [
    { bounds: { depth: 0 } },
    'options.bounds: expected whole numbers from 1 by the names of bounds (depth, calls, line_bytes, body_bytes), got {"depth":0}.',
  ],
  [
    { bounds: { depht: 9 } },
    'options.bounds: expected whole numbers from 1 by the names of bounds (depth, calls, line_bytes, body_bytes), got {"depht":9}.',
  ],
  [{ output_format: { name: "x" } }, /^options\.output_format: expected { name, schema }/],
])("the options %o are refused", async (options, message) => {
  expect(await errorOf({ options })).toEqual({
    kind: "configuration",
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
});

it.each([{}, { max_turns: null }, { max_retries: undefined }, { bounds: { calls: 3 } }, { budget: null }])(
  "the options %o are taken",
  async (options) => {
    const run = agentLoop({ provider, input: "Go.", options: options as object });
    expect((await run.result).status).toBe("completed");
  },
);

const plain = ["integer", "boolean"];
const isPlain = ({ type, enum: words, anyOf = [] }: { type?: string; enum?: unknown[]; anyOf?: { type?: string }[] }) =>
  plain.includes(type ?? "") || words !== undefined || anyOf.some((one) => plain.includes(one.type ?? ""));
const properties: Record<string, Parameters<typeof isPlain>[0]> = schema.properties as never;
const simple = Object.entries(properties).filter(([, property]) => isPlain(property));

test.each(simple.map(([name]) => name))("%s is not taken with a value of another type", async (name) => {
  expect(await errorOf({ options: { [name]: { no: "such" } } })).toMatchObject({
    kind: "configuration",
    message: expect.stringContaining(`options.${name}`),
  });
});

it("a session or a snapshot without a version is refused as what it is", async () => {
  const session = { id: "s", messages: [{ role: "user", content: "Go." }] };
  for (const spec_version of [undefined, 1, null])
    expect(await errorOf({ session: { ...session, spec_version } })).toMatchObject({
      kind: "invalid_session",
      message: expect.stringMatching(/^The session has the spec_version .*expected a text such as "1.0"/),
    });
  const run = resume({ provider, snapshot: { session } as never, decisions: [] });
  expect((await run.result).error).toMatchObject({
    kind: "configuration",
    message: expect.stringContaining("The snapshot"),
  });
});

it("an input of nothing is refused", async () => {
  for (const input of ["", " \n", []] as const)
    expect((await agentLoop({ provider, input: input as never }).result).error?.kind).toBe("invalid_session");
});
