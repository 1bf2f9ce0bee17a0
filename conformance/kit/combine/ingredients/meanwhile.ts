// What was before a run, is done while it is under way, and comes after it.

import { workingTurn, writing } from "../draft.ts";
import type { Ingredient } from "../draft.ts";
import { act, freeMoment } from "./actions.ts";

/** What comes from outside. */
export const meanwhile: readonly Ingredient[] = [
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
    without: ["structured output", "output tool", "tool choice", "hook at the end", "journal", "nothing is executed"],
    add: (draft) => void draft.next.push("And {{more}}?"),
  },
  {
    name: "journal",
    features: ["journal"],
    // What was said to a process that has ended is said to nobody.
    without: ["steering", "stop", "cancel", "switch of model"],
    add(draft) {
      draft.given.journal = {};
      for (let more = draft.choose.of([1, 1, 2]); more > 0; more -= 1)
        draft.actions.push({ when: freeMoment(draft), do: { end_process: draft.choose.of(["before", "after"]) } });
    },
  },
  {
    name: "earlier run",
    features: [],
    add(draft) {
      const now = draft.given.messages ?? [{ role: "user", content: "{{task}}" }];
      draft.given.messages = [
        { role: "user", content: "{{before}}" },
        { type: "tool_call", id: "$past", name: "look", input: {} },
        { type: "tool_result", id: "$past", output: "{{old}}", outcome: "ok" },
        { role: "assistant", content: "{{ended}}." },
        ...now,
      ];
    },
  },
  {
    name: "system message",
    features: [],
    add(draft) {
      const before = draft.given.messages ?? [{ role: "user", content: "{{task}}" }];
      draft.given.messages = [{ role: "system", content: "It is {{day}}." }, ...before];
    },
  },
  {
    name: "run beside",
    features: ["runs_at_once"],
    without: ["journal"],
    add: (draft) => void draft.actions.push({ when: { request: 1 }, do: { run_beside: "And {{beside}}?" } }),
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
