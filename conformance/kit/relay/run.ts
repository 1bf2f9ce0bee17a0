// Plays one run as a relay: each driver takes it one turn further, and hands it to the other.

import { setImmediate } from "node:timers/promises";
import { wellFormed } from "../base/well-formed.ts";
import type {
  ClockAdvanceParams,
  Failure,
  HookFireParams,
  JournalAppendParams,
  PendingCall,
  RecoverParams,
  ResumeDecision,
  ResumeParams,
  RunOptions,
  RunParams,
  RunResponse,
  RunResult,
  Session,
  Snapshot,
  SteerParams,
  ToolExecuteResult,
} from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { DriverRequest, KitNotification } from "../base/protocol.ts";
import type { Observation } from "../observed/observation.ts";
import type { RelayDriver } from "./driver.ts";
import { mannerOf } from "./cases.ts";
import type { Manner } from "./cases.ts";
import { answersSoFar, checkLeg } from "./check-leg.ts";
import type { AnswerCounts } from "./check-leg.ts";
import { extension, mark, withoutMarks } from "./marks.ts";
import { together } from "./result.ts";
import { TakenJournal } from "./taken-journal.ts";

/** How many turns a run may take by default. @see LOOP-26 */
const maxTurns = 20;

/** Executes a call that a driver has left to its caller. */
type Execute = (call: PendingCall) => Promise<ToolExecuteResult>;
type Answer = Required<Pick<RunResponse, "result" | "session">>;
/** Has a driver play a leg of this name. */
type Play = (driver: RelayDriver, run: string) => Promise<RunResponse>;

/** One run, in legs. */
export class RelayRun {
  readonly #seen: Observation;
  #start!: RunParams;
  #drivers!: readonly [RelayDriver, RelayDriver];
  /** What the legs came to that are over. */
  #total: RunResult | undefined;
  #legs = 0;
  /** How many answers of the model came before the last leg that is not a resume. */
  #from: AnswerCounts = new Map();
  /** The leg that is under way, and who has it. */
  leg: { name: string; driver: RelayDriver } | undefined;
  /** The records of the run, where each driver takes them from the other. */
  readonly #journal = new TakenJournal();
  /** Whether the leg that is under way goes on where the run was taken. */
  #isRecovered = false;
  /** While nobody has the run: it was taken from one driver, and the other has not been asked yet to go on with it. */
  #between: PromiseWithResolvers<void> | undefined;
  /** What the virtual clock shows, in milliseconds since the run began. */
  #clockMs = 0;

  readonly #manner: Manner;
  readonly #onHandedOver: (manner: Manner) => void;

  /**
   * @param seen what the kit sees of the run; what a leg did wrong is added to its failures
   * @param onHandedOver called each time that a driver takes the run over from the other
   */
  constructor(seen: Observation, onHandedOver: (manner: Manner) => void) {
    this.#seen = seen;
    const played = mannerOf(seen.filled.case);
    this.#manner = "manner" in played ? played.manner : "session";
    this.#onHandedOver = onHandedOver;
  }

  /** Plays the run until it ends, or is suspended. */
  async run(start: RunParams, drivers: readonly [RelayDriver, RelayDriver], execute: Execute): Promise<Answer> {
    this.#start = start;
    this.#drivers = drivers;
    if (this.#manner === "snapshot") return await this.#inBatches(execute);
    if (this.#manner === "journal") return unmarked(await this.#whole("run", start));
    if (this.#manner === "boundary")
      return await this.#byBoundary(start, (driver, run) => driver.run({ ...start, journal: true, run }));
    return await this.#goOn(start.session, start);
  }

  /** Lets the other driver recover what one has written down. */
  async recover(params: RecoverParams, drivers: readonly [RelayDriver, RelayDriver]): Promise<Answer> {
    this.#drivers = drivers;
    return unmarked(await this.#whole("recover", params));
  }

  /** Lets the other driver recover the run after each turn, because the relay has taken its journal from the one before. */
  async #byBoundary(
    params: RunParams | ResumeParams,
    begin: (driver: RelayDriver, run: string) => Promise<RunResponse>,
  ): Promise<Answer> {
    const { agents, model, clock, hooks, guardrails, dynamic_instructions, dynamic_tools, mcp_servers, trace } = params;
    const given = { agents, model, clock, hooks, guardrails, dynamic_instructions, dynamic_tools, mcp_servers, trace };
    const common = JSON.parse(JSON.stringify(given)) as Omit<RecoverParams, "run">; // what is not given is not there
    let answer = await this.#play(begin);
    while (this.#between) {
      this.#foundInTheTurnOf(this.#last, checkDismissed(answer));
      this.#journal.mark((state) => this.#extended(state));
      const now = clock === "virtual" && { clock_ms: this.#clockMs };
      answer = await this.#play((driver, run) => driver.recover({ ...common, ...now, run }));
    }
    this.#foundInTheTurnOf(this.#last, this.#journal.checkKept());
    return handedBack(answer);
  }

  /** Whether what a driver says of its leg is about the run: once the run was taken from it, it is about nothing. */
  get isHeard(): boolean {
    return this.#manner === "boundary" && !this.#between;
  }

  /**
   * What the relay itself answers a driver: as the store of the journal, and where a hook or a guardrail is asked about a leg that is
   * none of the whole run, its beginning where the run goes on, or its end where the run was taken.
   */
  answer(method: DriverRequest, params: object): object | undefined {
    if (this.#manner !== "boundary") return undefined;
    if (method === "journal/read") return { records: this.#journal.records };
    if (method === "journal/append") return this.#append(params as JournalAppendParams);
    const { point } = (params as Partial<HookFireParams>).call ?? ({} as { point?: string });
    if (method === "hook/fire" && this.#isOfLeg(point)) return {};
    if (this.#between && point !== "turn_end")
      this.#seen.failures.push(breach("JOURNAL-10", `${method} came after the journal was taken`));
    return undefined;
  }

  #isOfLeg(point: string | undefined): boolean {
    if (this.#between) return point !== "turn_end";
    return point === "run_start" && this.#isRecovered;
  }

  #append(params: JournalAppendParams): object {
    if (this.#between) return { answer: "taken" };
    const { answer, isOver, failures } = this.#journal.append(params);
    this.#seen.failures.push(...failures);
    if (isOver) this.#between = Promise.withResolvers();
    return { answer };
  }

  /** Sends a notification to the driver that has the run, or will have it. */
  tell(method: KitNotification, params: { run: string }): void {
    if (method === "steer") this.#journal.said((params as SteerParams).content);
    else if (method !== "tool/progress") this.#journal.hold();
    void this.#holder().then((leg) => leg?.driver.notify(method, { ...params, run: leg.name }));
  }

  /** Answers when nothing is left to be done without the kit. */
  async barrier(): Promise<object> {
    const leg = await this.#holder();
    await leg?.driver.barrier({ run: leg.name }).catch(() => undefined); // a driver that has died does nothing any more
    return this.#between ? await this.barrier() : {};
  }

  /** Moves the clock of the run. */
  async advance({ ms }: ClockAdvanceParams): Promise<object> {
    const leg = await this.#holder();
    this.#clockMs += ms;
    await leg?.driver.advance({ run: leg.name, ms });
    return {};
  }

  /** Who has the run, once somebody has it, and once what the kit has answered before is on its way to him. */
  async #holder(): Promise<typeof this.leg> {
    await setImmediate();
    await this.#between?.promise;
    return this.leg;
  }

  async #whole(method: "run" | "recover", params: RunParams | RecoverParams): Promise<Answer> {
    return await this.#leg(this.#start.session, (driver, run) => driver[method]({ ...params, run } as never));
  }

  /** Has every batch left to the relay, which executes it and hands the whole state to the other driver. */
  async #inBatches(execute: Execute): Promise<Answer> {
    const { session, options, agent: _, context: __, clock: ___, ...common } = this.#start;
    const start = { ...this.#start, options: { ...options, execute_tools: false } };
    let answer = await this.#leg(session, (driver, run) => driver.run({ ...start, run }));
    while (answer.result.status === "suspended") {
      const decisions: ResumeDecision[] = [];
      for (const call of answer.result.pending!) decisions.push(await answerOf(call, execute));
      const snapshot = this.#extended(answer.result.snapshot!);
      answer = await this.#leg(snapshot.session, (driver, run) =>
        driver.resume({ ...common, snapshot, decisions, run }),
      );
      this.#checkExtended(snapshot, answer.result);
    }
    return unmarked(answer);
  }

  /** The snapshot with what no loop knows, in it, in its counters and in its session. */
  #extended(snapshot: Snapshot): Snapshot {
    const added: object = { [extension]: { legs: this.#legs } };
    const counters = { ...snapshot.counters, [extension]: this.#legs };
    return { ...snapshot, ...added, session: this.#marked(snapshot.session), counters };
  }

  /** @see LOOP-107 */
  #checkExtended(handed: Snapshot, { snapshot }: RunResult): void {
    if (!snapshot) return;
    const pick = ({ counters, ...rest }: Snapshot) => ({
      [extension]: (rest as Record<string, unknown>)[extension],
      counters: { [extension]: counters?.[extension] },
    });
    const changes = matchData(pick(handed), pick(snapshot), "", true).slice(0, 1);
    this.#foundInTheTurnOf(
      this.#last,
      changes.map(({ path, expected, received }) => {
        const message = `what no loop knows in the snapshot is not handed on: ${path}`;
        return breach("LOOP-107", message, { path, expected, received });
      }),
    );
  }

  /** Lets the other driver resume what one has suspended, and plays on. */
  async resume(params: ResumeParams): Promise<Answer> {
    if (this.#manner === "boundary") return await this.#resumeByBoundary(params);
    return await this.#after(
      await this.#leg(params.snapshot.session, (driver, run) => driver.resume({ ...params, run })),
    );
  }

  async #resumeByBoundary(params: ResumeParams): Promise<Answer> {
    this.#clockMs = params.clock_ms ?? this.#clockMs;
    const snapshot = this.#extended(params.snapshot);
    this.#journal.handOver(snapshot);
    return await this.#byBoundary(params, (driver, run) => driver.resume({ ...params, snapshot, journal: true, run }));
  }

  /** The run to which a leg belongs, named by the leg. */
  static ofLeg(leg: string): string {
    return leg.slice(0, leg.lastIndexOf("."));
  }

  /** Runs one turn on the next driver. The active agent and the context variables are passed along: the session has neither. */
  async #goOn(session: Session, { agent, context }: Pick<RunResult, "agent" | "context">): Promise<Answer> {
    const { options } = this.#start;
    const next = { ...this.#start, session, agent, options: { ...options, max_turns: 1 }, ...(context && { context }) };
    this.#from = answersSoFar(this.#seen);
    const answer = await this.#leg(session, (driver, run) => driver.run({ ...next, run }));
    const { turns } = answer.result;
    const what = `${this.#last.name} took ${turns} turns, though max_turns was 1`;
    if (turns > 1) this.#seen.failures.push(breach("LOOP-23", what, { expected: 1, received: turns }));
    return await this.#after(answer);
  }

  /** Hands the run over if only the limit of one turn ended it. */
  async #after({ session, result }: Answer): Promise<Answer> {
    const total = together(this.#total, result);
    const { max_turns: most = maxTurns }: RunOptions = this.#start.options ?? {};
    const isOver = result.status !== "max_turns" || result.turns === 0 || total.turns >= (most ?? Infinity);
    // The result of the resume includes that of the suspended run, so it is not added here.
    if (isOver) return { session: withoutMarks(session), result: total };
    this.#total = total;
    return await this.#goOn(this.#marked(session), result);
  }

  /** Who had, or has, the last leg. */
  get #last(): RelayDriver {
    return this.#drivers[(this.#legs + 1) % 2]!;
  }

  /** @param given what the leg begins with */
  async #leg(given: Session, play: Play): Promise<Answer> {
    const before = this.#last;
    const found = this.#seen.failures.length;
    const answer = await this.#play(play);
    const { session, result } = answer;
    const handed = this.#legs > 1 ? `what ${before.name} had handed over` : "what it was given";
    // What a driver did to the session is why its requests are wrong, and stands before that.
    const kept = { ...given, messages: wellFormed(given.messages) }; // [SESSION-33]
    this.#seen.failures.splice(found, 0, ...checkKept(kept, session, `${this.#last.name} changed ${handed}`));
    const had = { messages: given.messages.length, answers: this.#from };
    this.#foundInTheTurnOf(this.#last, checkLeg({ session: withoutMarks(session), result }, had, this.#seen));
    return answer;
  }

  /** Has the next driver play a leg. */
  async #play(play: Play): Promise<Answer> {
    this.#legs += 1;
    const driver = this.#last;
    if (this.#legs > 1) this.#onHandedOver(this.#manner);
    const found = this.#seen.failures.length;
    this.leg = { name: `${this.#start.run}.${this.#legs}`, driver };
    const playing = play(driver, this.leg.name);
    this.#isRecovered = this.#between !== undefined;
    this.#between?.resolve();
    this.#between = undefined;
    const answer = await playing.finally(() => {
      this.leg = undefined;
      // The request before may be that of the other driver, which need not write the same with the same bytes.
      const own = this.#seen.failures.splice(found).filter(({ requirement }) => requirement !== "PROVIDER-13");
      this.#foundInTheTurnOf(driver, own);
    });
    if (!answer.session || !answer.result)
      throw new Error(
        `${driver.name} answered without its ${answer.session ? "result" : "session"}, though it says that it reports it`,
      );
    return { session: answer.session, result: answer.result };
  }

  #foundInTheTurnOf({ name }: RelayDriver, failures: readonly Failure[]): void {
    const where = `in the turn of ${name}`;
    this.#seen.failures.push(...failures.map((failure) => ({ ...failure, message: `${where}: ${failure.message}` })));
  }

  /** What the leg has added is marked; what the caller gave is not touched. */
  #marked(session: Session): Session {
    const { length } = this.#start.session.messages;
    const marked: object = { [mark]: this.#legs };
    const messages = session.messages.map((message, index) =>
      index < length || mark in message ? message : { ...message, ...marked },
    );
    return { ...session, ...marked, messages };
  }
}

/** The decision about a call that the relay has executed. */
async function answerOf(call: PendingCall, execute: Execute): Promise<ResumeDecision> {
  const { output = "", is_error } = await execute(call);
  return { id: call.id, action: "respond", output, ...(is_error && { is_error }) };
}

/** A driver from which the journal was taken ends its leg, because it can write nothing down any more. @see JOURNAL-10 */
function checkDismissed({ result: { status, error } }: Answer): Failure[] {
  if (status === "error" && error?.kind === "superseded") return [];
  const received = { status, error: error ?? null };
  return [breach("JOURNAL-25", "a leg whose journal was taken ended otherwise", { expected: "superseded", received })];
}

/** What a driver answered, without the marks of the relay in its sessions. */
function handedBack({ session, result }: Answer): Answer {
  const { snapshot } = result;
  const unmarkedSnapshot = snapshot && { ...snapshot, session: withoutMarks(snapshot.session) };
  return { session: withoutMarks(session), result: { ...result, ...(snapshot && { snapshot: unmarkedSnapshot! }) } };
}

/** What a driver answered, without the marks of the relay. */
function unmarked({ session, result }: Answer): Answer {
  return { session: withoutMarks(session), result };
}

/** @see SESSION-1 SESSION-2 */
function checkKept(given: Session, kept: Session, what: string): Failure[] {
  const messages = kept.messages.slice(0, given.messages.length);
  const changes = matchData(given, { ...kept, messages }, "", true).slice(0, 3);
  return changes.map(({ path, expected, received, message }) => {
    const requirement = received === undefined && /^\/messages\/\d+$/.test(path) ? "SESSION-1" : "SESSION-2";
    return breach(requirement, `${what}: ${path} ${message}`, { path, expected, received });
  });
}
