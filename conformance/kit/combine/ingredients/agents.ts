// Who goes on with a run, and who answers a call in the place of a tool.

import type { ResumeDecision } from "../../../../schemas/types.ts";
import type { Choice } from "../choice.ts";
import { addCall, addTool, callOf, tokens } from "../draft.ts";
import type { Ingredient } from "../draft.ts";

const object = { type: "object" as const };

/** What a caller decides on a call that waits for it. */
function decisionOn(id: string, choose: Choice): ResumeDecision {
  return choose.of<ResumeDecision>([
    { id, action: "approve", input_hash: "$pending" },
    { id, action: "approve", input_hash: "$pending", input: { to: "{{other}}" } },
    { id, action: "deny", reason: "{{why}}" },
    { id, action: "skip" },
    { id, action: "respond", output: "{{answer}}" },
  ]);
}

/** Other agents, and calls that wait for the caller. */
export const agents: readonly Ingredient[] = [
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
    // A case has one function for the instructions of all agents, and what it was asked for a subagent cannot be distinguished.
    without: ["dynamic instructions"],
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
  {
    name: "external tool",
    features: ["external_tools"],
    add(draft) {
      addTool(draft, { name: "ask_user", input_schema: object, external: true });
      const part = callOf(draft, "ask_user");
      addCall(draft, part);
      const { id } = part.tool_call;
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
      draft.options["permissions"] = { mode: "bypass", rules: [{ effect: "ask", match: "send" }] };
      const first = callOf(draft, "send", { to: "{{friend}}" });
      const turn = addCall(draft, first);
      const decisions = [decisionOn(first.tool_call.id, choose)];
      if (choose.happens(0.4)) {
        const second = callOf(draft, "send", { to: "{{foe}}" });
        turn.parts.push(second);
        decisions.push(decisionOn(second.tool_call.id, choose));
      }
      if (choose.happens(0.4)) {
        draft.features.add("eager_batch");
        draft.options["approval_batch"] = "eager";
      }
      if (choose.happens(0.9)) draft.actions.push({ when: { suspended: true }, do: { resume: decisions } });
    },
  },
  {
    name: "denied",
    features: ["permissions"],
    without: ["approval", "approval inside"],
    add(draft) {
      const { choose, options } = draft;
      const match = choose.of(["write", "look", "w*"]);
      options["permissions"] = choose.of([
        { mode: "bypass", rules: [{ effect: "deny", match }] },
        { mode: "dont_ask", rules: [{ effect: "allow", match }] },
        { mode: "plan" },
      ]);
    },
  },
  {
    name: "approval inside",
    features: ["subagents", "permissions", "approval"],
    without: ["subagent", "external tool", "approval", "nothing is executed", "dynamic instructions", "dynamic tools"],
    add(draft) {
      const { choose } = draft;
      draft.agents["cook"] = { name: "cook", model: "model-cook", tools: [{ name: "stir", input_schema: object }] };
      draft.handlers["stir"] = { output: "{{stirred}}" };
      addTool(draft, { name: "ask_cook", input_schema: object, agent: "cook" });
      const outside = callOf(draft, "ask_cook", { prompt: "{{order}}" });
      const inside = callOf(draft, "stir");
      addCall(draft, outside);
      draft.options["permissions"] = { mode: "bypass", rules: [{ effect: "ask", match: "stir" }] };
      draft.inside.push({ agent: "cook", respond: [inside], usage: tokens(7, 3) });
      draft.inside.push({ agent: "cook", text: "{{soup}}.", usage: tokens(7, 3) });
      const about = { id: inside.tool_call.id, path: [outside.tool_call.id] };
      const decision = choose.of([
        { ...about, action: "approve" as const, input_hash: "$pending" },
        { ...about, action: "deny" as const, reason: "{{why}}" },
        { ...about, action: "skip" as const },
      ]);
      draft.actions.push({ when: { suspended: true }, do: { resume: [decision] } });
    },
  },
  {
    name: "nothing is executed",
    features: ["external_tools"],
    without: ["external tool", "approval", "subagent"],
    add(draft) {
      draft.options["execute_tools"] = false;
      for (const { parts } of draft.turns) {
        const ids = parts.flatMap(({ tool_call: call }) => call?.id ?? []);
        const resume = ids.map((id) => ({ id, action: "respond" as const, output: `{{answer}} to ${id.slice(1)}` }));
        if (ids.length > 0) draft.actions.push({ when: { suspended: true }, do: { resume } });
      }
    },
  },
];
