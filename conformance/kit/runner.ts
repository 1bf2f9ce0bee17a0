// Runs the selected variants against one driver and gives each exactly one verdict, whatever the driver does.

import { readFileSync } from "node:fs";
import type { Failure, InitializeResult, Report, Totals, VariantResult, Verdict } from "../../reference/types.ts";
import { CaseRun } from "./case-run.ts";
import type { ProviderCodec, ProviderName } from "./codec.ts";
import { findDriver, quoteWord } from "./driver-command.ts";
import type { NamedDriver } from "./driver-command.ts";
import { DriverCrash, DriverSession, DriverTimeout, StartError, specVersion, withLine } from "./driver-session.ts";
import { fillCase } from "./fill-case.ts";
import type { FilledCase } from "./fill-case.ts";
import { judge } from "./judge.ts";
import { packagePath } from "./package-root.ts";
import type { ReplayServer } from "./replay-server.ts";
import { DriverError, ProtocolError } from "./rpc.ts";
import { readScript } from "./script.ts";
import { newSeed, randomId, seeded } from "./seeded.ts";
import { select } from "./selection.ts";
import type { Selected, Selection } from "./selection.ts";
import { loadSuite } from "./suite.ts";
import type { Suite, SuiteCase } from "./suite.ts";
import { canExpress, canRun, unreported } from "./variant.ts";

/** What to run, against whom, and who hears of it. */
export interface RunSuiteOptions {
  /** A name, a folder with an agent-loop.json, or a command. */
  driver: string | NamedDriver;
  /** Absent: the suite of the package. */
  suite?: Suite;
  select?: Selection;
  /** How many runs may be in flight, if the driver allows it. */
  jobs?: number;
  /** How long one run may take in all, and the handshake, in milliseconds. */
  timeoutMs?: number;
  /** Absent: a new one. */
  seed?: number;
  onStart?(start: RunStart): void;
  /** Hears of each verdict as soon as it is known; once more if something happens later that changes it. */
  onResult?(result: VariantResult): void;
}

/** What is known before the first run. */
export interface RunStart {
  driver: NamedDriver;
  /** Absent if the driver never initialised. */
  handshake?: InitializeResult;
  seed: number;
  selected: number;
}

/** What came of it. */
export interface SuiteRun {
  report: Report;
  driver: NamedDriver;
  /** Why the driver never initialised, if it did not. */
  startError?: string;
}

/** Verdicts that nobody has to look at. */
const quietVerdicts: readonly Verdict[] = ["pass", "expected-fail", "unsupported", "not-applicable"];
/** Verdicts of variants that were run. */
const executedVerdicts: readonly Verdict[] = ["pass", "fail", "expected-fail", "unexpected-pass"];

const defaults = { jobs: 8, timeoutMs: 10_000 };
/**
 * Runs the suite.
 * @throws LoadError if cases are wrong, UnknownDriverError if the driver cannot be found
 */
export async function runSuite(options: RunSuiteOptions): Promise<SuiteRun> {
  const driver = typeof options.driver === "string" ? findDriver(options.driver) : options.driver;
  const suite = options.suite ?? (await loadSuite());
  const runner = new Runner(driver, suite, options);
  return await runner.run();
}

/** 0: all is well. 1: something failed, or nothing was executed. 3: the driver never initialised, or the kit failed. */
export function exitCodeOf({ report: { totals }, startError }: SuiteRun): 0 | 1 | 3 {
  if (startError !== undefined || totals["harness-error"] > 0) return 3;
  const red = totals.fail + totals["unexpected-pass"] + totals["not-run"];
  const executed = executedVerdicts.reduce((sum, verdict) => sum + totals[verdict], 0);
  return red > 0 || executed === 0 ? 1 : 0;
}

/** How many results have which verdict. `selected` is the sum of the others. @see KIT-2 */
export function countVerdicts(results: readonly VariantResult[]): Totals {
  const totals: Totals = { selected: results.length, pass: 0, fail: 0, "expected-fail": 0, "unexpected-pass": 0, unsupported: 0, "not-applicable": 0, "not-run": 0, "harness-error": 0 };
  for (const { verdict } of results) totals[verdict] += 1;
  return totals;
}

/** Whether a verdict needs nobody's attention. */
export function isQuiet(verdict: Verdict): boolean {
  return quietVerdicts.includes(verdict);
}

interface Job extends Selected {
  index: number;
  /** Runs with nothing beside it, because it was in flight when a driver died. */
  alone: boolean;
}

type Judged = Pick<VariantResult, "verdict"> & Partial<VariantResult>;

class Runner {
  readonly #driver: NamedDriver;
  readonly #options: RunSuiteOptions;
  readonly #seed: number;
  readonly #timeoutMs: number;
  readonly #selected: Selected[];
  readonly #results: (VariantResult | undefined)[];
  /** Which job a run belonged to. */
  readonly #jobOfRun = new Map<string, Job>();
  readonly #startedAt = performance.now();
  readonly #filled = new Map<string, FilledCase>();
  #codecs: Partial<Record<ProviderName, ProviderCodec>> = {};
  #server: ReplayServer | undefined;
  #session: DriverSession | undefined;
  #starting: Promise<DriverSession> | undefined;
  #startError: string | undefined;
  #restartError: string | undefined;
  #runs = 0;

  constructor(driver: NamedDriver, suite: Suite, options: RunSuiteOptions) {
    this.#driver = driver;
    this.#options = options;
    this.#seed = options.seed ?? newSeed();
    this.#timeoutMs = options.timeoutMs ?? defaults.timeoutMs;
    this.#selected = select(suite.cases, options.select ?? {});
    this.#results = this.#selected.map(() => undefined);
  }

  async run(): Promise<SuiteRun> {
    let handshake: InitializeResult | undefined;
    try {
      const starting = this.#currentSession();
      await this.#prepareWire();
      handshake = (await starting).handshake;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#startError = error.message;
    }
    this.#options.onStart?.({ driver: this.#driver, ...(handshake && { handshake }), seed: this.#seed, selected: this.#selected.length });
    try {
      await this.#runAll(this.#plan(handshake), handshake);
    } finally {
      await Promise.all([this.#session?.stop(), this.#server?.stop()]);
    }
    return this.#finish(handshake);
  }

  /** Gives a verdict to everything that is not run, and returns the rest. */
  #plan(handshake: InitializeResult | undefined): Job[] {
    const jobs: Job[] = [];
    for (const [index, { entry, variant }] of this.#selected.entries()) {
      const job = { entry, variant, index, alone: false };
      const { case: filled } = this.#fill(entry);
      const codec = variant.seam === "generic" ? undefined : this.#codecs[variant.seam];
      const expressible = canExpress(variant, readScript(filled, "plan"), codec);
      const runnable = handshake ? canRun(variant, entry.case, handshake) : true;
      if (expressible !== true) this.#set(job, { verdict: "not-applicable", reason: expressible });
      else if (runnable !== true) this.#set(job, { verdict: "unsupported", reason: runnable });
      else if (!handshake) this.#set(job, { verdict: "not-run", reason: `the driver never initialised: ${firstLine(this.#startError ?? "")}` });
      else jobs.push(job);
    }
    return jobs;
  }

  async #runAll(jobs: Job[], handshake: InitializeResult | undefined): Promise<void> {
    const queue = [...jobs];
    const alone: Job[] = [];
    const lanes = Math.max(1, Math.min(this.#options.jobs ?? defaults.jobs, handshake?.concurrency ?? 1));
    const lane = async () => {
      for (let job = queue.shift(); job; job = queue.shift()) if (!(await this.#runJob(job))) alone.push({ ...job, alone: true });
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    alone.sort((left, right) => left.index - right.index);
    for (const job of alone) await this.#runJob(job);
  }

  /** Runs a job; false if it has to be repeated alone, because it is not clear whether it is to blame. */
  async #runJob(job: Job): Promise<boolean> {
    const startedAt = performance.now();
    const done = (judged: Judged) => {
      this.#set(job, { ...judged, duration_ms: performance.now() - startedAt });
      return true;
    };
    let session: DriverSession;
    try {
      session = await this.#currentSession();
    } catch (error) {
      this.#restartError ??= (error as Error).message;
      return done({ verdict: "not-run", reason: `the driver could not be started again: ${firstLine(this.#restartError)}` });
    }
    const run = `r${++this.#runs}`;
    this.#jobOfRun.set(run, job);
    let caseRun: CaseRun | undefined;
    try {
      caseRun = this.#caseRun(run, job, session);
      // A run without a sign of life for half of its time is given up.
      await session.play(run, caseRun, this.#timeoutMs / 2, this.#timeoutMs);
      return done(this.#judged(caseRun, job, session.handshake));
    } catch (error) {
      // A driver that died took every run in flight with it; only one that was alone is surely to blame.
      if (session.failure !== undefined && session.lost > 1 && !job.alone) return false;
      return done(await this.#failed(error as Error, caseRun, job));
    }
  }

  #caseRun(run: string, { entry, variant }: Job, session: DriverSession): CaseRun {
    const filled = this.#fill(entry);
    const codec = variant.seam === "generic" ? undefined : this.#codecs[variant.seam];
    return new CaseRun({
      run,
      filled,
      script: readScript(filled.case, run),
      variant,
      driver: session.handshake,
      connection: session.connection,
      apiKey: randomId(seeded(this.#seed, run), "test-key-"),
      ...(codec && { codec }),
      ...(this.#server && { server: this.#server }),
    });
  }

  #fill(entry: SuiteCase): FilledCase {
    const known = this.#filled.get(entry.id);
    if (known) return known;
    const filled = fillCase(entry.case, this.#seed, entry.id);
    this.#filled.set(entry.id, filled);
    return filled;
  }

  #judged(run: CaseRun, { entry }: Job, handshake: InitializeResult): Judged {
    const failures = judge(run.seen);
    if (failures.length > 0) return { verdict: "fail", failures, exchanges: run.seen.exchanges };
    const missing = unreported(entry.case, handshake);
    if (missing.length > 0) return { verdict: "unsupported", reason: `the driver does not report ${missing.join(" and ")}; what the kit saw itself was as expected` };
    return { verdict: "pass" };
  }

  async #failed(error: Error, run: CaseRun | undefined, { entry }: Job): Promise<Judged> {
    const failure = failureOf(error);
    const exchanges = run?.seen.exchanges ?? [];
    if (!failure) return { verdict: "harness-error", reason: `the kit failed: ${error.stack ?? error.message}` };
    const earlier = (run?.seen.failures ?? []).map((seen) => ({ ...seen, requirement: seen.requirement ?? entry.case.requires[0]! }));
    return { verdict: "fail", failures: [failure, ...earlier].slice(0, 12), exchanges };
  }

  /** Something happened after the end of a run that is its fault. */
  #afterwards(run: string, error: Error): void {
    const job = this.#jobOfRun.get(run);
    const result = job && this.#results[job.index];
    const failure = failureOf(error);
    if (!job || !result || !failure || (result.verdict !== "pass" && result.verdict !== "fail")) return;
    const failures = [...(result.failures ?? []), { ...failure, message: `after the run had been answered: ${failure.message}` }];
    this.#set(job, { verdict: "fail", failures, exchanges: result.exchanges ?? [], duration_ms: result.duration_ms });
  }

  #set({ entry, variant, index }: Job, judged: Judged): void {
    const requirement = entry.case.requires[0]!;
    const result: VariantResult = {
      check: `${entry.id}#${requirement}`,
      case: entry.id,
      requirement,
      variant: variant.name,
      duration_ms: 0,
      ...judged,
      ...(!isQuiet(judged.verdict) && { repro: this.#repro(entry.id, variant.name) }),
    };
    this.#results[index] = result;
    this.#options.onResult?.(result);
  }

  #repro(id: string, variant: string): string {
    return `npx agent-loop test --driver ${quoteWord(this.#driver.argument)} --case ${id} --variant ${variant} --seed ${this.#seed}`;
  }

  /** The living session; a new one where the last one died. */
  #currentSession(): Promise<DriverSession> {
    if (this.#session && !this.#session.failure) return Promise.resolve(this.#session);
    if (this.#restartError !== undefined) return Promise.reject(new StartError(this.#restartError));
    this.#starting ??= DriverSession.start(this.#driver.command, this.#timeoutMs, { afterwards: (run, error) => this.#afterwards(run, error) })
      .then((session) => (this.#session = session))
      .finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #prepareWire(): Promise<void> {
    if (this.#selected.every(({ variant }) => variant.seam === "generic")) return;
    const [{ startReplayServer }, { codecs }] = await Promise.all([import("./replay-server.ts"), import("./providers/index.ts")]);
    this.#codecs = codecs;
    this.#server = await startReplayServer();
  }

  async #finish(handshake: InitializeResult | undefined): Promise<SuiteRun> {
    const unfinished: Judged = { verdict: "harness-error", reason: "the kit lost this variant" };
    for (const [index, selected] of this.#selected.entries()) if (!this.#results[index]) this.#set({ ...selected, index, alone: false }, unfinished);
    const variants = this.#results as VariantResult[];
    await Promise.all(variants.map((result, index) => this.#locate(result, this.#selected[index]!)));
    const report: Report = {
      report: 1,
      kit: kitVersion(),
      spec: specVersion,
      seed: this.#seed,
      ...(handshake && { implementation: handshake }),
      totals: countVerdicts(variants),
      variants,
      duration_ms: performance.now() - this.#startedAt,
    };
    return { report, driver: this.#driver, ...(this.#startError !== undefined && { startError: this.#startError }) };
  }

  /** The line to look at, found only for failures, because it means parsing the file again. */
  async #locate(result: VariantResult, { entry }: Selected): Promise<void> {
    if (result.verdict !== "fail") return;
    const { lineOf } = await import("./case-file.ts");
    const path = result.failures?.find((failure) => failure.path?.startsWith("/expect/"))?.path ?? "/requires/0";
    result.line = lineOf(readFileSync(entry.file, "utf8"), path);
  }
}

/** The failure that an error of the driver is; undefined if the error is the kit's. */
function failureOf(error: Error): Failure | undefined {
  if (error instanceof DriverCrash) return { code: "driver_crashed", message: error.message };
  if (error instanceof DriverTimeout) return { code: "driver_timeout", message: error.message };
  if (error instanceof ProtocolError) return { code: "protocol_error", message: withLine(error) };
  if (error instanceof DriverError) return { code: "driver_error", message: error.message };
  return undefined;
}

function kitVersion(): string {
  return (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}
