// The loop on Restate: a run is a workflow, whose steps are in the journal of the server. A run that waits for a person is in no process.

import * as restate from "@restatedev/restate-sdk";
import { connect as over } from "@restatedev/restate-sdk-clients";
import { initSession, type PendingCall, type ResumeDecision } from "../../index.ts";
import { durable, type DurableSetup, type Engine } from "../index.ts";
import { oneAwait } from "./restate-await.ts";

type Ended = Awaited<ReturnType<typeof durable>>;
type Waiting = { name: string; pending: PendingCall[] };

/** Serve it with `restate.serve({ services: [agents(setupOf)], port })`, and register the address with the server. */
export function agents(setupOf: (run: string) => DurableSetup) {
  return restate.workflow({
    name: "agents",
    handlers: {
      /** Begins the run whose id is the key of the workflow. */
      run: (ctx: restate.WorkflowContext, input: string) => {
        const settled = oneAwait();
        const engine: Engine = {
          // One attempt: the loop has retries of its own, and a tool that failed has failed.
          once: (name, act) => settled(ctx.run(name, act, { maxRetryAttempts: 1 })),
          async wait(name, pending) {
            ctx.set("pending", { name, pending });
            const decisions = await settled(ctx.promise<ResumeDecision[]>(name).get());
            ctx.clear("pending");
            return decisions;
          },
        };
        return durable(setupOf(ctx.key), { session: initSession({ id: ctx.key, user: input }) }, engine);
      },
      /** What waits for a decision, if anything does. */
      pending: (ctx: restate.WorkflowSharedContext) => ctx.get<Waiting>("pending"),
      /** Decides, under the name that `pending` has. */
      decide: async (ctx: restate.WorkflowSharedContext, given: { name: string; decisions: ResumeDecision[] }) => {
        await ctx.promise<ResumeDecision[]>(given.name).resolve(given.decisions);
      },
    },
  });
}

/** For those who begin and approve runs, in whatever process. @param ingress the address at which the server takes requests */
export function connect(ingress: string) {
  const client = over({ url: ingress });
  const of = (run: string) => client.workflowClient<ReturnType<typeof agents>>({ name: "agents" }, run);
  return {
    begin: (run: string, input: string) => of(run).workflowSubmit(input),
    pending: (run: string) => of(run).pending(),
    decide: (run: string, name: string, decisions: ResumeDecision[]) => of(run).decide({ name, decisions }),
    /** What a run came to; undefined while it is under way. */
    async endOf(run: string): Promise<Ended | undefined> {
      const output = await of(run).workflowOutput();
      return output.ready ? output.result : undefined;
    },
  };
}
