// A scheduler: calls run two by two, whatever their tools are.

import type { Executed, Ports } from "../../core/ports.ts";

export const inPairs: Ports["execute"] = async (calls, run) => {
  const executed: Executed[] = [];
  for (let at = 0; at < calls.length; at += 2) {
    executed.push(...(await Promise.all(calls.slice(at, at + 2).map(run))));
  }
  return executed;
};
