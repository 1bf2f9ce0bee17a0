// Makes the model call a tool, or none.

import type { RunOptions } from "../../../schemas/types.ts";
import type { Ports, State } from "../../core/ports.ts";
import { count, counted } from "../../state/counters.ts";
import { type Plugin, type Boundary, followUp } from "../plugin.ts";

type ToolChoice = Exclude<NonNullable<RunOptions["tool_choice"]>, "auto">;

export const toolChoice: Plugin = {
  name: "tool-choice",
  options: ["tool_choice", "tool_choice_for"],
  attach({ state, options: { tool_choice = "auto" } }) {
    if (tool_choice === "auto") return;
    const { choosing, insist } = choiceOf(state, tool_choice);
    return { aroundModel: choosing, betweenTurns: { beforeEnd: insist } };
  },
};

/** The tool choice of a run: what is sent with a request, and what follows a response that violates it. */
interface Choice {
  /** Adds the choice to the requests that it applies to. */
  choosing(invokeModel: Ports["invokeModel"]): Ports["invokeModel"];
  /** Requests the missing call once more. */
  insist: Boundary;
}

/** @see LOOP-60 LOOP-61 LOOP-62 */
function choiceOf(run: State, tool_choice: ToolChoice): Choice {
  const { tool_choice_for = "first_turn" } = run.options;
  const mustCall = tool_choice !== "none";
  /** Whether the loop insisted before this turn. Turns count from 1. */
  const wasInsisted = (turn: number) => turn > 1 && counted(run, "insisted_turn") === turn - 1;
  const isFor = (turn: number) => turn === 1 || tool_choice_for === "every_turn" || wasInsisted(turn);
  return {
    choosing: (invokeModel) => (request, turn, state) =>
      invokeModel(isFor(turn) ? { ...request, tool_choice } : request, turn, state),

    insist({ ending, turn, steps }) {
      const isViolated = mustCall && isFor(turn) && steps.at(-1)?.tool_calls === 0;
      if (ending?.status !== "completed" || !isViolated) return { do: "continue" };
      const wanted = typeof tool_choice === "string" ? "a tool" : `the tool ${tool_choice.name}`;
      if (wasInsisted(turn)) {
        const message = `The model did not call ${wanted}, even after a follow-up.`;
        return { do: "end", ending: { status: "error", error: { kind: "tool_choice_violated", message } } };
      }
      count(run, "insisted_turn", turn);
      return followUp(`You have to call ${wanted} now.`);
    },
  };
}
