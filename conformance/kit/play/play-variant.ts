// Plays one variant against a driver from run to last answer, and notes everything that can be judged afterwards.

import type {
  EventParams,
  GuardrailCheckParams,
  HeardEvent,
  HookFireParams,
  InstructionsEvaluateParams,
  JournalAppendParams,
  LoopEvent,
  ModelInvokeParams,
  ResumeDecision,
  RunParams,
  RunResponse,
  RunResult,
  Session,
  Snapshot,
  ToolAbortParams,
  ToolExecuteParams,
  ToolsEvaluateParams,
} from "../../../schemas/types.ts";
import type { Playable } from "../driver/session.ts";
import type { Actions } from "./actions.ts";
import { agentsOnResume, firstAgent, agentsForDriver } from "../suite/case-agents.ts";
import { isWireDriver, wireRun } from "../suite/wire-driver.ts";
import { ProtocolError } from "../driver/errors.ts";
import type { ExpectedSession } from "../observed/expected-session.ts";
import type { Observation } from "../observed/observation.ts";
import { ToolsetPlayer } from "./dynamic-tools.ts";
import { GuardrailPlayer } from "./guardrails.ts";
import { HookPlayer } from "./hooks.ts";
import { InstructionsPlayer } from "./instructions.ts";
import { JournalPlayer } from "./journal.ts";
import { McpPlayer } from "./mcp.ts";
import { ModelPlayer } from "./model.ts";
import { ToolPlayer } from "./tools.ts";
import { mergePatch } from "../base/merge-patch.ts";
import type { DriverNotification, DriverRequest } from "../base/protocol.ts";
import type { Reply } from "../driver/rpc.ts";
import type { CaseRunInput } from "./run-state.ts";
import { NextMessages } from "./next-message.ts";
import { NotExpressible } from "./not-expressible.ts";
import { RunBeside } from "./run-beside.ts";
import { SecondRun } from "./second-run.ts";
import { RunContext } from "./run-context.ts";
import { runAt } from "../observed/subruns.ts";

/** The spec version of the sessions that the kit makes. */
const sessionVersion = "1.0";

/** One run of one variant. */
export class CaseRun implements Playable {
  readonly #run: RunContext;
  readonly #model: ModelPlayer;
  readonly #tools: ToolPlayer;
  readonly #hooks: HookPlayer;
  readonly #guardrails: GuardrailPlayer;
  readonly #instructions: InstructionsPlayer;
  readonly #toolsets: ToolsetPlayer;
  readonly #mcp: McpPlayer;
  readonly #journal: JournalPlayer | undefined;
  readonly #second: SecondRun;
  readonly #beside: RunBeside;
  readonly #next: NextMessages;
  readonly #startedAt = performance.now();
  /** The result of the run, while it waits for its caller. */
  #suspended: RunResult | undefined;
  /** The events of the run and of its resumes, each with the time at which it was received. */
  readonly receivedEvents: HeardEvent[] = [];

  constructor(input: CaseRunInput) {
    this.#run = new RunContext(input);
    this.#model = new ModelPlayer(this.#run);
    this.#tools = new ToolPlayer(this.#run);
    this.#hooks = new HookPlayer(this.#run);
    this.#guardrails = new GuardrailPlayer(this.#run);
    this.#instructions = new InstructionsPlayer(this.#run);
    this.#toolsets = new ToolsetPlayer(this.#run);
    this.#mcp = new McpPlayer(this.#run);
    const { journal } = this.#run.seen;
    if (journal) this.#journal = new JournalPlayer(this.#run, journal, (answers) => this.#model.rewind(answers));
    this.#second = new SecondRun(this.#run);
    this.#beside = new RunBeside(this.#run);
    this.#next = new NextMessages(this.#run);
  }

  /** Everything that was seen so far. */
  get seen(): Observation {
    return this.#run.seen;
  }

  /** The moments at which the driver waited for the kit, where the case has a journal. */
  get moments(): readonly string[] {
    return this.#journal?.moments ?? [];
  }

  /** Called on every sign of life of the run. */
  set onActivity(listener: () => void) {
    this.#run.onActivity = listener;
  }

  /**
   * Plays the run to its end.
   * @throws what the connection throws, and whatever goes wrong in the kit
   */
  async play(): Promise<Observation> {
    try {
      await Promise.race([this.#play(), this.#run.broken]);
    } finally {
      this.#run.end();
      this.#run.gates.openAll();
      this.#model.close();
      this.#mcp.close();
      this.#second.close();
      this.#beside.close();
    }
    return this.seen;
  }

  /** Takes a request of the driver that names this run. */
  request(method: DriverRequest, params: unknown, reply: Reply): void {
    this.#run.tick();
    if (this.#next.haveBegun) return this.#next.request(method, params, reply);
    if (this.#isBeside(params)) return this.#beside.request(method, params, reply);
    if (this.#isOfSecond(params)) return this.#second.request(method, reply);
    this.#answer(method, params, reply).catch((error: unknown) => this.#run.break(error));
  }

  #answer(method: DriverRequest, params: unknown, reply: Reply): Promise<void> {
    const answer = () => this.#dispatch(method, params, reply);
    return this.#journal ? this.#journal.take(method, params, answer) : answer();
  }

  async #dispatch(method: DriverRequest, params: unknown, reply: Reply): Promise<void> {
    switch (method) {
      case "tool/execute":
        return this.#tools.execute(params as ToolExecuteParams, reply);
      case "model/invoke":
        return this.#model.invoke(params as ModelInvokeParams, reply);
      case "hook/fire":
        return this.#hooks.fire(params as HookFireParams, reply);
      case "guardrail/check":
        return this.#guardrails.check(params as GuardrailCheckParams, reply);
      case "instructions/evaluate":
        return this.#instructions.evaluate(params as InstructionsEvaluateParams, reply);
      case "tools/evaluate":
        return this.#toolsets.evaluate(params as ToolsEvaluateParams, reply);
      case "journal/read":
        return this.#journal ? this.#journal.read(reply) : withoutJournal(reply);
      case "journal/append":
        return this.#journal ? this.#journal.append(params as JournalAppendParams, reply) : withoutJournal(reply);
    }
  }

  /** Takes a notification of the driver that names this run. */
  notification(method: DriverNotification, params: unknown): void {
    this.#run.tick();
    if (this.#next.haveBegun || this.#isOfSecond(params)) return;
    if (method === "event") this.#emitted((params as EventParams).event);
    else this.#tools.aborted((params as ToolAbortParams).id);
  }

  #isBeside(params: unknown): boolean {
    return this.#beside.has((params as { run?: string }).run ?? "");
  }

  #isOfSecond(params: unknown): boolean {
    const { run } = params as { run?: string };
    return run !== undefined && run !== this.#run.input.run;
  }

  #emitted(event: LoopEvent): void {
    this.seen.events.at(-1)!.push(event);
    this.receivedEvents.push({ at_ms: Math.round((performance.now() - this.#startedAt) * 100) / 100, event });
    this.#run.traffic.onEvent(event);
    const { sightings } = this.#run.actions;
    if (event.type === "retry") sightings.retries += 1;
    else if (event.type === "tool_progress") sightings.progress += 1;
    else return;
    void this.#run.fire();
  }

  async #play(): Promise<void> {
    const { run, sessionId, filled } = this.#run.input;
    const { given } = filled.case;
    const { messages, options, foreign_options, context, trace, spec_version = sessionVersion } = given;
    const hooks = given.hooks?.map(({ point, tool }) => ({ point, ...(tool !== undefined && { tool }) }));
    const session: Session = { spec_version, id: sessionId, messages };
    const guardrails = given.guardrails?.map(({ name, points }) => ({ name, points }));
    const servers = await this.#mcp.open();
    const model = this.#model.open();
    const common = {
      run,
      agents: agentsForDriver(given),
      model,
      ...(hooks && { hooks }),
      ...(guardrails && { guardrails }),
      ...(given.dynamic_instructions && { dynamic_instructions: true as const }),
      ...(given.dynamic_tools && { dynamic_tools: true as const }),
      ...(servers.length > 0 && { mcp_servers: servers }),
      ...(trace && { trace }),
      ...(given.journal && { journal: true as const }),
      ...(this.#run.usesClock && { clock: "virtual" as const }),
    };
    const start: RunParams = {
      ...common,
      session,
      agent: firstAgent(given),
      ...((options || foreign_options) && { options: { ...options, ...foreign_options } }),
      ...(context && { context }),
    };
    this.#run.onRunAgain = () => this.#second.start(start);
    this.#run.onRunBeside = (said) => this.#beside.start(start, said);
    const watched = this.#run.watchClock();
    const params = isWireDriver(this.#run.input.driver) ? wireRun(filled.case, run, model) : start;
    await this.#conduct("run", { ...params });
    const first = this.#suspended?.snapshot;
    let suspendedMs = 0; // is no time of the run [LOOP-92]
    for (let decisions = this.#decisions(); decisions; decisions = this.#decisions()) {
      this.seen.events.push([]);
      this.seen.expected.resumed();
      this.#run.isCancelled = this.#run.hasReceivedCancel = false; // a cancel that came when it was suspended already
      for (const decision of decisions) runAt(this.seen, decision.path).expected.decided([decision]);
      const { options_on_resume: anew, snapshot_on_resume: patch } = given;
      const written = given.resumes === "first" ? first : this.#suspended!.snapshot;
      const snapshot = patch ? mergePatch(written, patch) : written;
      if (patch) expectChanged(this.seen.expected, snapshot as Snapshot);
      suspendedMs += takenWhileSuspended(this.#run.actions);
      const clock = this.#run.usesClock && { clock_ms: this.#run.elapsedMs + suspendedMs };
      const resumed = {
        ...common,
        ...clock,
        agents: agentsOnResume(given),
        snapshot,
        decisions,
        ...(anew && { options: anew }),
      };
      await this.#conduct("resume", resumed);
    }
    this.#run.end();
    await this.#beside.end(); // while the tools of the first are still held: it reports none of them
    this.#run.gates.openAll();
    await watched;
    await this.#run.actions.done();
    await this.#second.end();
    // Whatever a driver still does after its answer is seen before the run is judged.
    if (this.#run.hasBarrier) await this.#run.quiet.lasting(1);
    await this.#model.checkCancelledCall();
    await this.#mcp.settle();
    await this.#next.say(model);
  }

  /** Asks the driver, and, where its process was ended, the one that takes its place. @see JOURNAL-6 */
  async #conduct(method: "run" | "resume" | "recover", params: Record<string, unknown>): Promise<void> {
    const { connection } = this.#run.input;
    const { life } = this.#run;
    this.#journal?.begin();
    try {
      return this.#returned(await connection.request(method, params));
    } catch (error) {
      if (life === this.#run.life) throw error;
    }
    if (this.#journal!.beginsAgain) {
      this.#journal!.forget();
      return await this.#conduct(method, params);
    }
    const { session, agent, options, context, snapshot, decisions, journal, ...common } = params;
    await this.#conduct("recover", common);
  }

  #returned(response: unknown): void {
    this.#run.tick();
    const { result, session, ended, not_expressible } = response as RunResponse;
    if (not_expressible !== undefined) throw this.#notSaid(not_expressible);
    if (ended) this.seen.ended = ended;
    const answer = { ...(result && { result }), ...(session && { session }) };
    this.seen.results.push(answer);
    // Of a run that waits, a refused resume changes nothing. [LOOP-116]
    if (result?.error?.kind !== "configuration") this.#suspended = result?.status === "suspended" ? result : undefined;
  }

  /** Only a driver that translates nothing may say so: another would leave out what is hard. */
  #notSaid(why: string): Error {
    const { driver } = this.#run.input;
    if (isWireDriver(driver)) return new NotExpressible(why, this.seen);
    const line = JSON.stringify({ not_expressible: why });
    return new ProtocolError("the driver answered not_expressible, which only one of level wire may", line);
  }

  /** The decisions with which the case resumes the run, if it waits and the case does. */
  #decisions(): ResumeDecision[] | undefined {
    const result = this.#suspended;
    if (!result) return undefined;
    const { actions } = this.#run;
    const resume = actions.waiting.find(({ when, do: act }) => when.suspended && typeof act === "object" && act.resume);
    if (!resume || typeof resume.do === "string") return undefined;
    actions.take(resume);
    return resume.do.resume?.map((decision) => aboutPending(decision, result));
  }
}

/** A driver that was not asked to keep a journal has none to ask for. */
function withoutJournal(reply: Reply): void {
  reply.error("the run has no journal");
}

/** A changed snapshot may have other arguments for a call. @see LOOP-111 */
function expectChanged(expected: ExpectedSession, { decisions }: Snapshot): void {
  const calls = expected.batches.at(-1) ?? [];
  for (const [i, { id }] of calls.entries()) {
    const decision = decisions[i];
    if (decision?.do === "run" && decision.input) expected.edit(id, decision.input);
  }
}

/** How long the case leaves the run suspended, in milliseconds: no loop is there whose clock could be moved. */
function takenWhileSuspended(actions: Actions): number {
  let total = 0;
  for (const action of [...actions.waiting]) {
    const { when, do: act } = action;
    if (!when.suspended || typeof act === "string" || act.advance_ms === undefined) continue;
    actions.take(action);
    total += act.advance_ms;
  }
  return total;
}

/** A decision, with the hash of the pending call where the case leaves it to the kit. */
function aboutPending(decision: ResumeDecision, { pending = [] }: RunResult): ResumeDecision {
  if (!("input_hash" in decision) || decision.input_hash !== "$pending") return decision;
  const path = decision.path?.join();
  const { input_hash = "none" } = pending.find((call) => call.id === decision.id && call.path?.join() === path) ?? {};
  return { ...decision, input_hash };
}
