// Reflection: before a run completes, the model is asked to check its answer, a limited number of times.

import type { Hook } from "../plugins/hooks/hook-types.ts";
import type { RunSetup } from "../run/setup.ts";

/** How a run reflects. */
export interface Reflection {
  /** The user message that asks for it. The next answer is the final one, so ask for the complete answer. */
  ask?: string;
  /** How many times. Default: 1. */
  rounds?: number;
}

const ASK =
  "Before you finish, look at what was asked and at what you did, as somebody else would. Put right what is wrong or missing. " +
  "Then give your whole final answer again.";

/**
 * A setup whose runs reflect before they complete. Each round is a turn of the run, may call tools, and counts towards its limits.
 * A run that ends for any other reason does not reflect, nor do subagents, except an agent with which the run itself begins.
 */
export function reflectBeforeEnd<Setup extends RunSetup>(
  setup: Setup,
  { ask = ASK, rounds = 1 }: Reflection = {},
): Setup {
  const { options = {}, hooks = [], agents } = setup;
  const first = setup.agent ?? Object.keys(agents ?? {})[0] ?? "main";
  const left = new Map<string, number>(); // by session
  const reflecting: Hook[] = [
    { point: "run_start", run: ({ agent, session_id = "" }) => void (agent === first && left.set(session_id, rounds)) },
    {
      point: "stop",
      run({ session_id = "" }) {
        const more = left.get(session_id) ?? 0;
        if (more === 0) return {};
        left.set(session_id, more - 1);
        return { block: ask };
      },
    },
    { point: "run_end", run: ({ session_id = "" }) => void left.delete(session_id) },
  ];
  return {
    ...setup,
    hooks: [...hooks, ...reflecting],
    options: { ...options, max_stop_blocks: (options.max_stop_blocks ?? 3) + rounds },
  };
}
