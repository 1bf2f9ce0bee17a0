// For those who begin and approve runs on Temporal, in whatever process: asked twice for the same, it does it once.

import { Client, Connection } from "@temporalio/client";
import type { ResumeDecision } from "../../index.ts";
import type { Ended, Waiting } from "./temporal-workflow.ts";
import { taskQueue } from "./temporal.ts";

export async function connect(address: string) {
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  return {
    begin: (workflowId: string, input: string) =>
      workflow.start("agent", {
        ...{ taskQueue, workflowId, args: [input], workflowTaskTimeout: "3s" },
        ...{ workflowIdConflictPolicy: "USE_EXISTING", workflowIdReusePolicy: "ALLOW_DUPLICATE_FAILED_ONLY" },
      }),
    pending: (run: string) => workflow.getHandle(run).query<Waiting | undefined>("pending"),
    decide: (run: string, name: string, decisions: ResumeDecision[]) =>
      workflow.getHandle(run).signal("decide", name, decisions),
    /** What a run came to; undefined while it is under way. */
    async endOf(run: string): Promise<Ended | undefined> {
      const handle = workflow.getHandle(run);
      return (await handle.describe()).status.name === "RUNNING" ? undefined : ((await handle.result()) as Ended);
    },
    close: () => connection.close(),
  };
}
