// Random scenarios, for fast-check.

import fc from "fast-check";

import { stopTable } from "../core/stop-table.ts";
import type { ErrorKind, Message, RunOptions, StopReason } from "../../schemas/types.ts";
import type { Answer, Scenario } from "./scenario.ts";
import { toolNames } from "./scripted-tools.ts";

const user: Message = { role: "user", content: "Go." };
const beginnings: Message[][] = [
  [user],
  [{ role: "system", content: "Be brief." }, user],
  [
    user,
    { type: "thinking", content: "Hm." },
    { type: "tool_call", id: "a", name: "read", input: {} },
    { type: "tool_call", id: "old", name: "gone", input: { x: 1 } },
    { type: "tool_result", id: "a", output: "read" },
    { type: "tool_result", id: "old", output: "no", is_error: true, outcome: "unknown_tool", synthetic: true },
  ],
  [user, { role: "assistant", content: "Half a", status: "incomplete" }],
  [user, { role: "assistant", content: "Done." }], // no run starts here
];
const possible = beginnings.slice(0, -1);

const call: fc.Arbitrary<Message> = fc.record({
  type: fc.constant("tool_call" as const),
  id: fc.constantFrom("", "a", "b", "c", "a_2", "made_1"),
  name: fc.constantFrom(...toolNames, "read", "look", "write", "unknown", "odd name!"),
  input: fc.constantFrom({}, { x: 1 }, { x: "1" }, { y: { z: [1, null, "ü"] } }),
});
const badCall: fc.Arbitrary<Message> = call.chain((message) =>
  fc
    .constantFrom("[1]", '{"x": 1', "nonsense")
    .map((raw_input): Message => ({ ...message, input: null, raw_input }) as Message),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      role: fc.constant("assistant" as const),
      content: fc.constantFrom("", "Hm.", "Well, well: 🙂"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("thinking" as const), content: fc.constantFrom("", "I see.") }),
  },
  { weight: 5, arbitrary: call },
  { weight: 1, arbitrary: badCall },
);

const kinds: ErrorKind[] = ["rate_limit", "overloaded", "network", "stream_interrupted", "invalid_request", "timeout"];
const reasons = Object.keys(stopTable) as StopReason[];

const answer: fc.Arbitrary<Answer> = fc
  .record(
    {
      stop_reason: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom("tool_use" as const, "end_turn" as const) },
        { weight: 1, arbitrary: fc.constantFrom(...reasons) },
      ),
      said: fc.array(message, { maxLength: 4, size: "max" }),
      ms: fc.constantFrom(0, 0, 1, 30, 700),
      piece: fc.constantFrom(1, 3, 100),
      between: fc.constantFrom(0, 0, 2),
      interleaved: fc.boolean(),
      breaks: fc.nat(6),
      fails: fc.record(
        {
          kind: fc.constantFrom(...kinds),
          retry_after_ms: fc.constantFrom(0, 40, 100_000),
          should_retry: fc.boolean(),
        },
        { requiredKeys: ["kind"] },
      ),
      deaf: fc.boolean(),
      throws: fc.constant(true),
      uncounted: fc.boolean(),
      fault: fc.nat(9),
    },
    { requiredKeys: ["stop_reason", "said", "fault"] },
  )
  .map(likely);

/** Makes faults rarer than a coin toss would: most answers must succeed. */
function likely({ fault, breaks, fails, throws, ...answer }: Answer & { fault: number }): Answer {
  if (fault === 0 && fails) return { ...answer, fails };
  if (fault === 1 && breaks !== undefined) return { ...answer, breaks };
  if (fault === 2 && throws) return { ...answer, throws };
  return answer;
}

const everyOption = fc.record({
  max_turns: fc.constantFrom(null, 1, 2, 4),
  max_truncation_recoveries: fc.nat(2),
  max_pause_continuations: fc.nat(2),
  execute_tools: fc.constantFrom(true, true, true, false),
  scheduling: fc.constantFrom("barrier", "parallel", "serial", "reads_first"),
  max_concurrency: fc.integer({ min: 1, max: 3 }),
  tool_timeout_ms: fc.constantFrom(null, 1, 8, 100),
  cancel_grace_ms: fc.constantFrom(0, 3, 50),
  max_total_tokens: fc.constantFrom(null, 1, 40),
  max_tool_calls: fc.constantFrom(null, 1, 5),
  max_failed_turns: fc.constantFrom(null, 1, 2),
  deadline_ms: fc.constantFrom(null, 1, 60),
  on_max_tokens: fc.constantFrom("end", "continue"),
  max_continuations: fc.nat(2),
  on_empty: fc.constantFrom("end", "retry"),
  max_empty_retries: fc.nat(2),
  stop_when: fc.constantFrom([{ tool_called: "write" }], [{ same_call: 2 }, { text_contains: "Hm" }]),
  max_retries: fc.nat(2),
  max_retry_delay_ms: fc.constantFrom(100, 60_000),
  fallback_models: fc.constantFrom([], ["m2"], ["m2", "m3"]),
  permissions: fc.constantFrom(
    { mode: "bypass", rules: [{ effect: "ask", match: "look" }] },
    { mode: "bypass", rules: [{ effect: "deny", match: "write" }] },
    { rules: [{ effect: "allow", match: "re*" }] },
    { mode: "plan" },
    { mode: "dont_ask" },
  ),
  approval_batch: fc.constantFrom("atomic", "eager"),
});

/** A few options at a time: all of them together would end every run early. */
const options: fc.Arbitrary<RunOptions> = fc
  .tuple(everyOption, fc.nat(2 ** 22 - 1), fc.nat(2 ** 22 - 1))
  .map(([all, one, other]) =>
    Object.fromEntries(Object.entries(all).filter((_, i) => one & other & (1 << i))),
  ) as fc.Arbitrary<RunOptions>;

const actions = ["respond", "approve", "edit", "deny", "skip"] as const;

const act = fc.record({
  at: fc.oneof(fc.nat(30), fc.nat(200)),
  does: fc.constantFrom("cancel" as const, "cancel" as const, "stop" as const, "steer" as const),
});

/** Anything that a model, its tools, its network and a user may do to a run. */
export const randomScenario: fc.Arbitrary<Scenario> = fc
  .record(
    {
      begin: fc.constantFrom(...beginnings, ...possible, ...possible, ...possible),
      instructions: fc.constant("Be kind."),
      options,
      answers: fc.array(answer, { maxLength: 5, size: "max" }),
      acts: fc.array(act, { maxLength: 2 }),
      resumptions: fc.array(
        fc.record({
          action: fc.constantFrom(...actions),
          is_error: fc.boolean(),
          wrongFirst: fc.constantFrom(undefined, "missing" as const, "extra" as const),
        }),
        { maxLength: 3 },
      ),
      condition: fc.constantFrom({ holdsAt: 1 }, { holdsAt: 2 }, { holdsAt: 3 }, { throwsAt: 2 }, {}, {}),
      stepwise: fc.boolean(),
    },
    { requiredKeys: ["begin", "options", "answers", "acts", "resumptions", "stepwise"] },
  )
  .map((scenario) => (scenario.condition?.throwsAt === undefined ? scenario : { ...scenario, stepwise: false }));
