// Runs the selected variants against one driver and gives each exactly one verdict, whatever the driver does.

import type { InitializeResult } from "../../../schemas/types.ts";
import type { CaseRun } from "../play/play-variant.ts";
import { CaseRuns } from "../play/variant-runs.ts";
import type { Manner } from "../play/variant-runs.ts";
import { findDriver } from "../driver/command.ts";
import { StartError } from "../driver/errors.ts";
import { Restarts } from "../driver/restarts.ts";
import type { DriverSession, SessionListener } from "../driver/session.ts";
import { wrongIntroduction } from "../driver/check-handshake.ts";
import { declaredFailures } from "./run-problems.ts";
import { usualTimeoutMs } from "./repro-options.ts";
import { RunReport } from "./run-report.ts";
import { newSeed } from "../base/seeded-random.ts";
import { select, shardOf } from "../suite/selection.ts";
import type { Selected } from "../suite/selection.ts";
import type { RunSuiteOptions, SuiteRun, TestedDriver } from "./types.ts";
import type { Suite } from "../suite/types.ts";
import { loadSuite } from "../suite/suite.ts";
import { VariantResults, checkOf } from "./variant-results.ts";
import { SharedDeaths } from "./shared-deaths.ts";
import { canRun, isStreamedVariant } from "../suite/variant.ts";
import { testedAt } from "../suite/levels.ts";
import { OwnProcesses } from "./own-process.ts";
import type { OwnProcess } from "./own-process.ts";
import { findingsAfter, underEnd, underSplit, verdictAfter, verdictOf } from "./verdict.ts";
import type { Judged, Judging } from "./verdict.ts";
import { failureOf } from "./verdicts.ts";

const defaults = { jobs: 8, startTimeoutMs: 20_000 };
/** A driver that takes longer to start runs on a machine that has much to do: everything may take so much longer there. */
const swiftStartMs = 1000;

/**
 * Runs the suite.
 * @throws LoadError if cases or known failures are wrong, UnknownDriverError if the driver cannot be found
 */
export async function runSuite(options: RunSuiteOptions): Promise<SuiteRun> {
  const driver = typeof options.driver === "string" ? findDriver(options.driver) : options.driver;
  const suite = options.suite ?? (await loadSuite());
  const known = options.knownFailures === undefined ? await declaredFailures(driver) : options.knownFailures;
  const runner = new Runner(driver, suite, { ...options, knownFailures: known ?? null });
  return await runner.run();
}

interface Job extends Selected {
  index: number;
  /** Runs with nothing beside it, because it was in flight when a driver died. */
  alone: boolean;
  /** The run before it, which is to blame for the driver's death if this one passes alone. */
  suspected?: { run: string; error: Error };
}

class Runner {
  readonly #driver: TestedDriver;
  readonly #suite: Suite;
  readonly #options: RunSuiteOptions;
  readonly #timeoutMs: number;
  readonly #selected: Selected[];
  readonly #report: RunReport;
  readonly #results: VariantResults;
  readonly #runsOfCases: CaseRuns;
  readonly #startMs: number;
  readonly #listener: SessionListener;
  readonly #lives: Restarts;
  readonly #ownProcesses: OwnProcesses;
  readonly #judging: Judging;
  readonly #deaths = new SharedDeaths();
  #startError: string | undefined;
  /** How often each variant was begun, by its index. */
  readonly #begun = new Map<number, number>();

  constructor(driver: TestedDriver, suite: Suite, options: RunSuiteOptions) {
    this.#driver = driver;
    this.#suite = suite;
    this.#options = options;
    const seed = options.seed ?? newSeed();
    this.#timeoutMs = options.timeoutMs ?? usualTimeoutMs;
    const { requirements } = suite.catalogue;
    const { level, details } = options;
    this.#judging = { requirements, level, isShown: details === "all" };
    const selection = select(suite.cases, options.select ?? {}).filter(
      (one) => (options.only?.(one) ?? true) && testedAt(one.entry.case.requires, requirements, level) !== undefined,
    );
    this.#selected = options.shard ? shardOf(selection, options.shard) : selection;
    this.#report = new RunReport({ driver, suite, options, seed, selection, selected: this.#selected });
    this.#runsOfCases = new CaseRuns(seed);
    this.#results = new VariantResults({
      selected: this.#selected,
      requirements,
      ...(level && { level }),
      repro: (selected, split) => this.#report.repro(selected, split),
      onResult: (result) => options.onResult?.(this.#report.published(result)),
    });
    this.#startMs = options.startTimeoutMs ?? driver.manifest?.start_timeout_ms ?? defaults.startTimeoutMs;
    this.#listener = {
      lateMessage: (run, error) => this.#results.lateMessage(run, error),
      endedBadly: (run, requirement, error) => this.#results.endedBadly(run, requirement, error),
      ...(options.onDriver && { started: options.onDriver }),
    };
    this.#lives = new Restarts({
      command: driver.command,
      startMs: this.#startMs,
      ...(options.assume && { assume: options.assume }),
      listener: this.#listener,
    });
    const { command } = driver;
    this.#ownProcesses = new OwnProcesses({
      command,
      startMs: this.#startMs,
      assume: options.assume ?? [],
      listener: this.#listener,
    });
  }

  async run(): Promise<SuiteRun> {
    let handshake: InitializeResult | undefined;
    try {
      const starting = this.#lives.current();
      // It may fail before anybody waits for it.
      starting.catch(() => undefined);
      await this.#runsOfCases.open(this.#selected.map(({ variant }) => variant));
      handshake = (await this.#untilEnded(starting))?.handshake;
      if (!handshake) throw new StartError("it was ended before it had answered initialize");
      const wrong = wrongIntroduction(handshake, this.#suite.catalogue, this.#driver.manifest);
      if (wrong) throw new StartError(wrong.message);
    } catch (error) {
      if (!(error instanceof StartError)) {
        // The driver and the server may be there by now, and would keep this process alive.
        await this.#lives.stop();
        await this.#runsOfCases.close();
        throw error;
      }
      handshake = undefined;
      this.#startError = error.message;
    }
    const header = this.#report.header(handshake);
    this.#options.onStart?.(header);
    try {
      const jobs = this.#plan(handshake);
      if (handshake) await this.#untilEnded(this.#runAll(jobs, handshake));
    } finally {
      await Promise.all([this.#lives.stop(), this.#ownProcesses.stop()]);
      if (this.#isEnded) this.#results.leave(String(this.#options.signal?.reason));
      this.#results.blameFor(this.#runsOfCases.strays);
      await this.#runsOfCases.close();
    }
    return this.#report.finish(header, this.#results.finish(), this.#startError);
  }

  get #isEnded(): boolean {
    return this.#options.signal?.aborted ?? false;
  }

  /** What the work comes to, or nothing if the run is ended before. */
  async #untilEnded<Result>(work: Promise<Result>): Promise<Result | undefined> {
    const { signal } = this.#options;
    if (!signal) return await work;
    if (signal.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const end = () => resolve(undefined);
    signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([work, promise]);
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  /** Gives a verdict to everything that is not run, and returns the rest. */
  #plan(handshake: InitializeResult | undefined): Job[] {
    const jobs: Job[] = [];
    for (const [index, { entry, variant }] of this.#selected.entries()) {
      const job = { entry, variant, index, alone: false };
      const applies = this.#options.applies?.(job) ?? true;
      const expressible = applies === true ? this.#runsOfCases.isExpressible(job, handshake) : applies;
      const runnable = handshake ? canRun(variant, entry.case, handshake) : true;
      if (expressible !== true) this.#results.set(index, { verdict: "not-applicable", reason: expressible });
      else if (runnable !== true) this.#results.set(index, { verdict: "unsupported", reason: runnable });
      else if (!handshake)
        this.#results.set(index, {
          verdict: "not-run",
          reason: `the driver never initialised: ${firstLine(this.#startError ?? "")}`,
        });
      else jobs.push(job);
    }
    return jobs;
  }

  async #runAll(jobs: Job[], handshake: InitializeResult): Promise<void> {
    const queue = [...jobs];
    const alone: Job[] = [];
    const lanes = Math.max(1, Math.min(this.#options.jobs ?? defaults.jobs, handshake.concurrency ?? 1));
    const lane = async () => {
      for (let job = queue.shift(); job && !this.#isEnded; job = queue.shift())
        if (!(await this.#runJob(job, handshake))) alone.push({ ...job, alone: true });
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    alone.sort((left, right) => left.index - right.index);
    for (const job of alone) if (!this.#isEnded) await this.#runJob(job, handshake);
    if (!this.#isEnded) this.#deaths.blame(this.#results);
  }

  /** Runs a job; false if it has to be repeated alone, because it is not clear whether it is to blame. */
  async #runJob(job: Job, handshake: InitializeResult): Promise<boolean> {
    const startedAt = performance.now();
    const begun = { check: checkOf(job.entry), variant: job.variant.name };
    this.#options.onBegin?.(begun);
    if (job.entry.case.given.journal) {
      const judged = await this.#playAlone(job, handshake);
      if (!this.#isEnded) this.#results.set(job.index, { ...judged, duration_ms: performance.now() - startedAt });
      return true;
    }
    let judged = await this.#play(job);
    let failed: number | undefined;
    // What is right as a whole has to be right however it is cut. @see KIT-18
    for (const split of isStreamedVariant(job.variant) ? (this.#options.splits ?? []) : []) {
      if (!judged || !isRight(judged) || this.#isEnded) break;
      this.#options.onBegin?.({ ...begun, split });
      const again = await this.#play(job, { split });
      if (again && isRight(again)) continue;
      judged = again && underSplit(again, split);
      failed = split;
    }
    // What fails while the run is ended fails because it is.
    if (this.#isEnded) return true;
    if (!judged) return false;
    this.#results.set(job.index, { ...judged, duration_ms: performance.now() - startedAt }, failed);
    return true;
  }

  /** Plays a variant in a process of its own, which the case may end. @see JOURNAL-6 */
  async #playAlone(job: Job, handshake: InitializeResult): Promise<Judged> {
    try {
      const judged = await this.#playIn(await this.#ownProcesses.take(handshake), job);
      return judged ?? (await this.#playIn(await this.#ownProcesses.start(handshake), job))!;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return { verdict: "not-run", reason: `the driver could not be started again: ${firstLine(error.message)}` };
    }
  }

  /** Plays a variant in a process in which nothing else is played; undefined if it is not clear whether it is to blame for its death. */
  async #playIn(own: OwnProcess, job: Job): Promise<Judged | undefined> {
    const { process, session } = own;
    try {
      const moments: string[] = [];
      const current = () => Promise.resolve(session);
      job.alone = !own.isUsed;
      let judged = await this.#play(job, { process }, current, (run) => void moments.push(...run.moments));
      if (!judged || job.entry.case.given.journal!.ends !== "everywhere") return judged;
      job.alone = true;
      for (const [index, moment] of moments.entries()) {
        if (!isRight(judged) || this.#isEnded) break;
        judged = underEnd((await this.#play(job, { process, endsAt: index + 1 }, current))!, moment);
      }
      return judged;
    } finally {
      await this.#ownProcesses.giveBack(own);
    }
  }

  /** What a run is called is said by what is played, so that it is the same for every driver; then by how often. */
  #nameRun({ index }: Job): string {
    const times = (this.#begun.get(index) ?? 0) + 1;
    this.#begun.set(index, times);
    return `r${index + 1}${times === 1 ? "" : `-${times}`}`;
  }

  /** Plays a variant once; undefined if it is not clear whether it is to blame for the death of the driver. */
  async #play(
    job: Job,
    how: Manner = {},
    current: () => Promise<DriverSession> = () => this.#lives.current(),
    played?: (run: CaseRun) => void,
  ): Promise<Judged | undefined> {
    let session: DriverSession;
    try {
      session = await current();
    } catch (error) {
      const failure = failureOf(error as Error);
      if (failure) {
        const { requirements, level } = this.#judging;
        const tested = testedAt(job.entry.case.requires, requirements, level)!;
        const findings = findingsAfter(tested, [failure], requirements);
        return { verdict: "fail", findings, failures: [failure] };
      }
      return {
        verdict: "not-run",
        reason: `the driver could not be started again: ${firstLine((error as Error).message)}`,
      };
    }
    const run = this.#nameRun(job);
    this.#results.begin(run, job.index);
    let caseRun: CaseRun | undefined;
    let forget: (() => void) | undefined;
    try {
      caseRun = this.#runsOfCases.make(run, job, session, how);
      forget = this.#options.witness?.(run, caseRun.seen);
      // A run without a sign of life for half of its time is given up.
      const totalMs = Math.round(this.#timeoutMs * Math.max(1, session.startMs / swiftStartMs));
      await session.play(run, caseRun, { idleMs: Math.round(totalMs / 2), totalMs });
      played?.(caseRun);
      if (job.suspected) this.#results.lateMessage(job.suspected.run, job.suspected.error);
      return verdictOf(caseRun, this.#judging);
    } catch (error) {
      this.#results.giveUp(run);
      // A driver that died took every run in flight with it; only one that was alone, and had begun, is surely to blame.
      if (session.failure !== undefined && session.failure === error && !job.alone) {
        if (session.suspectedRun !== undefined) job.suspected = { run: session.suspectedRun, error: session.failure };
        if (session.runsInFlight > 1 && !session.failedAfterGivenUp) this.#deaths.add(session.failure, job.index);
        if (session.runsInFlight > 1 || job.suspected) return undefined;
      }
      return verdictAfter(error as Error, caseRun, job.entry, this.#judging);
    } finally {
      forget?.();
    }
  }
}

/** Nothing was wrong, as far as it can be seen. */
function isRight({ verdict, failures }: Judged): boolean {
  return failures === undefined && (verdict === "pass" || verdict === "unsupported");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}
