// Odd worlds for fast-check: whatever a tool returns, whatever a model writes as arguments, whatever breaks after the tools ran.

import fc from "fast-check";

import type { Provider } from "../core/ports.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { agentLoop } from "../run/run.ts";
import { anyLetter } from "./any-letter.ts";
import type { Message, ModelResponse, Outcome } from "../../schemas/types.ts";

export interface OddWorld {
  calls: { input: Record<string, unknown>; returned: unknown; throws: boolean }[];
  /** Where something throws once the tools have run. */
  fault: "nowhere" | "around the batch" | "after the batch" | "in the checkpoint";
}

const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "", "a/b~c", "\ud800"));
const numbers = fc.oneof(fc.double(), fc.constantFrom(-0, 1e308, 5e-324, 2 ** 53 + 2, -(2 ** 63)));
const leaves = fc.oneof(fc.string({ unit: anyLetter }), numbers, fc.boolean(), fc.constant(null));

/** Wide and flat, or so deep that a recursive reader has no stack left. */
const inputs: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(names, fc.oneof(leaves, fc.array(leaves), fc.dictionary(names, leaves))) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 20_000 }).map((depth) => ({ deep: nested(depth) })) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 2_000 })
      .map((width) => ({ wide: Array.from({ length: width }, () => ({ a: 1 })) })),
  },
);

/** What JSON cannot write, or what cannot even be read. */
const traps = fc.constantFrom<() => unknown>(
  () => Symbol("s"),
  () => () => 1,
  () => Promise.resolve(1),
  () => nested(20_000),
  () => ({
    get x() {
      throw new Error("gone");
    },
  }),
  () => ({
    toJSON() {
      throw new Error("gone");
    },
  }),
  () => new Proxy({}, { ownKeys: () => Array(1) as string[] }),
  () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    return circle;
  },
);

const returns = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
  fc.record(
    { output: fc.anything(), data: fc.anything(), is_error: fc.boolean(), context_updates: fc.object() },
    { requiredKeys: [] },
  ),
  traps.map((make) => make()),
);

export const oddWorld: fc.Arbitrary<OddWorld> = fc.record({
  calls: fc.array(fc.record({ input: inputs, returned: returns, throws: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
  fault: fc.constantFrom("nowhere", "nowhere", "around the batch", "after the batch", "in the checkpoint"),
});

const NOT_RUN: (Outcome | undefined)[] = ["interrupted", "cancelled", "not_executed", undefined];

/** What a run reports wrongly in such a world: of a call that ran, that it did not; of itself without a fault, that it broke. */
export async function lies({ calls, fault }: OddWorld): Promise<string[]> {
  const ran: string[] = [];
  const tool = defineTool({
    name: "act",
    input_schema: { type: "object" },
    execute(_, { call }) {
      const at = Number(call.id);
      ran.push(call.id);
      if (calls[at]!.throws) throw calls[at]!.returned;
      return calls[at]!.returned;
    },
  });
  const run = agentLoop({ provider: calling(calls), tools: [tool], input: "Act.", use: [breaking(fault, ran)] });
  const { error } = await run.result;
  const { messages } = await run.session;
  const results = messages.filter((message) => "type" in message && message.type === "tool_result");
  const outcomesOf = (id: string) =>
    results.filter((result) => result.id === id).map((result) => result.outcome as Outcome);
  return [
    ...ran.flatMap((id) => {
      const outcomes = outcomesOf(id);
      return outcomes.length === 1 && !NOT_RUN.includes(outcomes[0])
        ? []
        : [`${id} ran, but its result says ${outcomes.join()}`];
    }),
    ...(error?.kind === "internal" && fault === "nowhere" ? [`the run broke: ${error.message}`] : []),
  ];
}

function calling(calls: OddWorld["calls"]): Provider {
  const messages = calls.map(({ input }, i): Message => ({ type: "tool_call", id: String(i), name: "act", input }));
  const responses: ModelResponse[] = [
    { messages, stop_reason: "tool_use" },
    { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" },
  ];
  return { name: "scripted", invokeModel: async () => responses.shift()! };
}

function breaking(fault: OddWorld["fault"], ran: readonly string[]): Plugin {
  const broken = () => {
    throw new Error("broken on purpose");
  };
  return {
    name: "breaking",
    attach: () => ({
      ...(fault === "around the batch" && {
        aroundBatch: (next) => async (calls, run, state) => {
          await next(calls, run, state);
          return broken();
        },
      }),
      ...(fault === "after the batch" && { afterBatch: broken }),
      ...(fault === "in the checkpoint" && { checkpoint: async () => (ran.length > 0 ? broken() : undefined) }),
    }),
  };
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
}
