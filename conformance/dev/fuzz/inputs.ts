// Runs with damaged schemas, rules of permissions and tool returns, and says what of the loop's promises is broken.

import { agentLoop, defineTool, type DefinedTool } from "../../../reference/index.ts";
import type { Provider } from "../../../reference/core/ports.ts";
import { checkSession } from "../../../reference/state/check-session.ts";
import type { LoopEvent, Message, RunOptions } from "../../../schemas/types.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";
import { checkGrammar } from "../../kit/checks/event-grammar.ts";
import { type Random, randomFrom } from "./random.ts";
import { warmUp, within } from "./within.ts";

/** One promise that was broken, and with what. */
export interface FoundInput {
  run: number;
  problem: string;
  given: string;
}

export interface InputReport {
  endings: Record<string, number>;
  found: FoundInput[];
}

/** How many turns of the event loop a run may take. */
const turns = 2000;

/** @param seed gives the same runs again; run n does not depend on the runs before it */
export async function fuzzInputs(options: { runs: number; seed: number; from?: number }): Promise<InputReport> {
  const { runs, seed, from = 0 } = options;
  await warmUp();
  const report: InputReport = { endings: {}, found: [] };
  for (let run = from; run < from + runs; run++) {
    const random = randomFrom(Math.imul(seed, 0x9e3779b1) + run);
    const given = draw(random);
    const problems: string[] = [];
    const ending = await ended(given, (problem) => problems.push(problem)).catch((thrown: unknown) => {
      problems.push(`threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
      return "threw";
    });
    report.endings[ending] = (report.endings[ending] ?? 0) + 1;
    for (const problem of problems) report.found.push({ run, problem, given: given.shown });
  }
  return report;
}

interface Given {
  schema: DefinedTool["input_schema"];
  input: Record<string, unknown>;
  options: RunOptions;
  returned: unknown;
  shown: string;
}

function draw(random: Random): Given {
  const schema = damaged(random.pick(schemas), random, 1 + random.below(3)) as DefinedTool["input_schema"];
  const input = damaged(random.pick(inputs), random, random.below(3)) as Record<string, unknown>;
  const rules = Array.from({ length: random.below(4) }, () => ({
    effect: random.pick(["allow", "ask", "deny"] as const),
    match: Array.from({ length: 1 + random.below(5) }, () => random.pick(pieces)).join(""),
  }));
  const options: RunOptions = { max_turns: 3, ...(rules.length > 0 && { permissions: { rules } }) };
  const returned = random.pick(returns);
  const shown = JSON.stringify({ schema, input, rules, returned: String(returned.name) });
  return { schema, input, options, returned: returned.make(random), shown };
}

const schemas: object[] = [
  { type: "object" },
  { type: "object", properties: { a: { type: "string", minLength: 1 }, b: { enum: [1, "x", null] } }, required: ["a"] },
  { type: "object", properties: { list: { type: "array", items: { type: "integer", minimum: 0 }, maxItems: 3 } } },
  { type: "object", additionalProperties: false, patternProperties: { "^x": { type: "number", multipleOf: 2 } } },
  { type: "object", $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } }, $ref: "#/$defs/node" },
  { type: "object", anyOf: [{ required: ["a"] }, { not: { required: ["b"] } }], if: { required: ["a"] }, else: {} },
];
const inputs: object[] = [
  {},
  { a: "x", b: 1 },
  { list: [1, 2, 3], x1: 4 },
  { next: { next: { next: {} } } },
  { "a/b~c": null, "é\n": "\0", constructor: 1, a: { toString: "" } },
];
const odd = [null, true, 0, -1, 1e308, "", "x", [], {}, [null], { type: "object" }, { const: 1 }, "toString"];
const pieces = ["say", "*", "(", ")", "rm", " ", "bash(", "**", "?", "\\", "[", "/", "..", "$", "^", "a", "\n", "é"];

const cycle: Record<string, unknown> = {};
cycle.self = cycle;
const returns: { name: string; make(random: Random): unknown }[] = [
  { name: "text", make: () => "fine" },
  { name: "nothing", make: () => undefined },
  { name: "number", make: (random) => random.pick([0, -0, 1e308, Number.NaN, Infinity]) },
  { name: "bigint", make: () => 1n },
  { name: "symbol", make: () => Symbol("s") },
  { name: "function", make: () => () => 1 },
  { name: "map", make: () => new Map([[1, 2]]) },
  { name: "bytes", make: () => new Uint8Array(3) },
  { name: "cycle", make: () => cycle },
  { name: "date", make: (random) => new Date(random.pick([0, Number.NaN])) },
  { name: "error", make: () => new Error("returned") },
  { name: "half a surrogate", make: () => ({ "\ud800": "\udfff" }) },
  { name: "deep", make: () => nested(5000) },
  {
    name: "wrong output",
    make: (random) => ({ output: random.pick<unknown>([5, null, [], {}, [{}], [{ type: 1 }]]) }),
  },
  { name: "wrong parts", make: (random) => [{ type: random.pick(["x", "", "y", "text", "image", "document"]) }] },
  { name: "parts with wrong fields", make: (random) => [{ type: random.pick(["text", "image"]), text: 1, url: null }] },
  { name: "data alone", make: (random) => ({ data: random.pick<unknown>([null, cycle, 1n, { a: 1 }]) }) },
  { name: "a toJSON that throws", make: () => ({ toJSON: () => raise() }) },
  { name: "a getter that throws", make: () => Object.defineProperty({}, "a", { enumerable: true, get: raise }) },
  { name: "odd", make: (random) => random.pick(odd) },
];

function raise(): never {
  throw new Error("not readable");
}

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

/** A copy of an object in which so many places are other than they were. */
function damaged(value: object, random: Random, times: number): object {
  const copy = structuredClone(value);
  for (let time = 0; time < times; time += 1) {
    const holders: Record<string, unknown>[] = [];
    const collect = (inner: unknown) => {
      if (typeof inner !== "object" || inner === null) return;
      if (Object.keys(inner).length > 0) holders.push(inner as Record<string, unknown>);
      Object.values(inner).forEach(collect);
    };
    collect(copy);
    if (holders.length === 0) return copy;
    const holder = random.pick(holders);
    const key = random.pick(Object.keys(holder));
    if (random.below(4) === 0) delete holder[key];
    else if (random.below(3) === 0) holder[random.pick(["x", "a", "é", ""])] = holder[key];
    else holder[key] = structuredClone(random.pick(odd));
  }
  return copy;
}

async function ended(given: Given, report: (problem: string) => void): Promise<string> {
  const call = (id: string, name: string): Message => ({ type: "tool_call", id, name, input: { ...given.input } });
  let turn = 0;
  const provider: Provider = {
    name: "scripted",
    async invokeModel() {
      turn += 1;
      if (turn > 1) return { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
      return { messages: [call("c1", "say"), call("c2", "odd"), call("c3", "say")], stop_reason: "tool_use" };
    },
  };
  const tools = [
    defineTool({ name: "say", input_schema: { type: "object" }, execute: () => "said" }),
    { name: "odd", input_schema: given.schema, execute: () => given.returned },
  ];
  const run = agentLoop({
    provider,
    tools,
    input: "Go.",
    options: given.options,
    approve: async () => ({ action: "approve" }),
  });
  const events: LoopEvent[] = [];
  const over = (async () => {
    for await (const event of run) events.push(event);
    return true;
  })();
  if (!(await within(turns, over))) {
    report("the run did not end");
    run.cancel();
    return "hang";
  }
  const result = await run.result;
  const { messages, ...session } = await run.session;
  for (const { message } of checkGrammar(events)) report(`events: ${message}`);
  for (const { requirement, message } of checkSession({ ...session, messages }))
    report(`session: ${requirement} ${message}`);
  const problems = validate("Session", JSON.parse(JSON.stringify({ ...session, messages })));
  if (problems.length > 0) report(`session: ${describeProblems(problems)}`);
  if (result.error?.kind === "internal") report(`internal: ${result.error.message}`);
  const siblings = messages.flatMap((message) =>
    message.type === "tool_result" && message.id !== "c2" ? [message] : [],
  );
  if (result.status === "completed" && siblings.some(({ outcome }) => outcome !== "ok" && outcome !== "denied"))
    report(`a sibling ended as ${siblings.map(({ outcome }) => outcome).join(", ")}`);
  return result.error ? `${result.status}/${result.error.kind}` : result.status;
}
