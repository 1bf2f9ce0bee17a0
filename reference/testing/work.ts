// Counts the work that something does, so that a test can say how it grows: time depends on the machine, this does not.

import { fork } from "node:child_process";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";

const REFERENCE = new URL("../", import.meta.url).href;

/** How often something of a file was entered, by the path of the file from reference/ on. */
export type Work = ReadonlyMap<string, number>;

/**
 * What is entered: functions, where going on after an `await` counts as one more; of blocks also each branch, and the body of a loop
 * each time. What the engine does inside one of its own functions is not seen; what it calls back is.
 */
export type Counted = "functions" | "blocks";

/** Does something, and says what work that was. */
export type CountWork = (work: () => unknown) => Promise<Work>;

/**
 * Asks a module that tells work, in a process of its own: V8 counts exactly only what it counts from its first call on, and does not
 * compile. Elsewhere a function is given a counter only after some calls, and what is compiled counts a call twice, or not at all.
 * @param module its `import.meta.url`
 * @throws what is thrown while it counts
 */
export async function askForWork<Question, Answer>(module: string, question: Question): Promise<Answer> {
  const child = fork(fileURLToPath(module), { execArgv: ["--max-opt=0", "--expose-gc"], serialization: "advanced" });
  return new Promise((resolve, reject) => {
    child.once("message", ({ answer, thrown }: Sent) => {
      if (thrown !== undefined) reject(thrown as Error);
      else resolve(answer as Answer);
    });
    child.once("exit", (code, signal) => reject(new Error(`what counts work ended with ${signal ?? code}`)));
    child.send({ question });
  });
}

/** What the process sends back: either. */
interface Sent {
  answer?: unknown;
  thrown?: unknown;
}

/** Makes a module the process that `askForWork` starts, which ends with its parent: to be called last. Elsewhere it does nothing. */
export function tellWork<Question>(
  { main }: ImportMeta,
  counted: Counted,
  answer: (question: Question, count: CountWork) => Promise<unknown>,
): void {
  if (!main) return;
  const counter = createCounter(counted);
  process.on("disconnect", () => process.exit());
  process.on("message", async ({ question }: { question: Question }) => {
    const sent: Sent = await answer(question, await counter).then(
      (given) => ({ answer: given }),
      (thrown: unknown) => ({ thrown }),
    );
    process.send!(sent, () => process.disconnect());
  });
}

async function createCounter(counted: Counted): Promise<CountWork> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: counted === "blocks" });
  return async (work) => {
    gc!(); // when it comes must make no difference
    await session.post("Profiler.takePreciseCoverage"); // what was entered before counts no more
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const entered = new Map<string, number>();
    for (const { url, functions } of result) {
      if (!url.startsWith(REFERENCE)) continue;
      const file = url.slice(REFERENCE.length);
      const sum = functions.flatMap(({ ranges }) => ranges).reduce((counts, { count }) => counts + count, 0);
      entered.set(file, (entered.get(file) ?? 0) + sum);
    }
    return entered;
  };
}

/** All of it together. */
export function total(work: Work): number {
  return [...work.values()].reduce((sum, one) => sum + one, 0);
}
