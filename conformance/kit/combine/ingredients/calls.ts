// Calls that go wrong, or that say more than their text.

import { addCall, addTool, callOf } from "../draft.ts";
import type { Ingredient } from "../draft.ts";

const object = { type: "object" as const };

/** Calls, each of a tool of its own. */
export const calls: readonly Ingredient[] = [
  { name: "unknown tool", features: [], add: (draft) => void addCall(draft, callOf(draft, "nothing")) },
  {
    name: "broken arguments",
    features: [],
    add(draft) {
      const part = callOf(draft, "write");
      addCall(draft, { tool_call: { id: part.tool_call.id, name: "write", raw_input: '{"to": "{{pla' } });
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
];
