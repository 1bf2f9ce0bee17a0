// What a run is allowed, and what it asks of the model.

import { anyTurn, callOf, tokens } from "../draft.ts";
import type { Ingredient } from "../draft.ts";
import { act } from "./actions.ts";

const city = {
  name: "answer",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false },
} as const;
const right = '{"city": "{{city}}"}';
const wrong = '{"town": "{{city}}"}';

/** Options of the run. */
export const options: readonly Ingredient[] = [
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
    // A clock that is moved beyond both ends a wait and the run at once.
    without: ["failed attempts", "fallback", "timed out"],
    add(draft) {
      draft.options["deadline_ms"] = 1000;
      const { choose } = draft;
      for (const request of choose.some([1, 2, 3, 4], choose.from(1, 2)))
        draft.actions.push({ when: { request }, do: { advance_ms: choose.of([400, 600, 1000]) } });
      if (choose.happens(0.4)) act(draft, { advance_ms: 600 });
      // Time in which a run waits for its caller is none of its own.
      const waits = draft.actions.findIndex(({ when }) => when.suspended);
      if (waits >= 0) draft.actions.splice(waits, 0, { when: { suspended: true }, do: { advance_ms: 5000 } });
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
      // Of a subagent that was not begun because nothing was left, one loop tells that it was.
      if (!draft.features.has("subagents") && draft.choose.happens(0.7))
        draft.options["budget"] = draft.choose.of(["0.02", "0.04", "0.06", "0.1"]);
    },
  },
  {
    name: "unknown usage",
    features: [],
    without: ["budget", "token limit", "compaction"],
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
    name: "settings",
    features: ["settings"],
    add(draft) {
      for (const agent of Object.values(draft.agents))
        if (draft.choose.happens(0.6)) agent.settings = { temperature: 0.5, max_output_tokens: 100 };
    },
  },
  {
    name: "bound of calls",
    features: ["bounds"],
    generic: true,
    add: (draft) => void (draft.options["bounds"] = { calls: draft.choose.from(1, 2) }),
  },
  {
    name: "scheduling",
    features: ["scheduling"],
    add: (draft) => void (draft.options["scheduling"] = draft.choose.of(["serial", "reads_first"])),
  },
  {
    name: "dynamic instructions",
    features: ["dynamic_instructions"],
    // Another process makes them anew, and which of them its step has been asked with cannot be distinguished.
    without: ["journal"],
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
];
