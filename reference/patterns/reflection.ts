// A second look before the end: a run that would be completed is asked to check its answer first, so many times and no more.

import type { RunSetup } from "../run/run.ts";
import type { Hook } from "../plugins/hooks/ask-hooks.ts";

/** How a run looks back. */
export interface Reflection {
  /** What the model is asked, as a user message. Its next answer is the final one, so it has to be asked for all of it. */
  ask?: string;
  /** How many times. Default: 1. */
  rounds?: number;
}

const ASK =
  "Before you finish, look at what was asked and at what you did, as somebody else would. Put right what is wrong or missing. " +
  "Then give your whole final answer again.";

/**
 * A setup whose runs reflect before they end. Each round is a turn of the run, which may call tools, and counts for its limits; a
 * run that ends for another reason than that it is completed does not reflect, and an agent that is a tool does not either, unless
 * it is the one with which the run begins.
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
