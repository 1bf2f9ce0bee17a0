// Continues a paused response until it ends.

import { isType } from "../../core/session.ts";
import { UNKNOWN } from "../../core/usage.ts";
import { addUsage } from "../../state/run-result.ts";
import type { InvokeModel, ModelCall } from "../../core/ports.ts";
import type { FailedAttempt, Message } from "../../../schemas/types.ts";
import type { Plugin } from "../plugin.ts";

export const pausedResponses: Plugin = {
  name: "paused-responses",
  options: ["max_pause_continuations"],
  attach: ({ options: { max_pause_continuations = 10 } }) => ({
    aroundRequest: (next, aside) => (aside ? next : continuePaused(next, max_pause_continuations)),
  }),
};

/**
 * Sends a paused response back unchanged, and appends what follows: one response, one turn.
 * A response that pauses more than `max` times keeps the stop reason `pause`.
 * @see LOOP-30 LOOP-31 LOOP-32
 */
export function continuePaused(invokeModel: InvokeModel, max: number): InvokeModel {
  return async (request, call) => {
    const received: Message[] = [];
    const attempts: FailedAttempt[] = [];
    let usage = UNKNOWN;
    let streamed = 0; // the stream indexes of a segment continue those of the previous one
    for (let continuations = 0; ; continuations += 1) {
      const messages = received.length > 0 ? [...request.messages, ...received] : request.messages;
      const first = streamed;
      const onStream: ModelCall["onStream"] = (event) => {
        const index = first + event.index;
        streamed = Math.max(streamed, index + 1);
        call.onStream({ ...event, index });
      };
      const segment = await invokeModel({ ...request, messages }, { ...call, onStream });
      received.push(...segment.messages);
      attempts.push(...(segment.attempts ?? []));
      usage = addUsage(usage, segment.usage ?? UNKNOWN);
      const whole = { ...segment, messages: received, usage, ...(attempts.length > 0 && { attempts }) };
      if (segment.stop_reason === "pause" && segment.messages.some((message) => isType(message, "tool_call"))) {
        return { ...whole, stop_reason: "tool_use" }; // the tool results continue it [LOOP-55]
      }
      if (segment.stop_reason !== "pause" || continuations >= max || call.signal.aborted) {
        return whole;
      }
    }
  };
}
