// Compaction: when the session has grown too large, a part of it is replaced by something smaller.

import type { ModelResponse } from "../../../schemas/types.ts";
import { priced, pricedAnswer } from "../../state/costs.ts";
import type { Plugin } from "../plugin.ts";
import { compactBetweenTurns, wrongStrategy } from "./compact.ts";
import { contextMeter } from "./estimate-tokens.ts";
import type { CompactionStrategy } from "./strategy.ts";
import { askForText } from "./summary-call.ts";

export interface CompactionSetup {
  /** Your strategies for `options.compaction`, in addition to truncate_old and summarize. @see COMPACT-20 */
  compactWith?: CompactionStrategy[];
}

/** Innermost: between two turns it acts after every other plug-in, and it sees each request as it is sent. */
export const compaction: Plugin<CompactionSetup> = {
  name: "compaction",
  options: ["compaction"],
  setup: ["compactWith"],
  attach(run) {
    const { compaction, prices } = run.options;
    if (!compaction) return;
    const { setup, state, provider, declared, request, ask: askHooks, emit, signal } = run;
    const { compactWith: strategies = [] } = setup;
    const refuses = wrongStrategy(compaction, strategies);
    state.compactions ??= []; // shared by every state of the run
    const meter = contextMeter();
    const price = ({ attempts, ...answer }: ModelResponse, requested = provider.model) => ({
      ...(attempts && {
        attempts: attempts.map((attempt) =>
          prices && attempt.usage
            ? { ...attempt, cost: priced(prices, [attempt.model, requested], attempt.usage) }
            : attempt,
        ),
      }),
      ...(prices && { cost: pricedAnswer(prices, [answer.model, requested], answer) }),
    });
    const ask = askForText({ invokeModel: request, agents: declared, price, emit, signal });
    return {
      refuses,
      aroundModel: meter.aroundModel,
      aroundRequest: (next, aside) => (aside ? next : meter.aroundRequest(next)),
      betweenTurns: {
        beforeTurn: compactBetweenTurns(compaction, { strategies, agents: declared, ask, askHooks, emit, signal }),
      },
    };
  },
};
