// Plays one run as a relay: each driver takes it one turn further, and hands the session to the other.

import { wellFormed } from "../base/well-formed.ts";
import type {
  Failure,
  Message,
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
  ToolExecuteResult,
} from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { Observation } from "../observed/observation.ts";
import type { RelayDriver } from "./driver.ts";
import { mannerOf } from "./cases.ts";
import type { Manner } from "./cases.ts";
import { checkLeg } from "./check-leg.ts";
import { together } from "./result.ts";

/** The field that the relay writes into what it hands over. No loop knows it, and none may lose it. @see SESSION-2 */
const mark = "handed_over";
/** The field and the counter that the relay writes into a snapshot. @see LOOP-107 */
const extension = "com.example.handed_over";
/** How many turns a run may take by default. @see LOOP-26 */
const maxTurns = 20;

/** Executes a call that a driver has left to its caller. */
type Execute = (call: PendingCall) => Promise<ToolExecuteResult>;
type Answer = Required<Pick<RunResponse, "result" | "session">>;

/** One run, in legs. */
export class RelayRun {
  readonly #seen: Observation;
  #start!: RunParams;
  #drivers!: readonly [RelayDriver, RelayDriver];
  /** What the legs came to that are over. */
  #total: RunResult | undefined;
  #legs = 0;
  /** How many answers of the model came before the last leg that is not a resume. */
  #from = 0;
  /** The leg that is under way, and who has it. */
  leg: { name: string; driver: RelayDriver } | undefined;

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
    return await this.#goOn(start.session, start);
  }

  /** Lets the other driver recover what one has written down. */
  async recover(params: RecoverParams, drivers: readonly [RelayDriver, RelayDriver]): Promise<Answer> {
    this.#drivers = drivers;
    return unmarked(await this.#whole("recover", params));
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
    return await this.#after(
      await this.#leg(params.snapshot.session, (driver, run) => driver.resume({ ...params, run })),
    );
  }

  /** The run to which a leg belongs, named by the leg. */
  static ofLeg(leg: string): string {
    return leg.slice(0, leg.lastIndexOf("."));
  }

  /** Runs one turn on the next driver. The active agent and the context variables are passed along: the session has neither. */
  async #goOn(session: Session, { agent, context }: Pick<RunResult, "agent" | "context">): Promise<Answer> {
    const { options } = this.#start;
    const next = { ...this.#start, session, agent, options: { ...options, max_turns: 1 }, ...(context && { context }) };
    this.#from = this.#seen.answers.length;
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
  async #leg(given: Session, play: (driver: RelayDriver, run: string) => Promise<RunResponse>): Promise<Answer> {
    const before = this.#last;
    this.#legs += 1;
    const driver = this.#last;
    if (this.#legs > 1) this.#onHandedOver(this.#manner);
    const found = this.#seen.failures.length;
    this.leg = { name: `${this.#start.run}.${this.#legs}`, driver };
    const answer = await play(driver, this.leg.name).finally(() => {
      this.leg = undefined;
      // The request before may be that of the other driver, which need not write the same with the same bytes.
      const own = this.#seen.failures.splice(found).filter(({ requirement }) => requirement !== "PROVIDER-13");
      this.#foundInTheTurnOf(driver, own);
    });
    if (!answer.session || !answer.result)
      throw new Error(
        `${driver.name} answered without its ${answer.session ? "result" : "session"}, though it says that it reports it`,
      );
    const { session, result } = { ...answer, session: answer.session, result: answer.result };
    const handed = this.#legs > 1 ? `what ${before.name} had handed over` : "what it was given";
    // What a driver did to the session is why its requests are wrong, and stands before that.
    const kept = { ...given, messages: wellFormed(given.messages) }; // [SESSION-33]
    this.#seen.failures.splice(found, 0, ...checkKept(kept, session, `${driver.name} changed ${handed}`));
    const had = { messages: given.messages.length, answers: this.#from };
    this.#foundInTheTurnOf(driver, checkLeg({ session: withoutMarks(session), result }, had, this.#seen));
    return { session, result };
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

/** Without the marks of the relay. */
export function withoutMarks<Carrier extends { messages: Message[] }>(carrier: Carrier): Carrier {
  const { [mark]: _, ...rest } = carrier as Carrier & { [mark]?: unknown };
  return { ...rest, messages: carrier.messages.map(withoutMark) } as unknown as Carrier;
}

function withoutMark(message: Message): Message {
  const { [mark]: _, ...rest } = message as Message & { [mark]?: unknown };
  return rest as Message;
}
