// The loop as a workflow of Temporal. It runs in the sandbox; whatever touches the world is an activity of `temporal.ts`.

import * as workflow from "@temporalio/workflow";
import { agentLoop, initSession, resume, ToolError } from "../../static.ts";
import type { DefinedTool, PendingCall, ResumeDecision, RunResult, RunSetup, Session } from "../../static.ts";
import type { Activities } from "./temporal.ts";

export type Ended = { result: RunResult; session: Session };
export type Waiting = { name: string; pending: PendingCall[] };

const times = { startToCloseTimeout: "1 hour", heartbeatTimeout: "3s" } as const; // without a heartbeat the worker is gone
const again = workflow.proxyActivities<Activities>({ ...times, retry: { maximumInterval: "10s" } });
const once = workflow.proxyActivities<Activities>({ ...times, retry: { maximumAttempts: 1 } });
const broken = "The process ended while this tool was running. What it did until then may have had effects.";

/** What waits for a decision, if anything does. */
export const pending = workflow.defineQuery<Waiting | undefined>("pending");
/** Decides, under the name that `pending` has. */
export const decide = workflow.defineSignal<[name: string, decisions: ResumeDecision[]]>("decide");

/** Begins the run whose id is that of the workflow. Tools and options stay as they were when it began. */
export async function agent(input: string): Promise<Ended> {
  const run = workflow.workflowInfo().workflowId;
  const decided = new Map<string, ResumeDecision[]>();
  let waiting: Waiting | undefined;
  workflow.setHandler(decide, (name, decisions) => void decided.set(name, decisions));
  workflow.setHandler(pending, () => waiting);

  const { tools, provider, options } = await again.describe(run);
  const setup: RunSetup = {
    options,
    tools: tools.map((tool) => asActivity(run, tool)),
    provider: { ...provider, invokeModel: (request) => again.invokeModel(run, request) },
    clock: { now: () => Date.now(), sleep: (ms) => workflow.sleep(ms) },
    newId: workflow.uuid4,
    rethrow: (error) => error instanceof workflow.TemporalFailure,
  };
  let visit = agentLoop({ ...setup, session: initSession({ id: run, user: input }) });
  for (let suspensions = 1; ; suspensions += 1) {
    const result = await visit.result;
    if (result.status !== "suspended") return { result, session: await visit.session };
    const name = `decisions ${suspensions}`;
    waiting = { name, pending: result.pending! };
    await workflow.condition(() => decided.has(name));
    waiting = undefined;
    visit = resume({ ...setup, snapshot: result.snapshot!, decisions: decided.get(name)! });
  }
}

/** A tool that failed has failed. One whose worker is gone is not started again, and may have had effects. @see JOURNAL-9 */
function asActivity(run: string, tool: DefinedTool): DefinedTool {
  const { executeTool } = tool.annotations?.idempotent ? again : once;
  return {
    ...tool,
    async execute(_input: never, { call, turn, context, metrics }) {
      const { returned, measured } = await executeTool(run, { call, turn, context }).catch((thrown: unknown) => {
        const cause = thrown instanceof workflow.ActivityFailure ? thrown.cause : undefined;
        if (cause instanceof workflow.TimeoutFailure) throw new ToolError(broken, { outcome: "interrupted" });
        if (cause instanceof workflow.ApplicationFailure)
          throw new ToolError(cause.message, cause.details![0] as object);
        throw thrown;
      });
      Object.assign(metrics, measured);
      return returned;
    },
  };
}
