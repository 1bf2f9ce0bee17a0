// Tries several strategies in order, the cheapest first, until one makes the session small enough.

import { tokensIn } from "./estimate-tokens.ts";
import type { CompactionStrategy, CompactionTask, Replacement } from "./strategy.ts";

export { summarize } from "./summarize.ts";
export { truncateOld } from "./truncate-old.ts";
export type { CompactionStrategy, CompactionTask, Replacement } from "./strategy.ts";

/**
 * A strategy that tries others in order, until one makes the session small enough; otherwise the last replacement is used.
 * It has nothing to do if none of them has. If one throws, the whole strategy fails.
 * @see COMPACT-20
 */
export function layered(name: string, strategies: CompactionStrategy[]): CompactionStrategy {
  return {
    name,
    async compact(task) {
      let last: Replacement | undefined;
      for (const strategy of strategies) {
        const replacement = await strategy.compact(task);
        if (replacement && isEnough(replacement, task)) return replacement;
        last = replacement ?? last;
      }
      return last;
    },
  };
}

function isEnough({ from, to, messages }: Replacement, task: CompactionTask): boolean {
  const saved = tokensIn(task.messages.slice(from, to)) - tokensIn(messages);
  return task.tokens - saved < task.atTokens;
}
