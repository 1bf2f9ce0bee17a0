// Instructions that are created for each turn.

import type { Answer, Ports } from "../../core/ports.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import type { AgentWithTools } from "../../tools/agents.ts";
import { turnInfo } from "../../tools/turn-info.ts";
import type { Plugin } from "../plugin.ts";

export const dynamicInstructions: Plugin = {
  name: "dynamic-instructions",
  attach({ agents: { given }, signal }) {
    if (Object.values(given).some(({ instructions }) => typeof instructions === "function"))
      return { aroundModel: (next) => makeInstructions(next, given, signal) };
  },
};

/**
 * Prepends the instructions from the active agent's function to each request, and notes them in the step.
 * @see LOOP-74 LOOP-76 LOOP-77
 */
function makeInstructions(
  invokeModel: Ports["invokeModel"],
  agents: Record<string, AgentWithTools>,
  signal: AbortSignal,
): Ports["invokeModel"] {
  return async (request, turn, state) => {
    const { instructions } = agents[state.agent]!;
    if (typeof instructions !== "function") return invokeModel(request, turn, state);
    const info = turnInfo(state, turn);
    const made = await orCancelled(async () => textOf(await instructions(info)), signal);
    if (typeof made !== "string") return made;
    const messages = made === "" ? request.messages : [{ role: "system" as const, content: made }, ...request.messages];
    const { notes, ...answer } = await invokeModel({ ...request, messages }, turn, state);
    return { ...answer, notes: { ...notes, system: made } };
  };
}

/** The instructions, or, if the run is cancelled or the function fails, a response that ends the run. */
async function orCancelled(make: () => Promise<string>, signal: AbortSignal): Promise<string | Answer> {
  if (signal.aborted) return CANCELLED;
  try {
    return await raceAbort<string | Answer>(make(), signal, () => CANCELLED);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The function that makes the instructions failed: ${why}`;
    return { messages: [], stop_reason: "error", error: { kind: "configuration", message } };
  }
}

const CANCELLED: Answer = { messages: [], stop_reason: "interrupted" };

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error(`expected a string, got ${JSON.stringify(value)}`);
}
