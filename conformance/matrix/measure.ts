// Measures one row: installs it, and then, where the machine permits it without a network, plays the essential cases and runs the scripts.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Manifest, MatrixRow, MatrixScript, Peer } from "../../schemas/types.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { specVersion } from "../kit/base/protocol.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { readReport } from "../kit/index.ts";
import type { Report, Suite } from "../kit/index.ts";
import { offlineCommand } from "../probe/offline.ts";
import { cellsOf, playedByProvider } from "./cells.ts";
import { digestOf, installPeer, latestPackages, layOut, Unavailable, withOwnNode } from "./install.ts";
import type { Installed, InstallOptions } from "./install.ts";
import { nextMessages } from "./next-messages.ts";
import type { Source } from "./rows.ts";
import { runChild } from "./run-child.ts";
import type { ChildEnd } from "./run-child.ts";
import { runScripts, scriptsOf } from "./scripts.ts";
import type { RanScript } from "./scripts.ts";

/** How rows are measured. */
export interface MeasureOptions extends InstallOptions {
  suite: Suite;
  /** What runs the command line of the kit: a program and its first arguments. */
  commandLine: readonly string[];
  seed: number;
  jobs: number;
  /** How long one row may be played after it was installed, in milliseconds. */
  timeoutMs: number;
  /** Only these cases; absent: all that are essential. */
  cases?: readonly string[];
  root?: string;
  signal?: AbortSignal;
  /** Called with what is being done now. */
  onStep?(step: string): void;
}

/** How long one script may take, in milliseconds. */
const scriptMs = 90_000;

/** The row; one that says why, if it cannot be measured here. */
export async function measure(source: Source, options: MeasureOptions): Promise<MatrixRow> {
  const began = performance.now();
  const about = {
    ...source.about,
    measured_at: new Date().toISOString(),
    kit: kitVersion(),
    spec: specVersion,
    fingerprint: fingerprintOf(source, options.root),
  };
  const disputes = disputesOf(source.folder);
  try {
    const measured = "agent" in source ? await measureProgram(source, options) : await measureDriver(source, options);
    return {
      ...about,
      ...measured,
      ...(disputes !== undefined && { disputes }),
      duration_ms: Math.round(performance.now() - began),
    };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { ...about, ...(disputes !== undefined && { disputes }), unavailable: error.message };
  }
}

/** What its makers, or others, hold against a row stands beside its driver. */
function disputesOf(folder: string): string | undefined {
  const file = join(folder, "disputes.md");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

function kitVersion(): string {
  return (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version;
}

/** A digest of what is measured and of what measures it: as long as it is the same, a row need not be measured again. */
export function fingerprintOf(source: Source, root = packagePath()): string {
  const all = ["conformance/cases", "conformance/kit", "dist/conformance/kit", "conformance/probes"]
    .map((path) => join(root, path))
    .filter((path) => existsSync(path));
  const isCounted = (name: string) => !/^(node_modules|\.venv|target|__pycache__|testing)$|\.test\.\w+$/.test(name);
  const kit = digestOf(all, isCounted, kitVersion());
  if ("agent" in source) return digestOf([], isCounted, `${kit}${JSON.stringify({ ...source.agent, folder: "" })}`);
  return digestOf([source.folder], isCounted, kit);
}

type Measured = Omit<MatrixRow, keyof Source["about"] | "measured_at" | "kit" | "spec" | "fingerprint" | "disputes"> &
  Partial<Pick<MatrixRow, "packages">>;

async function measureDriver(source: Source, options: MeasureOptions): Promise<Measured> {
  const peer: Peer | undefined = "peer" in source ? source.peer : undefined;
  options.onStep?.("installing");
  const installed: Installed = peer ? installPeer(peer, source.folder, options) : {};
  const network = withoutNetwork();
  const packages = peer && options.latest ? latestPackages(peer, installed) : undefined;
  // Drivers in Python say the version that they find, and what they declare has to agree.
  const found = packages?.[0]?.registry === "pypi" ? packages[0].version : undefined;
  const played = await playDriver(source.folder, installed, network, options, found);
  const scripts = peer ? await confirm(peer, source.folder, installed, network, options) : [];
  return {
    ...rowOf(played, options.suite, scripts),
    ...(packages && { packages }),
    offline: network.isOffline,
    seed: options.seed,
  };
}

/** Plays the essential cases with the driver, in a fresh folder that is laid out as the project. */
async function playDriver(
  folder: string,
  installed: Installed,
  network: Network,
  options: MeasureOptions,
  latestVersion?: string,
): Promise<Report> {
  options.onStep?.("playing");
  // What this project's own drivers need stands all over it: they are played in their place.
  const isOwn = folder.includes("/conformance/drivers/");
  const fresh = mkdtempSync(join(tmpdir(), "agent-loop-matrix-"));
  try {
    const place = isOwn ? folder : layOut(folder, installed, fresh, options.root);
    if (latestVersion !== undefined) declareVersion(join(fresh, place), latestVersion);
    const file = join(fresh, "report.jsonl");
    const words = [
      ...["test", "--driver", place, "--level", "essential", "--reporter", `json=${file}`],
      ...["--seed", String(options.seed), "--jobs", String(options.jobs), "--timeout", "30000"],
      ...(options.cases ?? []).flatMap((one) => ["--case", one]),
    ];
    const end = await runKit(words, isOwn ? (options.root ?? packagePath()) : fresh, network, options);
    return reportIn(file, end);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function declareVersion(place: string, version: string): void {
  const file = join(place, "agent-loop.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  writeFileSync(file, JSON.stringify({ ...manifest, version }));
}

async function confirm(
  peer: Peer,
  folder: string,
  installed: Installed,
  network: Network,
  options: MeasureOptions,
): Promise<RanScript[]> {
  const scripts = scriptsOf(folder);
  let done = 0;
  options.onStep?.(`scripts 0/${scripts.length}`);
  return runScripts(scripts, {
    ...{ folder, installed, command: peer.repro, wrap: network.wrap, timeoutMs: scriptMs, root: options.root },
    ...{ jobs: Math.min(2, options.jobs), signal: options.signal },
    onRan: () => {
      done += 1;
      if (done % 10 === 0 || done === scripts.length) options.onStep?.(`scripts ${done}/${scripts.length}`);
    },
  });
}

/**
 * Probes a program; each breach is confirmed by the command that repeats its scenario, in the same run.
 * @throws Unavailable if it cannot be installed
 */
async function measureProgram({ about }: Source, options: MeasureOptions): Promise<Measured> {
  const name = about.id.split("/")[1]!;
  const fresh = mkdtempSync(join(tmpdir(), "agent-loop-matrix-"));
  const open: Network = { isOffline: false, wrap: (command) => [...command] };
  try {
    options.onStep?.("installing");
    const install = await runKit(["probe", "--install", name], fresh, open, options);
    if (install.exit !== 0) throw new Unavailable(lastLine(install.stderr) || `probe --install ${name} failed`);
    options.onStep?.("probing");
    const network = withoutNetwork();
    const probe = async (file: string, more: readonly string[]): Promise<Report> => {
      const words = [
        "probe",
        "--agent",
        name,
        "--reporter",
        `json=${file}`,
        "--jobs",
        String(Math.min(4, options.jobs)),
      ];
      return reportIn(file, await runKit([...words, ...more], fresh, network, options));
    };
    const report = await probe(
      join(fresh, "report.jsonl"),
      (options.cases ?? []).flatMap((one) => ["--scenario", one]),
    );
    const broken = [...new Set(report.variants.filter(({ verdict }) => verdict === "fail").map((one) => one.case))];
    options.onStep?.(`probing ${broken.length} again`);
    const again =
      broken.length === 0
        ? undefined
        : await probe(
            join(fresh, "again.jsonl"),
            broken.flatMap((one) => ["--scenario", one]),
          );
    return {
      ...rowOf(report, options.suite, again ? confirmedBy(again, report, name) : []),
      offline: network.isOffline,
    };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** A breach that the same scenario showed a second time is repeated by the command that plays it. */
function confirmedBy(again: Report, { variants }: Report, name: string): RanScript[] {
  const broken = variants.filter(({ verdict }) => verdict === "fail");
  return broken.map((result) => {
    const second = again.variants.find(({ check }) => check === result.check);
    const shows = second?.verdict === "fail";
    const output = second?.failures?.[0]?.message ?? second?.reason;
    const script: MatrixScript = {
      file: `${commandLine} probe --agent ${name} --scenario ${result.case} --keep probe`,
      shows,
      exit: shows ? 1 : 0,
      ...(output !== undefined && { output: output.slice(0, 400) }),
    };
    return { file: result.case, shows: [result.requirement], result: script };
  });
}

function rowOf(report: Report, suite: Suite, scripts: readonly RanScript[]): Measured {
  const { variants, totals, observed } = report;
  const played = playedByProvider(variants);
  const providers = [...played.keys()].sort();
  const next = nextMessages([...played.values()].flat(), suite.catalogue);
  return {
    variants: { ...totals },
    ...(providers.length > 0 && { providers }),
    cells: cellsOf(report, suite, scripts),
    ...(Object.keys(next).length > 0 && { next }),
    ...(observed && { observed }),
  };
}

/** How a command is kept from the network, where the machine permits it. */
interface Network {
  isOffline: boolean;
  wrap(command: readonly string[]): string[];
}

let network: Network | undefined;

function withoutNetwork(): Network {
  return (network ??= tryWithoutNetwork());
}

function tryWithoutNetwork(): Network {
  const found = offlineCommand([]);
  if ("refused" in found) return { isOffline: false, wrap: (command) => [...command] };
  const environment = Object.entries(found.environment).map(([name, value]) => `${name}=${value}`);
  return { isOffline: true, wrap: (command) => [...found.command, "env", ...environment, ...command] };
}

function runKit(words: readonly string[], cwd: string, { wrap }: Network, options: MeasureOptions): Promise<ChildEnd> {
  return runChild(wrap([...options.commandLine, ...words]), {
    ...{ cwd, env: withOwnNode(process.env), timeoutMs: options.timeoutMs, signal: options.signal },
  });
}

/** @throws Unavailable if no report was written, with the last words of what should have written it */
function reportIn(file: string, { exit, stderr, stdout }: ChildEnd): Report {
  if (!existsSync(file))
    throw new Unavailable(lastLine(stderr) || lastLine(stdout) || `the kit wrote no report, and ended with ${exit}`);
  const report = readReport(readFileSync(file, "utf8"), file);
  if (report.start_error !== undefined) throw new Unavailable(`it did not start: ${report.start_error}`);
  return report;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
