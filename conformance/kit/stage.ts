// What the players of one run share: what was seen, the case's actions and gates, and the proof that nothing more happens.

import type { Do, Failure, InitializeResult } from "../../reference/types.ts";
import { Actions, Gates, describeWhen } from "./actions.ts";
import { checkWaiting } from "./check-waiting.ts";
import type { ProviderCodec } from "./codec.ts";
import { ExpectedSession } from "./expected-session.ts";
import type { FilledCase } from "./fill-case.ts";
import { agentsOf, firstAgent, toolsOf } from "./given-agents.ts";
import type { Observation } from "./observation.ts";
import type { ReplayServer } from "./replay-server.ts";
import { DriverError } from "./driver-errors.ts";
import type { RpcConnection } from "./rpc.ts";
import type { ScriptStep } from "./script-step.ts";
import { untilTold } from "./until-told.ts";
import { takesBarrier } from "./variant.ts";
import type { Variant } from "./variant.ts";
import { WireTraffic } from "./wire-traffic.ts";

/** What one run needs. */
export interface CaseRunInput {
  /** Names the run, for the driver and in paths. */
  run: string;
  filled: FilledCase;
  script: ScriptStep[];
  variant: Variant;
  driver: InitializeResult;
  connection: Pick<RpcConnection, "request" | "notify">;
  /** The id of the session that the run begins with. */
  sessionId: string;
  /** What the driver has to send as its API key. */
  apiKey: string;
  /** How streams are cut into pieces: see `cutterOf`. Absent: not at all. */
  split?: number;
  /** Both present on the wire. */
  codec?: ProviderCodec;
  server?: ReplayServer;
}

/** How many barriers in a row bring nothing new before the kit believes that nothing more happens. */
export const quietRounds = 2;

/** The common ground of one run. */
export class Stage {
  readonly input: CaseRunInput;
  readonly seen: Observation;
  readonly actions: Actions;
  readonly gates = new Gates();
  readonly traffic = new WireTraffic();
  /** Whether the driver can be asked if it is done with everything. */
  readonly hasBarrier: boolean;
  /** Settles when the run has been answered for the last time, or was given up. */
  readonly over: Promise<void>;
  /** Rejects with what goes wrong outside of what anybody waits for. */
  readonly broken: Promise<never>;
  /** Counts everything that was observed. */
  clock = 0;
  isOver = false;
  /** The case has cancelled the run. */
  isCancelled = false;
  /** The driver has heard of it, so that what it begins now is wrong. */
  hasHeardCancel = false;
  /** Called with every sign of life of the run. */
  onActivity: () => void = () => undefined;
  /** How far the case has moved the clock, in milliseconds. */
  elapsedMs = 0;
  /** How many requests of the wire the kit has read and not answered whole. */
  serving: () => number = () => 0;
  /** Starts the second run. */
  onRunAgain: () => void = () => undefined;
  #sign = Promise.withResolvers<void>();
  /** How many written pieces of answers the driver still has to tell of. */
  #untold = 0;
  readonly #over = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<never>();
  #isWatching = false;

  constructor(input: CaseRunInput) {
    this.input = input;
    this.hasBarrier = takesBarrier(input.driver);
    this.over = this.#over.promise;
    this.broken = this.#broken.promise;
    this.broken.catch(() => undefined);
    const { given } = input.filled.case;
    this.actions = new Actions(input.filled.case.actions ?? [], (act) => this.#perform(act));
    this.seen = {
      filled: input.filled,
      sessionId: input.sessionId,
      variant: input.variant,
      driver: input.driver,
      ...(input.variant.seam !== "generic" && { apiKey: input.apiKey }),
      path: [],
      subruns: [],
      requests: [],
      executions: [],
      aborted: [],
      hooks: [],
      guardrails: [],
      findings: [],
      instructions: [],
      toolsets: [],
      mcpCalls: [],
      mcpListed: new Map(),
      progress: [],
      events: [[]],
      results: [],
      summaries: [],
      answers: [],
      disturbed: false,
      expected: new ExpectedSession(given.messages, Object.keys(agentsOf(given)), {
        agent: firstAgent(given),
        ...(given.context && { context: given.context }),
      }),
      exchanges: [],
      failures: [],
    };
  }

  /** Notes a sign of life. */
  tick(): void {
    this.clock += 1;
    this.#sign.resolve();
    this.#sign = Promise.withResolvers();
    this.onActivity();
  }

  /** Notes what was wrong. */
  fail(failures: Failure[]): void {
    this.seen.failures.push(...failures);
  }

  /** Ends the run with an error for which nobody waits. */
  break(error: unknown): void {
    this.#broken.reject(error);
  }

  /** The run was answered for the last time, or given up: what is held is let go. */
  end(): void {
    this.isOver = true;
    this.#over.resolve();
    this.gates.openAll();
  }

  /** Fires the actions whose time has come; settles when they are done. Their errors end the run, whether or not anybody waits. */
  async fire(): Promise<void> {
    try {
      await this.actions.fire();
    } catch (error) {
      this.break(error);
    }
  }

  /** Resolves when so many barriers in a row were answered without a sign of life in between. */
  async quiet(rounds: number): Promise<void> {
    for (let quiet = 0; quiet < rounds;) {
      const before = this.clock;
      // What is written in this turn of the event loop is handed over at its end: the barrier comes after it.
      await nextTurn();
      await this.#barrier();
      // Requests on the wire travel on another way than the barrier's answer: they are read in the next turns of the event loop.
      await nextTurn();
      await nextTurn();
      quiet = this.clock === before ? quiet + 1 : 0;
    }
  }

  /**
   * Resolves when the driver has dealt with what was just written of an answer: it has told of a piece more than `pieces`, where it
   * tells of pieces at all, and then has nothing more to do. What is written in one go arrives in one go, so that a sign of any of it
   * is a sign of all.
   */
  async dealtWith(pieces: number): Promise<void> {
    const { variant, driver } = this.input;
    const isTold = variant.seam !== "generic" && variant.transport === "sse" && driver.features?.includes("streaming");
    this.#untold += 1;
    if (isTold) await this.untilTold(this.#told(pieces));
    this.#untold -= 1;
    this.tick();
    if (this.hasBarrier) await this.quiet(quietRounds);
  }

  /** Resolves with `news` of the driver, and at the latest when it had time enough for them. */
  untilTold(news: Promise<unknown>): Promise<void> {
    return untilTold(news, () => this.#barrier());
  }

  /** While tools, hooks or writes are held, makes sure that the run cannot hang: where nothing more happens, nothing ever will. */
  watch(): void {
    if (this.#isWatching || this.isOver || this.#waitsForRealTime()) return;
    this.#isWatching = true;
    this.#untilReleased().catch((error: unknown) => this.break(error));
  }

  /** Whether the case moves the clock itself. */
  get usesClock(): boolean {
    const { actions = [] } = this.input.filled.case;
    return actions.some(({ do: act }) => typeof act === "object" && act.advance_ms !== undefined);
  }

  async #perform(act: Do): Promise<void> {
    const { connection, run } = this.input;
    if (act === "cancel" || act === "stop") {
      if (act === "cancel") this.#cancelled();
      connection.notify(act, { run });
      // What waits for this action goes on only after the driver has heard of it.
      if (this.hasBarrier) await this.quiet(1);
      this.hasHeardCancel = this.isCancelled;
      return this.watch();
    }
    if (act.steer !== undefined) {
      this.seen.expected.steer(act.steer);
      connection.notify("steer", { run, content: act.steer });
      if (this.hasBarrier) await this.quiet(1);
      return this.watch();
    }
    if (act.switch_model !== undefined) {
      connection.notify("switch_model", { run, model: act.switch_model });
      if (this.hasBarrier) await this.quiet(1);
      return this.watch();
    }
    if (act.advance_ms !== undefined) {
      if (this.hasBarrier) await this.quiet(1);
      this.fail(checkWaiting(this.seen));
      this.#unsettleRunning();
      this.elapsedMs += act.advance_ms;
      await connection.request("clock/advance", { run, ms: act.advance_ms });
      this.tick();
      return this.watch();
    }
    if (act.run_again) {
      this.onRunAgain();
      if (this.hasBarrier) await this.quiet(1);
      return this.watch();
    }
    for (const gate of [act.release ?? []].flat()) {
      this.gates.open(gate);
      // The driver has dealt with one end before it hears of the next.
      if (this.hasBarrier) await this.quiet(1);
    }
  }

  #cancelled(): void {
    this.isCancelled = true;
    for (const run of [this.seen, ...this.seen.subruns]) run.disturbed = true;
    this.#unsettleRunning();
  }

  /** What a running tool answers from now on may come too late to count. */
  #unsettleRunning(): void {
    for (const { id, end } of this.seen.executions) {
      if (end === undefined) for (const run of [this.seen, ...this.seen.subruns]) run.expected.unsettled(id);
    }
  }

  async #untilReleased(): Promise<void> {
    while (!this.isOver && this.gates.held > 0) {
      const before = this.clock;
      await this.quiet(quietRounds);
      if (this.isOver || this.gates.held === 0) break;
      if (this.actions.busy || this.clock !== before) continue;
      if (this.#isWireBusy()) await this.#nextSign();
      else this.#stuck();
    }
    this.#isWatching = false;
  }

  /** Settles with the next sign of life, or with the end of the run. */
  async #nextSign(): Promise<void> {
    await Promise.race([this.#sign.promise, this.over]);
  }

  /** Settles when the driver has told of more than so many pieces, or the run has ended. */
  async #told(pieces: number): Promise<void> {
    while (this.traffic.pieces <= pieces && !this.isOver) await this.#nextSign();
  }

  /** A piece of an answer is on its way, or a request or the end of an answer: the driver waits, and the kit is not answering it. */
  #isWireBusy(): boolean {
    return this.#untold > 0 || (this.input.variant.seam !== "generic" && this.traffic.asking > this.serving());
  }

  #waitsForRealTime(): boolean {
    if (this.usesClock) return false;
    const { given } = this.input.filled.case;
    const hasGrace = (given.options?.cancel_grace_ms ?? 0) > 0;
    const isTimed = toolsOf(given).some(({ timeout_ms }) => timeout_ms !== undefined);
    const { tool_timeout_ms, hook_timeout_ms } = given.options ?? {};
    return tool_timeout_ms != null || hook_timeout_ms != null || hasGrace || isTimed;
  }

  #stuck(): void {
    const running = this.seen.executions.filter(({ end }) => end === undefined).map(({ name }) => name);
    const waiting = this.actions.waiting.map(({ when }) => describeWhen(when));
    const reason = waiting.length > 0 ? `the case waits until ${waiting.join(", and until ")}` : "the run did not end";
    const held =
      running.length > 0 ? `${running.join(" and ")} ${running.length > 1 ? "run" : "runs"}` : "an answer is held";
    const message = `nothing more happens while ${held}; ${reason}`;
    this.seen.disturbed = true;
    this.fail([{ code: "stuck", message, received: running }]);
    this.gates.openAll();
  }

  async #barrier(): Promise<void> {
    if (!this.hasBarrier) return;
    try {
      await this.input.connection.request("barrier", { run: this.input.run });
    } catch (error) {
      // A driver may have forgotten a run that it has answered.
      if (!(error instanceof DriverError && this.isOver)) throw error;
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
