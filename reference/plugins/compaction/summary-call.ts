// Asks the model of a run for a text outside of its turns, and notes what that cost.

import type { InvokeModel, Ports, State } from "../../core/ports.ts";
import { isText } from "../../core/session.ts";
import { UNKNOWN } from "../../core/usage.ts";
import { sumOf } from "../../support/money.ts";
import { tookNothing } from "../../state/costs.ts";
import { addUsage } from "../../state/run-result.ts";
import type { Agent, CompactionReport, Message, ModelResponse, RunOptions } from "../../../schemas/types.ts";

/** What was billed of the model, as the report of the run has it. */
export type Asked = Pick<CompactionReport, "model" | "usage" | "cost" | "attempts">;

/** What the call needs of the run. */
export interface Asking {
  /** The provider, with retries. */
  invokeModel: InvokeModel;
  /** As the model sees them. */
  agents(): Record<string, Agent>;
  /** The cost of a response and of the attempts before it, if the run has prices. */
  price(answer: ModelResponse, requested: string | undefined): Pick<Asked, "cost" | "attempts">;
  emit: Ports["emit"];
  signal: AbortSignal;
}

/**
 * Requests a text: without tools, without a stream, from the model of the next turn. Adds usage and cost to `billed`.
 * @see COMPACT-16 COMPACT-17
 */
export function askForText({ invokeModel, agents, price, emit, signal }: Asking) {
  return async (messages: Message[], state: State, billed: Asked): Promise<string> => {
    const model = modelNow(state, agents());
    const request = { messages, tools: [], ...(model !== undefined && { model }) };
    const answer = await invokeModel(request, {
      signal,
      onStream: () => {},
      warn: (code, message) => emit({ type: "warning", turn: state.turn, code, message }),
    });
    const { usage = UNKNOWN, error, stop_reason } = answer;
    const { cost, attempts = [] } = price(answer, model);
    if (answer.model !== undefined) billed.model = answer.model;
    if (!tookNothing(answer)) billed.usage = billed.usage ? addUsage(billed.usage, usage) : usage;
    if (attempts.length > 0) billed.attempts = [...(billed.attempts ?? []), ...attempts];
    if (cost !== undefined) billed.cost = billed.cost === undefined ? cost : sumOf([billed.cost, cost]);
    if (error) throw new Error(`the model call failed: ${error.message}`);
    if (stop_reason !== "end_turn") throw new Error(`the model stopped for ${stop_reason} before its text was whole`);
    const text = answer.messages.map((message) => (isText(message) ? message.content : "")).join("");
    if (text.trim() === "") throw new Error("the model answered without a text");
    return text;
  };
}

/** The model of the next turn: that of the agent, the one switched to, or the one fallen back to. */
function modelNow({ agent, model, options, counters }: State, agents: Record<string, Agent>): string | undefined {
  const { fallback_models = [] }: RunOptions = options;
  return fallback_models[(counters?.["fallbacks"] ?? 0) - 1] ?? model ?? agents[agent]?.model;
}
