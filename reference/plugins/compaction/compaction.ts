// Compaction: when the session has grown too large, something smaller takes the place of a part of it.

import type { ModelResponse } from "../../../schemas/types.ts";
import { priced } from "../../state/costs.ts";
import type { Plugin } from "../plugin.ts";
import { compactBetweenTurns, unknownStrategy } from "./compact.ts";
import { contextMeter } from "./estimate-tokens.ts";
import type { CompactionStrategy } from "./strategy.ts";
import { askForText } from "./summary-call.ts";

export interface CompactionSetup {
  /** Strategies of your own for `options.compaction`, beside truncate_old and summarize. @see COMPACT-20 */
  compactWith?: CompactionStrategy[];
}

/** Stands innermost: between two turns it acts when nobody has anything to say any more, and it sees each request as it is sent. */
export const compaction: Plugin<CompactionSetup> = {
  name: "compaction",
  options: ["compaction"],
  setup: ["compactWith"],
  attach(run) {
    const { compaction, prices } = run.options;
    if (!compaction) return;
    const { setup, state, provider, declared, request, ask: askHooks, emit, signal } = run;
    const { compactWith: strategies = [] } = setup;
    const refuses = unknownStrategy(compaction, strategies);
    state.compactions ??= []; // shared by every state of the run
    const meter = contextMeter();
    const price = ({ model, usage, attempts }: ModelResponse, asked = provider.model) => ({
      ...(attempts && {
        attempts: attempts.map((attempt) =>
          prices && attempt.usage
            ? { ...attempt, cost: priced(prices, [attempt.model, asked], attempt.usage) }
            : attempt,
        ),
      }),
      ...(prices && { cost: priced(prices, [model, asked], usage) }),
    });
    const ask = askForText({ invokeModel: request, agents: declared, price, emit, signal });
    return {
      refuses,
      aroundModel: meter.noting,
      aroundRequest: (next, aside) => (aside ? next : meter.hearing(next)),
      betweenTurns: {
        beforeTurn: compactBetweenTurns(compaction, { strategies, agents: declared, ask, askHooks, emit, signal }),
      },
    };
  },
};
