// What the players of one run share: what was seen, the case's actions and gates, and the proof that nothing more happens.

import type { Do, Failure, InitializeResult } from "../../reference/types.ts";
import { Actions, Gates, describeWhen } from "./actions.ts";
import type { ProviderCodec } from "./codec.ts";
import { ExpectedSession } from "./expected-session.ts";
import type { FilledCase } from "./fill-case.ts";
import type { Observation } from "./observation.ts";
import type { ReplayServer } from "./replay-server.ts";
import { DriverError } from "./rpc.ts";
import type { RpcConnection } from "./rpc.ts";
import type { ScriptStep } from "./script.ts";
import { takesBarrier } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** What one run needs. */
export interface CaseRunInput {
  /** Names the run, for the driver and in paths. */
  run: string;
  filled: FilledCase;
  script: ScriptStep[];
  variant: Variant;
  driver: InitializeResult;
  connection: Pick<RpcConnection, "request" | "notify">;
  /** What the driver has to send as its API key. */
  apiKey: string;
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
  readonly #over = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<never>();
  #isWatching = false;

  constructor(input: CaseRunInput) {
    this.input = input;
    this.hasBarrier = takesBarrier(input.driver);
    this.over = this.#over.promise;
    this.broken = this.#broken.promise;
    this.broken.catch(() => undefined);
    this.actions = new Actions(input.filled.case.actions ?? [], (act) => this.#perform(act));
    this.seen = {
      filled: input.filled,
      variant: input.variant,
      driver: input.driver,
      ...(input.variant.seam !== "generic" && { apiKey: input.apiKey }),
      requests: [],
      executions: [],
      aborted: [],
      events: [[]],
      results: [],
      answers: [],
      disturbed: false,
      expected: new ExpectedSession(input.filled.case.given.messages),
      exchanges: [],
      failures: [],
    };
  }

  /** Notes a sign of life. */
  tick(): void {
    this.clock += 1;
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
      await this.#barrier();
      // Requests on the wire travel on another way than the barrier's answer: they are read in the next turns of the event loop.
      await nextTurn();
      await nextTurn();
      quiet = this.clock === before ? quiet + 1 : 0;
    }
  }

  /** While tools or writes are held, makes sure that the run cannot hang: where nothing more happens, nothing ever will. */
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
    if (act.advance_ms !== undefined) {
      this.#unsettleRunning();
      await connection.request("clock/advance", { run, ms: act.advance_ms });
      this.tick();
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
    this.seen.disturbed = true;
    this.#unsettleRunning();
  }

  /** What a running tool answers from now on may come too late to count. */
  #unsettleRunning(): void {
    for (const { id, end } of this.seen.executions) if (end === undefined) this.seen.expected.unsettled(id);
  }

  async #untilReleased(): Promise<void> {
    while (!this.isOver && this.gates.held > 0) {
      const before = this.clock;
      await this.quiet(quietRounds);
      if (this.isOver || this.gates.held === 0) break;
      if (this.actions.busy || this.clock !== before) continue;
      this.#stuck();
    }
    this.#isWatching = false;
  }

  #waitsForRealTime(): boolean {
    if (this.usesClock) return false;
    const { options, tools } = this.input.filled.case.given;
    const hasGrace = (options?.cancel_grace_ms ?? 0) > 0;
    return (
      options?.tool_timeout_ms != null || hasGrace || (tools ?? []).some(({ timeout_ms }) => timeout_ms !== undefined)
    );
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
