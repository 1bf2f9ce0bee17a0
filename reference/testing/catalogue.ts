// One scenario for each state in which a run can be interrupted.

import type { Message } from "../../schemas/types.ts";
import type { Answer, Scenario } from "./scenario.ts";

const text = (content: string): Message => ({ role: "assistant", content });
const thinking: Message = { type: "thinking", content: "Let me see." };
const call = (name: string, id = "", input: Record<string, unknown> = {}): Message => ({
  type: "tool_call",
  id,
  name,
  input,
});
const calls = (...names: string[]): Answer => ({
  stop_reason: "tool_use",
  said: names.map((name, i) => call(name, `c${i}`, name === "strict" ? { x: 1 } : {})),
});
const say = (content: string, more: Partial<Answer> = {}): Answer => ({
  stop_reason: "end_turn",
  said: [text(content)],
  ...more,
});

const OUTPUT = call("output", "", { value: 1 });

/** A scenario with minimal defaults. */
export function scene(some: Partial<Scenario>): Scenario {
  const begin: Message[] = [{ role: "user", content: "Go." }];
  return { begin, options: {}, answers: [], acts: [], resumptions: [], stepwise: true, ...some };
}

/** The scenarios, by name. */
export const catalogue: Record<string, Scenario> = {
  "an answer that comes whole": scene({ answers: [say("Hello.", { ms: 5 })] }),
  "an answer that streams": scene({
    answers: [{ stop_reason: "end_turn", said: [thinking, text("Hello, world.")], piece: 2, between: 1 }],
  }),
  "the arguments of two calls that stream interleaved": scene({
    answers: [
      {
        stop_reason: "tool_use",
        said: [thinking, call("look", "a", { city: "Ürümqi" }), call("write", "b", { text: "x" })],
        piece: 4,
        between: 1,
        interleaved: true,
      },
    ],
  }),
  "a batch with a barrier": scene({
    answers: [calls("look", "delegate", "look", "write", "read"), say("Done so far.")],
    options: { max_concurrency: 2, deadline_ms: 10_000 },
  }),
  "a batch in parallel, with tools that tidy up, hang, and do not listen": scene({
    answers: [calls("look", "tidy", "hangs", "deaf", "write", "throws"), say("Never said.")],
    options: { scheduling: "parallel", cancel_grace_ms: 3 },
  }),
  "tools that get time to tidy up": scene({
    answers: [calls("tidy", "deaf", "tidy")],
    options: { scheduling: "parallel", cancel_grace_ms: 50, tool_timeout_ms: 200 },
  }),
  "reads before writes": scene({
    answers: [calls("write", "read", "look", "write"), say("Good.")],
    options: { scheduling: "reads_first", max_concurrency: 1 },
  }),
  "tools whose time runs out": scene({
    answers: [calls("timed", "late"), { ...calls("look", "look"), ms: 300 }, say("Late.")],
  }),
  "the wait before another try": scene({
    answers: [
      { ...say("?"), fails: { kind: "rate_limit", retry_after_ms: 40 } },
      { ...say("?"), fails: { kind: "overloaded" } },
      say("At last."),
    ],
  }),
  "a change of model": scene({
    answers: [
      { ...say("?"), fails: { kind: "overloaded" } },
      { ...say("?"), fails: { kind: "network" } },
      calls("read"),
    ],
    options: { max_retries: 0, fallback_models: ["m2", "m3"] },
  }),
  "a paused answer": scene({
    answers: [
      { stop_reason: "pause", said: [text("One, ")], ms: 2 },
      { stop_reason: "pause", said: [text("two, ")], ms: 2 },
      say("three.", { ms: 2 }),
    ],
  }),
  "a paused answer that streams": scene({
    answers: [{ stop_reason: "pause", said: [text("One, ")], piece: 2 }, say("two.", { piece: 2, between: 1 })],
  }),
  "calls that were cut off": scene({
    answers: [{ ...calls("read", "write"), stop_reason: "max_tokens" }, calls("read"), say("Again.")],
  }),
  "text that was cut off, and nothing at all": scene({
    answers: [say("Once upon", { stop_reason: "max_tokens" }), { stop_reason: "end_turn", said: [] }, say("a time.")],
    options: { on_max_tokens: "continue", on_empty: "retry" },
  }),
  "a stream that breaks among arguments": scene({
    answers: [{ stop_reason: "tool_use", said: [text("I try."), call("write", "a", { x: "y" })], piece: 3, breaks: 5 }],
  }),
  "a run that waits for its caller": scene({
    answers: [calls("look", "outside", "write"), calls("outside"), say("Thanks.")],
    resumptions: [
      { action: "respond", is_error: false, wrongFirst: undefined },
      { action: "respond", is_error: true, wrongFirst: undefined },
    ],
  }),
  "calls that need approval": scene({
    answers: [calls("look", "write", "outside", "read"), calls("write"), calls("write"), say("Thanks.")],
    options: { permissions: { mode: "bypass", rules: [{ effect: "ask", match: "write" }] } },
    resumptions: [
      { action: "approve", is_error: false, wrongFirst: undefined },
      { action: "deny", is_error: false, wrongFirst: undefined },
      { action: "edit", is_error: false, wrongFirst: undefined },
    ],
  }),
  "a batch that is executed while a call of it waits": scene({
    answers: [calls("look", "write", "outside", "read"), calls("read", "write", "look"), say("Thanks.")],
    options: { approval_batch: "eager", permissions: { mode: "bypass", rules: [{ effect: "ask", match: "write" }] } },
    resumptions: [
      { action: "approve", is_error: false, wrongFirst: undefined },
      { action: "deny", is_error: false, wrongFirst: undefined },
    ],
  }),
  "an output by a tool": scene({
    answers: [say("Here."), calls("output"), { stop_reason: "tool_use", said: [call("look"), OUTPUT, call("write")] }],
    options: { output_by: "tool", output_format: { name: "output", schema: { type: "object", required: ["value"] } } },
  }),
  "calls that cannot run, without ids or with old ones": scene({
    answers: [
      {
        stop_reason: "tool_use",
        said: [call("strict", "", { x: "1" }), call("unknown"), call("strict", "a", { x: 1 })],
      },
      { stop_reason: "tool_use", said: [call("read", "a"), call("read", "a"), call("read", "made_1")] },
    ],
  }),
  "a tool that ends the run": scene({ answers: [calls("write", "fatal", "look")] }),
  "results that are final": scene({ answers: [calls("final", "final")] }),
  "a condition that ends the run": scene({ answers: [calls("read"), calls("look")], condition: { holdsAt: 2 } }),
  "a person who speaks, and then asks to stop": scene({
    answers: [calls("look"), say("Yes?"), calls("look"), say("And so on.")],
    acts: [
      { at: 12, does: "steer" },
      { at: 60, does: "stop" },
    ],
  }),
  "a model that does not listen": scene({ answers: [say("Finally.", { ms: 700, deaf: true, piece: 3, between: 50 })] }),
};
