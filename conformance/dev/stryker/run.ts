// Searches for untested faults: lets Stryker change the core, what plugs into it, or an adapter: npm run stryker [-- <area> [<file>]...]

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { LogLevel, PartialStrykerOptions } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import type { Selection } from "../../kit/index.ts";
import { endGroup, startGroup } from "../../kit/driver/process-group.ts";
import { providerNames } from "../../kit/wire/provider-names.ts";
import { root } from "../schema-files.ts";
import { scoreText } from "./score.ts";

/** A part of the reference whose score CONTRIBUTING.md states. */
interface Area {
  /** What the paths of its files begin with. The unit tests beside it are found so, too. */
  path: string;
  /** Which of its files are changed, after that. */
  files: string;
  /** What is played: what runs this code directly, and says something of it, nearest first. So a search takes minutes. */
  play: Selection[];
}

/** Where the cases are that test what an adapter sends and receives; the others ask what the loop does with it. */
const aboutAdapters = ["providers", "streaming", "settings", "structured-output", "tool-choice", "stop"];

/** What the loop does over the generic seam, and with answers that come in pieces, or half. */
const theLoop: Selection[] = [
  { variants: ["generic"] },
  { cases: ["streaming/*", "cancel/*", "retry/*"], variants: ["anthropic-messages/sse"] },
];

/** What plugs into the core, and what runs it. */
const rooms = "events,patterns,plugins,run,state,support,tools";

const areas: Record<string, Area> = {
  core: { path: "reference/core/", files: "*.ts", play: theLoop },
  loop: { path: `reference/{${rooms}}/**/`, files: "*.ts", play: theLoop },
  ...Object.fromEntries(providerNames.map((name) => [name, adapter(name)])),
};

const usage = `Usage: npm run stryker -- [<area>] [<file>[:<line>[-<line>]]]...
  <area>  ${Object.keys(areas).join(", ")} (core)
  <file>  changes only this file of the area, or these lines of it`;

/** Where Stryker puts its changed copies of the project; nothing else looks below it. */
const folder = ".cache/stryker";

/** The part that is changed, for the configuration of vitest, which is read in other processes. Said to the process that searches. */
const changes = "STRYKER_CHANGES";

const { area, files } = readArguments();
process.chdir(root);
if (process.env[changes] === undefined) await startSearch();
else await search();

/** Searches in a process group of its own: a worker that sits in an endless loop would outlive an interrupted search. */
async function startSearch(): Promise<void> {
  const child = startGroup((marked) =>
    spawn(process.execPath, process.argv.slice(1), {
      env: { ...process.env, ...marked, [changes]: area.path },
      detached: true,
      stdio: "inherit",
    }),
  );
  const [code] = (await once(child, "exit")) as [number | null];
  endGroup(child.pid!);
  await rm(join(root, folder), { recursive: true, force: true });
  process.exitCode = code ?? 1;
}

async function search(): Promise<void> {
  const options: PartialStrykerOptions & Pick<Area, "play"> = {
    mutate: [...(files.length > 0 ? files : [`${area.path}${area.files}`]), "!**/*.test.ts"],
    play: area.play,
    testRunner: "suite",
    plugins: ["@stryker-mutator/vitest-runner", new URL("runner.ts", import.meta.url).href],
    vitest: { configFile: "conformance/dev/stryker/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: 2,
    // What hangs is mostly found in the runner. On a busy machine nothing else is to look as if it did.
    timeoutMS: 30_000,
    timeoutFactor: 4,
    // Stryker would rewrite a tsconfig.json with a compiler that it does not know: it finds none.
    tsconfigFile: "none.json",
    tempDirName: folder,
    cleanTempDir: "always",
    ignorePatterns: ["dist", ".cache"],
    reporters: [process.stdout.isTTY ? "progress" : "progress-append-only"],
    logLevel: "warn" as LogLevel,
    warnings: { slow: false, preprocessorErrors: true, unknownOptions: true, unserializableOptions: true },
  };
  try {
    const results = await new Stryker(options).runMutationTest();
    if (results.length === 0)
      throw new Error(`There is nothing to change in ${files.join(" ")}. Say where it is from ${root}.`);
    const read = (file: string) => readFileSync(file, "utf8");
    console.log(scoreText(results, read, (file) => relative(root, file)));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

function adapter(name: string): Area {
  const variants = [`${name}/sse`];
  return {
    path: `reference/providers/${name}/`,
    files: "@(request|response|stream).ts",
    play: [
      { cases: ["providers/*"], variants: [`${name}/json`] },
      { cases: aboutAdapters.map((folder) => `${folder}/*`), variants },
    ],
  };
}

function readArguments(): { area: Area; files: string[] } {
  try {
    const [name = "core", ...files] = parseArgs({ allowPositionals: true }).positionals;
    const area = areas[name];
    if (!area) throw new Error(`There is no area ${name}.`);
    return { area, files };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}
