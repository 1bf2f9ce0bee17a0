// Compaction, as what plugs into the points of a run.

import type { RunSetup } from "../../run/run.ts";
import type { Boundary } from "../turns/steering.ts";
import { priced } from "../model/budget.ts";
import { realClock } from "../../support/clock.ts";
import type { Ports, State } from "../../core/ports.ts";
import { keepWhatWasHeard } from "../model/partial-response.ts";
import type { Ask } from "../hooks/ask-hooks.ts";
import { tryAgain } from "../model/retry.ts";
import { failWhenSilent } from "../model/idle-timeout.ts";
import type { Agent, LoopError, ModelResponse } from "../../../schemas/types.ts";
import { compactBetweenTurns, unknownStrategy } from "./compact.ts";
import { contextMeter } from "./estimate-tokens.ts";
import { askForText } from "./summary-call.ts";

export interface CompactionPoints {
  /** Between two turns, when nobody has anything to say any more. */
  opener: Boundary | undefined;
  /** The setup with a provider that is listened to. */
  heard: RunSetup;
  /** @see COMPACT-3 */
  aroundModel(invokeModel: Ports["invokeModel"]): Ports["invokeModel"];
  /** Why the run cannot be compacted as its options say. @see COMPACT-23 */
  problem: LoopError | undefined;
}

/** A run without the option is left alone. */
export function compactionPoints(
  state: State,
  setup: RunSetup,
  agents: Record<string, Agent>,
  signal: AbortSignal,
  emit: Ports["emit"],
  askHooks: Ask,
): CompactionPoints {
  const { provider, compactWith: strategies = [], clock = realClock, random = Math.random } = setup;
  const { options } = state;
  const { compaction, prices } = options;
  const problem = unknownStrategy(compaction, strategies);
  if (!compaction) return { opener: undefined, heard: setup, aroundModel: (invokeModel) => invokeModel, problem };
  state.compactions ??= []; // shared by every state of the run
  const meter = contextMeter();
  const price = ({ model, usage, attempts }: ModelResponse, asked = provider.model) => ({
    ...(attempts && {
      attempts: attempts.map((attempt) =>
        prices && attempt.usage ? { ...attempt, cost: priced(prices, [attempt.model, asked], attempt.usage) } : attempt,
      ),
    }),
    ...(prices && { cost: priced(prices, [model, asked], usage) }),
  });
  // Outside of a turn there is nothing to tell: what was tried, and waited for, is in the report. [COMPACT-17]
  const heard = failWhenSilent(keepWhatWasHeard(provider.invokeModel), clock, options.model_idle_timeout_ms ?? null);
  const invokeModel = tryAgain(heard, options, { clock, random, tell: () => {} });
  const ask = askForText({ invokeModel, agents, price, emit, signal });
  return {
    opener: compactBetweenTurns(compaction, { strategies, agents, ask, askHooks, emit, signal }),
    heard: {
      ...setup,
      provider: { ...provider, name: provider.name, invokeModel: meter.hearing(provider.invokeModel) },
    },
    aroundModel: meter.noting,
    problem,
  };
}
