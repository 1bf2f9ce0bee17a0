// Counts the work that a function does, so that a test can say how it grows: time depends on the machine, this does not.

import { Session } from "node:inspector/promises";

/** Counts in one process, from its start to its end: the engine counts exactly only what it has not compiled before. */
export interface WorkCounter {
  /**
   * How often a function, a branch or the body of a loop was entered in the sources whose address contains `where`. What the
   * engine does inside one of its own functions is not seen; what it calls back is.
   */
  count(where: string, work: () => void): Promise<number>;
  end(): void;
}

/** @see WorkCounter */
export async function createWorkCounter(): Promise<WorkCounter> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

  async function count(where: string, work: () => void): Promise<number> {
    await session.post("Profiler.takePreciseCoverage"); // what was counted before counts no more
    work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .filter(({ url }) => url.includes(where))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map((range) => range.count)))
      .reduce((sum, one) => sum + one, 0);
  }

  return { count, end: () => session.disconnect() };
}
