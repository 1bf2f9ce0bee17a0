// Counts the calls of functions while something runs, by the file that they stand in: the same in every run, however busy the machine is.

import { Session } from "node:inspector/promises";

/** How many times functions of a file were called; going on after an `await` counts as one more. Names are relative to reference/. */
export type CallsByFile = ReadonlyMap<string, number>;

/** Runs something, and counts what it calls of the files in reference/. */
export async function countCalls(run: () => Promise<unknown>): Promise<CallsByFile> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage"); // what was called before does not count
    await run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      const [, file] = /\/reference\/(.+\.ts)/.exec(url) ?? [];
      const sum = functions.reduce((total, { ranges }) => total + ranges[0]!.count, 0);
      if (file !== undefined && sum > 0) calls.set(file, (calls.get(file) ?? 0) + sum);
    }
    return calls;
  } finally {
    session.disconnect();
  }
}
