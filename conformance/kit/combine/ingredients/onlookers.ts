// Who looks on, and may change what happens.

import type { HookReply } from "../../../../schemas/types.ts";
import { addCall, addTool, callOf, tokens } from "../draft.ts";
import type { Ingredient } from "../draft.ts";

const object = { type: "object" as const };

/** Hooks, guardrails, and what makes a session smaller. */
export const onlookers: readonly Ingredient[] = [
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
    // What was added about a tool before a run is blocked may be said, or not.
    without: ["hook after tools"],
    add(draft) {
      const { choose } = draft;
      const point = choose.of(["before_model", "after_model", "user_input"] as const);
      // What is added after the model has answered has no use.
      const hint = point === "after_model" ? {} : { add_context: "{{hint}}" };
      const replies: HookReply[] = [{}, hint, { block: "{{why}}" }];
      (draft.given.hooks ??= []).push({ point, sequence: [choose.of([{}, hint]), choose.of(replies), {}] });
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
        sequence: [
          ...choose.some([passes[0]!, passes[1]!, passes[0]!], choose.from(0, 3)),
          choose.happens(0.6) ? trips : passes[0]!,
        ],
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
    // A call that failed is not replaced: there might be nothing to summarize, and the summary would answer a turn.
    without: ["denied", "hook before tools", "hook after tools", "dynamic tools", "guardrail"],
    add(draft) {
      const { choose } = draft;
      const strategy = choose.of(["truncate_old", "summarize"]);
      draft.options["compaction"] = { strategy, at_tokens: 5000, keep_last_turns: 1 };
      const turn = draft.turns.filter(({ parts }) => parts.some((part) => part.tool_call)).at(-1)!;
      draft.turns.unshift({ before: [], parts: [callOf(draft, "look")], behind: [] });
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
];
