// The loop on Restate: a run is a workflow, whose steps are in the journal of the server. A run that waits for a person is in no process.

import * as restate from "@restatedev/restate-sdk";
import { initSession, type PendingCall, type ResumeDecision } from "../../index.ts";
import { durable, type DurableSetup, type Engine } from "../index.ts";

/** Serve it with `restate.serve({ services: [agents(setupOf)], port })`, and register the address with the server. */
export function agents(setupOf: (run: string) => DurableSetup) {
  return restate.workflow({
    name: "agents",
    handlers: {
      /** Begins the run whose id is the key of the workflow. */
      run: (ctx: restate.WorkflowContext, input: string) => {
        const engine: Engine = {
          // One attempt: the loop has retries of its own, and a tool that failed has failed.
          once: <T>(name: string, act: () => Promise<T>) => ctx.run(name, act, { maxRetryAttempts: 1 }) as Promise<T>,
          async wait(name, pending) {
            ctx.set("pending", { name, pending });
            const decisions = await ctx.promise<ResumeDecision[]>(name);
            ctx.clear("pending");
            return decisions;
          },
        };
        return durable(setupOf(ctx.key), { session: initSession({ id: ctx.key, user: input }) }, engine);
      },
      /** What waits for a decision, if anything does. */
      pending: (ctx: restate.WorkflowSharedContext) => ctx.get<{ name: string; pending: PendingCall[] }>("pending"),
      /** Decides, under the name that `pending` has. */
      decide: async (ctx: restate.WorkflowSharedContext, given: { name: string; decisions: ResumeDecision[] }) => {
        await ctx.promise<ResumeDecision[]>(given.name).resolve(given.decisions);
      },
    },
  });
}
