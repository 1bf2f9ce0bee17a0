// Combines two drivers into one: every run is handed over between them after each turn.

import type { PendingCall, ToolExecuteResult, VariantResult } from "../../../schemas/types.ts";
import { commandLine } from "../base/cli-name.ts";
import type { DriverEnd, ProcessListener } from "../driver/types.ts";
import { inProcess } from "../driver/in-process.ts";
import type { DriverMethods, Kit, KitError } from "../driver/in-process.ts";
import { quoteWord } from "../driver/quote-word.ts";
import { relayable } from "./cases.ts";
import { RelayCoverage } from "./coverage.ts";
import { RelayDriver } from "./driver.ts";
import type { RelayListener } from "./driver.ts";
import { bothOf } from "./handshake.ts";
import { unmarkedParams } from "./marks.ts";
import { RelayRun } from "./run.ts";
import { repeatOptions } from "../run/repro-options.ts";
import type { RunSuiteOptions, TestedDriver } from "../run/types.ts";

/** What `runSuite` needs to run the suite as a relay. */
export type Relay = Required<Pick<RunSuiteOptions, "driver" | "applies" | "witness" | "repro">> & {
  driver: TestedDriver;
  /** What was handed over of what both drivers have, and what was not, once the suite was run. @see KIT-36 */
  summary(variants: readonly VariantResult[]): string[];
};

/**
 * A relay of two drivers, of which the first begins every run.
 * @see KIT-19 SESSION-22
 */
export function relayOf(first: TestedDriver, second: TestedDriver): Relay {
  const name = `${first.name} ⇄ ${second.name}`;
  const pair = `--driver ${quoteWord(first.argument)} --relay ${quoteWord(second.argument)}`;
  const runs = new Map<string, RelayRun>();
  const coverage = new RelayCoverage();
  return {
    driver: { name, argument: name, command: (listener) => new OpenRelay([first, second], runs, coverage, listener) },
    summary: (variants) => coverage.lines(variants),
    applies: ({ entry }) => relayable(entry.case, coverage.keepJournals),
    witness: (run, seen) => {
      runs.set(run, new RelayRun(seen, (manner) => coverage.handedOver(run, seen.filled, manner)));
      return () => void runs.delete(run);
    },
    repro: (failed) => `${commandLine} test ${pair} ${repeatOptions(failed)}`,
  };
}

/** A driver for the kit, and the kit for two drivers. */
class OpenRelay implements DriverEnd {
  readonly pid = undefined;
  readonly #drivers: readonly [RelayDriver, RelayDriver];
  readonly #runs: Map<string, RelayRun>;
  readonly #coverage: RelayCoverage;
  readonly #kit = Promise.withResolvers<Kit>();
  readonly #end: DriverEnd;
  #hasEnded = false;

  constructor(
    [first, second]: readonly [TestedDriver, TestedDriver],
    runs: Map<string, RelayRun>,
    coverage: RelayCoverage,
    listener: ProcessListener,
  ) {
    this.#runs = runs;
    this.#coverage = coverage;
    const driverListener: RelayListener = {
      request: (method, params, reply) => this.#forward(method, params, reply),
      notification: (method, params) => this.#tell(method, params),
      unreadable: (why, line) => {
        if (!this.#hasEnded) listener.unreadable(why, line);
      },
      exit: (exit) => {
        if (!this.#hasEnded) listener.exit(exit);
        this.#hasEnded = true;
      },
    };
    this.#drivers = [new RelayDriver(first, driverListener), new RelayDriver(second, driverListener)];
    this.#end = inProcess((kit) => {
      this.#kit.resolve(kit);
      return this.#methods();
    })(listener);
  }

  get stderr(): string {
    return this.#drivers.map(({ stderr }) => stderr).join("");
  }

  get silence(): string {
    const holders = new Set([...this.#runs.values()].flatMap(({ leg }) => leg?.driver.name ?? []));
    return holders.size === 0 ? "" : `; it is the turn of ${[...holders].join(" and of ")}`;
  }

  write(line: string): void {
    this.#end.write(line);
  }

  async stop(): Promise<undefined> {
    this.#hasEnded = true;
    await Promise.all([this.#end.stop(), ...this.#drivers.map((driver) => driver.stop())]);
  }

  async kill(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all([this.#end.kill(), ...this.#drivers.map((driver) => driver.kill())]);
  }

  #methods(): DriverMethods {
    const drivers = this.#drivers;
    return {
      initialize: async (params) => {
        const [first, second] = await Promise.all(drivers.map((driver) => driver.initialize(params)));
        this.#coverage.between(first!, second!);
        return bothOf(first!, second!);
      },
      run: (params) => this.#runs.get(params.run)!.run(params, drivers, (call) => this.#execute(params.run, call)),
      resume: (params) => this.#runs.get(params.run)!.resume(params),
      recover: (params) => this.#runs.get(params.run)!.recover(params, drivers),
      barrier: (params) => this.#runs.get(params.run)?.barrier() ?? {},
      "clock/advance": (params) => this.#runs.get(params.run)!.advance(params),
      cancel: (params) => this.#runs.get(params.run)?.tell("cancel", params),
      stop: (params) => this.#runs.get(params.run)?.tell("stop", params),
      switch_model: (params) => this.#runs.get(params.run)?.tell("switch_model", params),
      "tool/progress": (params) => this.#runs.get(params.run)?.tell("tool/progress", params),
      steer: (params) => this.#runs.get(params.run)?.tell("steer", params),
    };
  }

  /** Executes a call that a driver has left to its caller. */
  async #execute(run: string, { id, name, input }: PendingCall): Promise<ToolExecuteResult> {
    const kit = await this.#kit.promise;
    try {
      return await kit.request("tool/execute", { run, call: { id, name, input } });
    } catch (thrown) {
      return { output: (thrown as KitError).message, is_error: true };
    }
  }

  /** Forwards what a driver says in its leg. */
  #tell(...[method, params]: Parameters<RelayListener["notification"]>): void {
    const name = RelayRun.ofLeg(params.run);
    const run = this.#runs.get(name);
    if (run?.leg?.name !== params.run) return;
    // A tool whose time was over may be signalled at the moment at which its turn ends, and the run is taken.
    if (method !== "tool/abort" && !run.isHeard) return;
    const forwarded = { ...unmarkedParams(params), run: name };
    void this.#kit.promise.then((kit) => kit.notify(method, forwarded as never));
  }

  /** Forwards the requests of a driver in its leg to the kit, under the name of the whole run. */
  #forward(...[method, params, reply]: Parameters<RelayListener["request"]>): boolean {
    const name = RelayRun.ofLeg(params.run);
    const run = this.#runs.get(name);
    if (run?.leg?.name !== params.run) return false;
    const own = run.answer(method, params);
    if (own) {
      reply.result(own);
      return true;
    }
    const forwarded = { ...unmarkedParams(params), run: name };
    void this.#kit.promise
      .then((kit) => kit.request(method, forwarded as never))
      .then(reply.result, ({ message, data }: KitError) =>
        reply.error(message, Object.keys(data).length > 0 ? data : undefined),
      );
    return true;
  }
}
