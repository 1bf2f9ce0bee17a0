// The loop on DBOS: a run is a workflow in a queue, whose steps are in PostgreSQL. A run that waits for a person is no workflow at all.

import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import { initSession, type ResumeDecision } from "../../index.ts";
import { durable, type DurableSetup, type Engine } from "../index.ts";

/** A workflow that waits keeps its place in the queue, and its memory: without `wait`, it ends where its run is suspended. */
const engine: Engine = { once: (name, act) => DBOS.runStep(act, { name }) };
const queue = "agents";
const version = "1"; // a worker goes on only with workflows of its own version: give the same as long as the setup is the same

type Ended = Awaited<ReturnType<typeof durable>>;

/** Registers the workflows, before `work`. `ended` is called when a run has ended or is suspended, perhaps more than once. */
export function register(setupOf: (run: string) => DurableSetup, ended: (workflow: string, run: Ended) => void): void {
  async function begin(run: string, input: string): Promise<Ended> {
    return reported(await durable(setupOf(run), { session: initSession({ id: run, user: input }) }, engine));
  }
  async function goOn(before: string, decisions: ResumeDecision[]): Promise<Ended> {
    const { result, session } = (await DBOS.getResult<Ended>(before))!;
    return reported(await durable(setupOf(session.id), { snapshot: result.snapshot!, decisions }, engine));
  }
  function reported(run: Ended): Ended {
    ended(DBOS.workflowID!, run);
    return run;
  }
  DBOS.registerWorkflow(begin, { name: "begin", maxRecoveryAttempts: 10_000 });
  DBOS.registerWorkflow(goOn, { name: "goOn", maxRecoveryAttempts: 10_000 });
}

/**
 * Works until the process ends. Run `DBOS.migrate(url)` once before: two workers that create the tables at the same time stop each other.
 * @param worker names the process, the same after a restart and of no other: only it goes on with what it had begun when it died
 */
export async function work(url: string, worker: string, atOnce: number): Promise<void> {
  DBOS.setConfig({ name: queue, systemDatabaseUrl: url, executorID: worker, applicationVersion: version });
  await DBOS.launch();
  await DBOS.registerQueue(queue, { workerConcurrency: atOnce });
}

/** For those who begin and approve runs, in whatever process: asked twice for the same, it does it once. */
export async function connect(url: string) {
  const client = await DBOSClient.create({ systemDatabaseUrl: url });
  const start = (workflowName: string, workflowID: string, ...given: unknown[]) =>
    client.enqueue({ queueName: queue, workflowName, workflowID, appVersion: version }, ...given);
  return {
    begin: (run: string, input: string) => start("begin", run, run, input),
    approve: (before: string, decisions: ResumeDecision[]) => start("goOn", `${before}+`, before, decisions),
    /** What a workflow came to; undefined while it is under way. */
    async endOf(workflow: string): Promise<Ended | undefined> {
      const found = await client.getWorkflow(workflow);
      return found?.status === "SUCCESS" ? (found.output as Ended) : undefined;
    },
    close: () => client.destroy(),
  };
}
