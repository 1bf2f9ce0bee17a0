// The suite as tests of Stryker: each variant is played alone, against the reference in this process.

import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inProcess, isQuiet, loadSuite, runSuite } from "../../kit/index.ts";
import type { Selection, TestedDriver } from "../../kit/index.ts";
import { select } from "../../kit/suite/selection.ts";
import type { Selected } from "../../kit/suite/selection.ts";

const driverFile = "conformance/drivers/reference/driver.ts";
/** How long one variant may take; without a sign of life it is given up after half of that. */
const timeoutMs = 10_000;

/** The driver of a folder, with the reference that is there, in this process instead of one of its own. */
async function driverIn(folder: string): Promise<TestedDriver> {
  const rpcHere = new URL("rpc-here.ts", import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === "./json-rpc.ts" ? rpcHere : specifier, context),
  });
  await import(pathToFileURL(join(folder, driverFile)).href);
  const { loadedDriver } = await import("./rpc-here.ts");
  return { name: "reference, in this process", argument: "", command: inProcess(loadedDriver) };
}

/** Some variants of the suite, by their titles. */
export class Variants {
  readonly #driver: TestedDriver;
  readonly #selected: ReadonlyMap<string, Selected>;
  readonly #suite: Awaited<ReturnType<typeof loadSuite>>;
  /** Of the random ids and words. A run that was given up keeps its session, so that none after it may have one of the same name. */
  #seed = 1;
  #thrown: unknown;

  private constructor(driver: TestedDriver, suite: Awaited<ReturnType<typeof loadSuite>>, play: Selection[]) {
    this.#driver = driver;
    this.#suite = suite;
    const selected = play.flatMap((selection) => select(suite.cases, selection));
    this.#selected = new Map(selected.map((one) => [`${one.entry.id} ${one.variant.name}`, one]));
    // What is thrown outside of any awaited call would end the process, and Stryker would know nothing of the mutant.
    process.on("uncaughtException", (error) => (this.#thrown = error));
    process.on("unhandledRejection", (error) => (this.#thrown = error));
  }

  /**
   * @param folder where the reference and its driver are
   * @param play which variants, in their order
   */
  static async of(folder: string, play: Selection[]): Promise<Variants> {
    return new Variants(await driverIn(folder), await loadSuite(), play);
  }

  get titles(): string[] {
    return [...this.#selected.keys()];
  }

  /** Plays a variant; returns what is wrong with it, or nothing. */
  async play(title: string): Promise<string | undefined> {
    const wrong = await this.#play(title);
    if (wrong !== undefined) this.#seed += 1;
    return wrong;
  }

  async #play(title: string): Promise<string | undefined> {
    const { entry, variant } = this.#selected.get(title)!;
    this.#thrown = undefined;
    const { report, startError } = await runSuite({
      driver: this.#driver,
      suite: { ...this.#suite, cases: [entry] },
      select: { variants: [variant.name] },
      knownFailures: null,
      timeoutMs,
      seed: this.#seed,
    });
    if (startError !== undefined) return startError;
    if (this.#thrown !== undefined) return `thrown outside of any awaited call: ${String(this.#thrown)}`;
    const red = report.variants.find(({ verdict }) => !isQuiet(verdict));
    return red && (red.failures?.[0]?.message ?? red.reason ?? red.verdict);
  }
}
