// What may meet in a run: each ingredient lays one feature, or one thing that goes wrong, upon the turns of a draft.

import type { ErrorKind, HookReply, StopReason } from "../../../schemas/types.ts";
import { addCall, addTool, anyTurn, callOf, tokens, workingTurn, writing } from "./draft.ts";
import type { Draft } from "./draft.ts";

/** Something that a run may have. */
export interface Ingredient {
  name: string;
  /** What an implementation must declare to be asked for it. */
  features: readonly string[];
  /** Ingredients that say nothing beside it. */
  without?: readonly string[];
  add(draft: Draft): void;
}

const object = { type: "object" as const };
const city = {
  name: "answer",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false },
} as const;
const right = '{"city": "{{city}}"}';
const wrong = '{"town": "{{city}}"}';

/** All of them. What looks at every call stands behind what adds calls. */
export const ingredients: readonly Ingredient[] = [
  // Calls that go wrong
  { name: "unknown tool", features: [], add: (draft) => void addCall(draft, callOf(draft, "nothing")) },
  {
    name: "broken arguments",
    features: [],
    add(draft) {
      const part = callOf(draft, "write");
      addCall(draft, { tool_call: { id: part.tool_call!.id, name: "write", raw_input: '{"to": "{{pla' } });
    },
  },
  { name: "invalid arguments", features: [], add: (draft) => void addCall(draft, callOf(draft, "write", { to: 5 })) },
  {
    name: "tool throws",
    features: [],
    add(draft) {
      addTool(draft, { name: "fail", input_schema: object }, { throw: "no {{luck}}" });
      for (let more = draft.choose.from(1, 2); more > 0; more -= 1) addCall(draft, callOf(draft, "fail"));
    },
  },
  {
    name: "fatal error",
    features: [],
    add(draft) {
      addTool(draft, { name: "break", input_schema: object }, { throw: "the {{key}} broke", fatal: true });
      addCall(draft, callOf(draft, "break"));
    },
  },
  {
    name: "tool says error",
    features: [],
    add(draft) {
      addTool(draft, { name: "refuse", input_schema: object }, { output: "not {{now}}", is_error: true });
      addCall(draft, callOf(draft, "refuse"));
    },
  },
  {
    name: "tool data",
    features: ["tool_data"],
    add(draft) {
      addTool(draft, { name: "measure", input_schema: object }, { returns: { degrees: 18 } });
      addCall(draft, callOf(draft, "measure"));
    },
  },
  {
    name: "tool progress",
    features: ["tool_progress"],
    add(draft) {
      addTool(draft, { name: "dig", input_schema: object }, { progress: [1, { of: 2 }], output: "{{dug}}" });
      addCall(draft, callOf(draft, "dig"));
    },
  },
  {
    name: "final result",
    features: ["final_results"],
    add(draft) {
      addTool(draft, { name: "submit", input_schema: object }, { output: "{{receipt}}", final: true });
      addCall(draft, callOf(draft, "submit"));
    },
  },
  {
    name: "timed out",
    features: ["timeouts", "clock.virtual"],
    add(draft) {
      addTool(draft, { name: "slow", input_schema: object, timeout_ms: 700 }, { output: "never", hold: "never" });
      addCall(draft, callOf(draft, "slow"));
      draft.actions.push({ when: { tool_start: "slow" }, do: { advance_ms: 700 } });
    },
  },
  {
    name: "context",
    features: ["context"],
    add(draft) {
      draft.given.context = { count: 0, place: "{{here}}" };
      addTool(draft, { name: "note", input_schema: object }, { output: "{{noted}}", context_updates: { count: 1 } });
      addTool(draft, { name: "move", input_schema: object }, { output: "ok", context_updates: { place: null } });
      addCall(draft, callOf(draft, "note"));
      if (draft.choose.happens(0.5)) addCall(draft, callOf(draft, "move"));
    },
  },
  // Who goes on
  {
    name: "handoff",
    features: ["handoff"],
    add(draft) {
      draft.agents["second"] = {
        name: "second",
        instructions: "You are {{second}}.",
        model: draft.choose.of(["model-one", "model-two"]),
      };
      addTool(draft, { name: "hand_over", input_schema: object }, { output: "over", handoff: "second" });
      addCall(draft, callOf(draft, "hand_over"));
    },
  },
  {
    name: "handoff to nobody",
    features: ["handoff"],
    add(draft) {
      addTool(draft, { name: "leave", input_schema: object }, { output: "left", handoff: null });
      addCall(draft, callOf(draft, "leave"));
    },
  },
  {
    name: "subagent",
    features: ["subagents"],
    add(draft) {
      const { choose, inside } = draft;
      draft.agents["cook"] = {
        name: "cook",
        instructions: "You cook.",
        model: "model-cook",
        tools: [
          { name: "stir", input_schema: object },
          { name: "taste", input_schema: object },
        ],
      };
      draft.handlers["stir"] = choose.of([{ output: "{{stirred}}" }, { throw: "no {{spoon}}" }]);
      draft.handlers["taste"] = { output: "{{tasted}}" };
      addTool(draft, { name: "ask_cook", input_schema: object, agent: "cook" });
      addCall(draft, callOf(draft, "ask_cook", { prompt: "{{order}}" }));
      const agent = "cook";
      if (choose.happens(0.2)) inside.push({ agent, fault: { kind: "invalid_request", message: "{{trouble}}" } });
      if (choose.happens(0.7))
        inside.push({
          agent,
          respond: [
            callOf(draft, choose.of(["stir", "taste", "nothing"])),
            ...(choose.happens(0.3) ? [callOf(draft, "taste")] : []),
          ],
          usage: tokens(7, 3),
        });
      inside.push({ agent, text: "{{soup}}.", usage: tokens(7, 3) });
      inside.push({ agent, text: "{{stew}}.", usage: tokens(7, 3) }, { agent, text: "{{pie}}.", usage: tokens(7, 3) });
    },
  },
  // Who waits for the caller
  {
    name: "external tool",
    features: ["external_tools"],
    add(draft) {
      addTool(draft, { name: "ask_user", input_schema: object, external: true });
      const part = callOf(draft, "ask_user");
      addCall(draft, part);
      const { id } = part.tool_call!;
      const decision = draft.choose.of([
        { id, action: "respond" as const, output: "{{answer}}" },
        { id, action: "respond" as const, output: "no {{answer}}", is_error: true },
        { id, action: "skip" as const },
        { id, action: "deny" as const, reason: "{{why}}" },
      ]);
      if (draft.choose.happens(0.85)) draft.actions.push({ when: { suspended: true }, do: { resume: [decision] } });
    },
  },
  {
    name: "approval",
    features: ["permissions", "approval"],
    without: ["external tool"],
    add(draft) {
      const { choose } = draft;
      addTool(draft, { name: "send", input_schema: object }, { output: "{{sent}}" });
      const part = callOf(draft, "send", { to: "{{friend}}" });
      addCall(draft, part);
      draft.options["permissions"] = { mode: "bypass", rules: [{ effect: "ask", match: "send" }] };
      const { id } = part.tool_call!;
      const decision = choose.of([
        { id, action: "approve" as const, input_hash: "$pending" },
        { id, action: "approve" as const, input_hash: "$pending", input: { to: "{{other}}" } },
        { id, action: "deny" as const, reason: "{{why}}" },
        { id, action: "skip" as const },
        { id, action: "respond" as const, output: "{{answer}}" },
      ]);
      if (choose.happens(0.3)) {
        draft.features.add("eager_batch");
        draft.options["approval_batch"] = "eager";
      }
      if (choose.happens(0.9)) draft.actions.push({ when: { suspended: true }, do: { resume: [decision] } });
    },
  },
  {
    name: "denied",
    features: ["permissions"],
    without: ["approval"],
    add(draft) {
      draft.options["permissions"] = {
        mode: "bypass",
        rules: [{ effect: "deny", match: draft.choose.of(["write", "look", "w*"]) }],
      };
    },
  },
  // How a response ends
  {
    name: "cut response",
    features: [],
    add: (draft) => void (anyTurn(draft).stopReason = "max_tokens"),
  },
  {
    name: "continued text",
    features: ["continuation"],
    add(draft) {
      draft.options["on_max_tokens"] = "continue";
      const turn = anyTurn(draft);
      for (let piece = draft.choose.from(1, 4); piece > 0; piece -= 1)
        turn.before.push({
          respond: [{ text: `{{piece}} ${piece} ` }],
          stop_reason: "max_tokens",
          usage: tokens(10, 5),
        });
    },
  },
  {
    name: "empty response",
    features: ["continuation"],
    add(draft) {
      if (draft.choose.happens(0.7)) draft.options["on_empty"] = "retry";
      const turn = anyTurn(draft);
      for (let more = draft.choose.from(1, 2); more > 0; more -= 1)
        turn.before.push({ respond: [], usage: tokens(10, 0) });
    },
  },
  {
    name: "thinking alone",
    features: [],
    add: (draft) => void anyTurn(draft).before.push({ respond: [{ thinking: "{{thought}}" }], usage: tokens(10, 4) }),
  },
  {
    name: "odd ending",
    features: [],
    add(draft) {
      const reasons: StopReason[] = [
        "refusal",
        "content_filter",
        "stop_sequence",
        "end_turn",
        "tool_use",
        "context_window_exceeded",
      ];
      anyTurn(draft).stopReason = draft.choose.of(reasons);
    },
  },
  {
    name: "pause",
    features: ["pause"],
    add(draft) {
      const { choose } = draft;
      const turn = anyTurn(draft);
      if (choose.happens(0.3)) draft.options["max_pause_continuations"] = 1;
      for (let more = choose.from(1, 2); more > 0; more -= 1)
        turn.before.push({ respond: [{ text: `{{part}} ${more} ` }], stop_reason: "pause", usage: tokens(10, 5) });
    },
  },
  // What fails
  {
    name: "failed attempts",
    features: ["retry"],
    add(draft) {
      const { choose } = draft;
      const kinds: ErrorKind[] = ["overloaded", "rate_limit", "server_error", "network", "timeout"];
      const turn = anyTurn(draft);
      if (choose.happens(0.4)) draft.options["max_retries"] = choose.from(0, 1);
      for (let more = choose.from(1, 3); more > 0; more -= 1)
        turn.before.push({
          fault: {
            kind: choose.of(kinds),
            message: "{{trouble}}",
            ...(choose.happens(0.3) && { retry_after_ms: choose.of([0, 500, 70_000]) }),
          },
        });
      letRetriesPass(draft);
    },
  },
  {
    name: "failure for good",
    features: [],
    add(draft) {
      const kinds: ErrorKind[] = ["invalid_request", "authentication", "permission", "not_found", "quota"];
      anyTurn(draft).before.push({ fault: { kind: draft.choose.of(kinds), message: "{{trouble}}" } });
    },
  },
  {
    name: "lost in the middle",
    features: [],
    add(draft) {
      const turn = anyTurn(draft);
      const said = turn.parts.slice(0, draft.choose.from(1, turn.parts.length));
      turn.before.push({
        fault: {
          kind: draft.choose.of(["network", "overloaded", "stream_interrupted"] as ErrorKind[]),
          message: "{{trouble}}",
          after: said.map((part) =>
            part.tool_call ? callOf(draft, part.tool_call.name, part.tool_call.input ?? {}) : part,
          ),
        },
      });
    },
  },
  {
    name: "fallback",
    features: ["fallback"],
    add(draft) {
      draft.options["fallback_models"] = draft.choose.of([["model-b"], ["model-b", "model-c"]]);
      draft.options["max_retries"] = draft.choose.from(0, 1);
      const turn = anyTurn(draft);
      for (let more = draft.choose.from(1, 3); more > 0; more -= 1)
        turn.before.push({ fault: { kind: "overloaded", message: "{{trouble}}" } });
      letRetriesPass(draft);
    },
  },
  // What is counted
  { name: "turn limit", features: [], add: (draft) => void (draft.options["max_turns"] = draft.choose.from(1, 3)) },
  {
    name: "call limit",
    features: ["limits"],
    add: (draft) => void (draft.options["max_tool_calls"] = draft.choose.from(1, 4)),
  },
  {
    name: "failure limit",
    features: ["limits"],
    add: (draft) => void (draft.options["max_failed_turns"] = draft.choose.from(1, 2)),
  },
  {
    name: "token limit",
    features: ["limits"],
    add: (draft) => void (draft.options["max_total_tokens"] = draft.choose.of([15, 16, 30, 40, 45, 60])),
  },
  {
    name: "deadline",
    features: ["limits", "clock.virtual"],
    add(draft) {
      draft.options["deadline_ms"] = 1000;
      const { choose } = draft;
      for (const request of choose.some([1, 2, 3, 4], choose.from(1, 2)))
        draft.actions.push({ when: { request }, do: { advance_ms: choose.of([400, 600, 1000]) } });
      if (choose.happens(0.4)) act(draft, { advance_ms: 600 });
    },
  },
  {
    name: "budget",
    features: ["budget"],
    add(draft) {
      const price = { input: "1000", output: "2000" };
      const models = Object.fromEntries(
        ["model-one", "model-two", "model-b", "model-c", "model-cook", "model-s"].map((name, at) => [
          name,
          at % 2 === 0 ? price : { input: "10000", output: "20000" },
        ]),
      );
      draft.options["prices"] = { currency: "USD", models };
      if (draft.choose.happens(0.7)) draft.options["budget"] = draft.choose.of(["0.02", "0.04", "0.06", "0.1"]);
    },
  },
  {
    name: "unknown usage",
    features: [],
    without: ["budget", "token limit"],
    add: (draft) => void (anyTurn(draft).usage = tokens(null, null)),
  },
  {
    name: "stop condition",
    features: ["stop_conditions"],
    add(draft) {
      draft.options["stop_when"] = draft.choose.of([
        [{ tool_called: "look" }],
        [{ tool_called: "write", name: "wrote" }],
        [{ text_contains: "Step" }],
        [{ same_call: 2 }],
        [{ no_progress: 1 }],
        [{ no_progress: 2 }, { tool_called: "nothing" }],
      ]);
    },
  },
  // What is asked of the model
  {
    name: "tool choice",
    features: ["tool_choice"],
    add(draft) {
      draft.options["tool_choice"] = draft.choose.of(["required", "none", { name: "look" }]);
      if (draft.choose.happens(0.5)) draft.options["tool_choice_for"] = "every_turn";
    },
  },
  {
    name: "structured output",
    features: ["structured_output"],
    add(draft) {
      draft.options["output_format"] = city;
      const last = draft.turns.at(-1)!;
      last.parts = [{ text: right }];
      for (let more = draft.choose.from(0, 3); more > 0; more -= 1)
        last.before.push({
          text: draft.choose.of([wrong, "{{talk}}", `\`\`\`json\n${right}\n\`\`\``]),
          usage: tokens(10, 5),
        });
    },
  },
  {
    name: "output tool",
    features: ["output_tool", "structured_output"],
    without: ["structured output"],
    add(draft) {
      draft.options["output_format"] = city;
      draft.options["output_by"] = "tool";
      const last = draft.turns.at(-1)!;
      last.parts = [callOf(draft, "answer", { city: "{{city}}" })];
      if (draft.choose.happens(0.3)) last.parts.unshift(callOf(draft, "look"));
      for (let more = draft.choose.from(0, 2); more > 0; more -= 1)
        last.before.push({ respond: [callOf(draft, "answer", { town: "{{city}}" })], usage: tokens(10, 5) });
    },
  },
  {
    name: "scheduling",
    features: ["scheduling"],
    add: (draft) => void (draft.options["scheduling"] = draft.choose.of(["serial", "reads_first"])),
  },
  {
    name: "dynamic instructions",
    features: ["dynamic_instructions"],
    add(draft) {
      draft.given.dynamic_instructions = draft.choose.of([
        {
          sequence: ["{{one}}", "{{two}}", "", "{{four}}", "{{five}}", "{{six}}", "{{seven}}", "{{eight}}", "{{nine}}"],
        },
        { sequence: ["{{one}}", "{{two}}"], throw: "no {{words}}" },
      ]);
    },
  },
  {
    name: "dynamic tools",
    features: ["dynamic_tools"],
    without: ["subagent"],
    add(draft) {
      const all = draft.tools.map(({ name }) => name);
      const sequence = Array.from({ length: 10 }, () => draft.choose.some(all, draft.choose.from(1, all.length)));
      sequence[0] = all;
      draft.given.dynamic_tools = { sequence };
    },
  },
  // Who looks on
  {
    name: "hook before tools",
    features: ["hooks"],
    add(draft) {
      const replies: HookReply[] = [
        {},
        { block: "{{why}}" },
        { skip: true },
        { input: { to: "{{elsewhere}}" } },
        { output: "{{instead}}" },
      ];
      (draft.given.hooks ??= []).push({
        point: "before_tool",
        ...(draft.choose.happens(0.5) && { tool: draft.choose.of(["look", "write", "send", "w*"]) }),
        sequence: [draft.choose.of(replies), draft.choose.of(replies)],
      });
    },
  },
  {
    name: "hook after tools",
    features: ["hooks"],
    add(draft) {
      const { choose } = draft;
      const replies: HookReply[] = [
        {},
        { output: "{{replaced}}" },
        { add_context: "{{hint}}" },
        { output: "{{worse}}", is_error: true },
      ];
      for (const point of choose.some(["after_tool", "tool_failure"] as const, choose.from(1, 2)))
        (draft.given.hooks ??= []).push({ point, reply: choose.of(replies) });
    },
  },
  {
    name: "hook of the model",
    features: ["hooks"],
    add(draft) {
      const { choose } = draft;
      const point = choose.of(["before_model", "after_model", "user_input"] as const);
      const replies: HookReply[] = [{}, { add_context: "{{hint}}" }, { block: "{{why}}" }];
      (draft.given.hooks ??= []).push({
        point,
        sequence: [choose.of([{}, { add_context: "{{first}}" }]), choose.of(replies), {}],
      });
    },
  },
  {
    name: "hook at the end",
    features: ["hooks"],
    add(draft) {
      const { choose } = draft;
      (draft.given.hooks ??= []).push({ point: "stop", sequence: [choose.of([{ block: "{{go}} on" }, {}]), {}] });
      if (choose.happens(0.5)) draft.options["max_stop_blocks"] = choose.from(0, 2);
      draft.given.hooks.push({ point: "run_end", reply: {} }, { point: "turn_end", reply: {} });
    },
  },
  {
    name: "guardrail",
    features: ["guardrails"],
    add(draft) {
      const { choose } = draft;
      const points = ["input", "model_output", "tool_input", "tool_output", "final_output"] as const;
      const passes = [{ trip: false }, { trip: false, reason: "{{doubt}}", severity: "low" as const }];
      const trips = { trip: true, reason: "{{reason}}", severity: "high" as const };
      (draft.given.guardrails ??= []).push({
        name: "watch",
        points: choose.some(points, choose.from(1, 3)),
        sequence: [choose.of(passes), choose.of(passes), choose.happens(0.6) ? trips : passes[0]!],
      });
      if (choose.happens(0.3))
        draft.given.guardrails.push({
          name: "second_watch",
          points: choose.some(points, 2),
          finding: choose.of(passes),
        });
    },
  },
  {
    name: "compaction",
    features: ["compaction"],
    add(draft) {
      const { choose } = draft;
      const strategy = choose.of(["truncate_old", "summarize"]);
      draft.options["compaction"] = { strategy, at_tokens: 5000, keep_last_turns: 1 };
      const turn = draft.turns.filter(({ parts }) => parts.some((part) => part.tool_call)).at(-1)!;
      if (turn === draft.turns[0]) draft.turns.unshift({ before: [], parts: [callOf(draft, "look")], behind: [] });
      turn.usage = tokens(6000, 10);
      if (strategy === "summarize")
        turn.behind.push(
          choose.of([
            { text: "{{summary}}.", summary: true, usage: tokens(20, 5) },
            { fault: { kind: "invalid_request", message: "{{trouble}}" }, summary: true },
            { respond: [], summary: true, usage: tokens(20, 0) },
          ]),
        );
    },
  },
  {
    name: "large result",
    features: ["compaction"],
    without: ["compaction"],
    add(draft) {
      draft.options["compaction"] = { max_result_chars: 200 };
      addTool(draft, { name: "read", input_schema: object }, { output: `{{long}} ${"words and words ".repeat(30)}` });
      addCall(draft, callOf(draft, "read"));
    },
  },
  // What somebody does meanwhile
  {
    name: "steering",
    features: ["steering"],
    add(draft) {
      const { choose } = draft;
      for (let more = choose.from(1, 2); more > 0; more -= 1) act(draft, { steer: `But {{wish}} ${more}.` });
    },
  },
  {
    name: "switch of model",
    features: ["switch_model"],
    add: (draft) => act(draft, { switch_model: draft.choose.of(["model-s", "model-two"]) }),
  },
  { name: "stop", features: ["stop"], add: (draft) => act(draft, "stop") },
  { name: "cancel", features: ["cancel"], add: (draft) => act(draft, "cancel") },
  {
    name: "next message",
    features: ["next_message"],
    // The next message is answered with one text, which these do not take for the end.
    without: ["structured output", "output tool", "tool choice", "hook at the end", "journal"],
    add: (draft) => void draft.next.push("And {{more}}?"),
  },
  {
    name: "journal",
    features: ["journal"],
    add(draft) {
      draft.given.journal = {};
      draft.actions.push({ when: moment(draft), do: { end_process: draft.choose.of(["before", "after"]) } });
    },
  },
  // Who was there before
  {
    name: "earlier run",
    features: [],
    add(draft) {
      draft.given.messages = [
        { role: "user", content: "{{before}}" },
        { type: "tool_call", id: "$past", name: "look", input: {} },
        { type: "tool_result", id: "$past", output: "{{old}}", outcome: "ok" },
        { role: "assistant", content: "{{ended}}." },
        { role: "user", content: "{{task}}" },
      ];
    },
  },
  {
    name: "thinking",
    features: [],
    add(draft) {
      for (const turn of draft.turns) if (draft.choose.happens(0.7)) turn.parts.unshift({ thinking: "{{thought}}" });
    },
  },
  {
    name: "more writing",
    features: [],
    add(draft) {
      const turn = workingTurn(draft);
      turn.parts.push(writing(draft));
    },
  },
];

/** Moves the clock on wherever the loop waits before it tries again. */
function letRetriesPass(draft: Draft): void {
  for (const feature of ["retry", "clock.virtual"]) draft.features.add(feature);
  if (draft.actions.some(({ when }) => when.retry)) return;
  for (let retry = 1; retry <= 6; retry += 1) draft.actions.push({ when: { retry }, do: { advance_ms: 10_000 } });
}

/**
 * Does something at a moment of the run that comes before all that follows it: while a request waits for its answer, or
 * while a tool is held.
 */
function act(draft: Draft, something: Draft["actions"][number]["do"]): void {
  const { choose, handlers, actions } = draft;
  const tools = Object.keys(handlers).filter((name) => !handlers[name]!.hold && !handlers[name]!.throw);
  if (choose.happens(0.6)) return void actions.push({ when: { request: choose.from(1, 3) }, do: something });
  const tool = choose.of(tools);
  handlers[tool] = { ...handlers[tool]!, hold: `held_${tool}` };
  actions.push({ when: { tool_start: tool }, do: something });
  if (something !== "cancel") actions.push({ when: { tool_start: tool }, do: { release: `held_${tool}` } });
}

/** A moment at which a process can be ended. */
function moment(draft: Draft): Draft["actions"][number]["when"] {
  const { choose, handlers } = draft;
  return choose.of([{ request: choose.from(1, 3) }, { tool_start: choose.of(Object.keys(handlers)) }]);
}
