// The loop on an engine that can do a thing once: what the model and the tools answered is kept by the engine, the rest is computed anew.

import type { ExecutableCall } from "../core/ports.ts";
import { ToolError } from "../core/execute-tool-calls.ts";
import { resultText } from "../core/session.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { agentLoop, resume } from "../run/run.ts";
import type { RunSetup } from "../run/setup.ts";
import type { Clock } from "../support/clock.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { Outcome, PendingCall, ResumeDecision, RunResult, Session, Snapshot } from "../../schemas/types.ts";

/** All that an engine has to give: two verbs, and a clock where its code must not read the time itself. */
export interface Engine {
  /**
   * What `act` came to the first time that this workflow asked; in a replay, in whatever process, what was kept of it. It is JSON, and `act`
   * never throws: what `once` throws is the engine's. Each attempt asks in the same order, also where calls overlap.
   */
  once<T>(name: string, act: () => Promise<T>): Promise<T>;
  /**
   * Waits for the decisions about the pending calls, however long it takes. Each suspension of a workflow has a name of its own. Without it
   * a suspended run is given back, and its workflow ends: another one goes on with its snapshot, and until then it costs nothing.
   */
  wait?(name: string, pending: PendingCall[]): Promise<ResumeDecision[]>;
  clock?: Clock;
}

/** The setup of a run of one agent with a list of tools. */
export type DurableSetup = Omit<
  RunSetup,
  "agents" | "agent" | "tools" | "journal" | "lock" | "newId" | "rethrow" | "clock"
> & { tools?: DefinedTool[] };

/** Where a workflow begins: on a session, or at a suspension with which another workflow has ended. */
export type DurableSource = { session: Session } | { snapshot: Snapshot; decisions: ResumeDecision[] };

/** What a step came to. A kept error is data: no engine gives an error back as it was. */
type Settled<T> = { ok: T; metrics?: object } | { error: { message: string; outcome?: Outcome; fatal?: boolean } };

/**
 * Runs an agent inside a workflow of an engine, to its end, suspensions included if the engine can wait. Where the engine starts the workflow again after a crash,
 * it goes on where it was: no answer of the model is asked for twice once it is kept. A tool that was running is started again only if it is
 * idempotent; otherwise its call is answered `interrupted`.
 *
 * The workflow has to be the same in each attempt: what decides anything without being a step (hooks, guardrails, functions that make
 * tools or instructions) gives the same for the same, and does not wait before calls that overlap. A turn has at most `max_concurrency`
 * calls at once; the order of more is not the same in a replay. The run of a subagent is one step.
 * @throws what the engine throws, which is no ending of the run
 * @see JOURNAL-6 JOURNAL-8 JOURNAL-9
 */
export async function durable(
  setup: DurableSetup,
  source: DurableSource,
  engine: Engine,
): Promise<{ result: RunResult; session: Session }> {
  const attempt = crypto.randomUUID(); // on purpose another one in a replay: it says who began a tool
  const begunBy = new Map<string, string>();
  const engineErrors = new Set<unknown>();
  const once: Engine["once"] = (name, act) =>
    engine.once(name, act).catch((error: unknown) => {
      engineErrors.add(error);
      throw error;
    });
  const { provider, tools = [], use = [] } = setup;
  let ids = 0;
  const run: RunSetup = {
    ...setup,
    provider: {
      ...provider,
      invokeModel: async (...asked) =>
        settled(await once("model", () => settle(async () => provider.invokeModel(...asked)))),
    },
    tools: tools.map((tool) => asStep(tool, once, (id) => isOnce(tool) && begunBy.get(id) !== attempt)),
    use: [...use, beginsGroups(tools, begunBy, (name) => once(name, async () => attempt))],
    newId: () => `call_${(ids += 1)}`, // a call without an id has the same one in a replay
    lock: false, // an attempt that the engine gives up may never end
    rethrow: (error) => engineErrors.has(error),
    ...(engine.clock && { clock: engine.clock }),
  };
  let visit = "session" in source ? agentLoop({ ...run, ...source }) : resume({ ...run, ...source });
  for (let suspensions = 1; ; suspensions += 1) {
    const result = await visit.result;
    if (result.status !== "suspended" || !engine.wait) return { result, session: await visit.session };
    const decisions = await engine.wait(`decisions ${suspensions}`, result.pending!);
    visit = resume({ ...run, snapshot: result.snapshot!, decisions });
  }
}

function isOnce({ annotations }: DefinedTool): boolean {
  return annotations?.idempotent !== true;
}

/** A tool whose execution is a step. */
function asStep(tool: DefinedTool, once: Engine["once"], wasRunning: (id: string) => boolean): DefinedTool {
  const { execute } = tool;
  if (!execute) return tool;
  return {
    ...tool,
    async execute(input: never, context) {
      const { id } = context.call;
      const kept = await once(`tool ${id}`, async (): Promise<Settled<unknown>> => {
        if (wasRunning(id)) return { error: { message: resultText("broke_while_running"), outcome: "interrupted" } };
        return { ...(await settle(async () => execute(input, context))), metrics: context.metrics };
      });
      Object.assign(context.metrics, "metrics" in kept ? kept.metrics : {});
      return settled(kept);
    },
  };
}

/**
 * Before calls that begin together, one step says which attempt begins them. Where another attempt finds that step without what they came
 * to, they may have had effects.
 */
function beginsGroups(
  tools: DefinedTool[],
  begunBy: Map<string, string>,
  begin: (name: string) => Promise<string>,
): Plugin {
  const lasting = new Set(tools.filter(isOnce).map(({ name }) => name));
  let group: string[] = [];
  let begun: Promise<void> | undefined;

  async function beginGroup(): Promise<void> {
    await undefined; // the scheduler starts the calls of a group in one go
    const ids = group;
    [group, begun] = [[], undefined];
    if (ids.length === 0) return;
    const by = await begin(`begin ${ids.join()}`);
    for (const id of ids) begunBy.set(id, by);
  }
  return {
    name: "durable",
    outside: "scheduling",
    attach: () => ({
      aroundBatch: (next) => (calls, run, state) => {
        const runInGroup = async (call: ExecutableCall) => {
          if (lasting.has(call.name)) group.push(call.id);
          await (begun ??= beginGroup());
          return run(call);
        };
        return next(calls, runInGroup, state);
      },
    }),
  };
}

async function settle<T>(act: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: await act() };
  } catch (thrown) {
    const { message, outcome, fatal }: Partial<ToolError> =
      thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error: { message: message ?? "", ...(outcome && { outcome }), ...(fatal && { fatal }) } };
  }
}

function settled<T>(kept: Settled<T>): T {
  if (!("error" in kept)) return kept.ok;
  const { message, ...how } = kept.error;
  throw new ToolError(message, how);
}
