// Runs the scripts of a peer, each in a fresh folder: what shows a breach without the kit and without a driver.

import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MatrixScript } from "../../schemas/types.ts";
import { redact } from "../kit/base/redact.ts";
import { layOut, withOwnNode } from "./install.ts";
import type { Installed } from "./install.ts";
import { runChild } from "./run-child.ts";

/** A script of a peer, and what its second line says that it shows. */
export interface ReproScript {
  /** Its name in the folder repro. */
  file: string;
  shows: string[];
}

/** What a script came to. */
export interface RanScript extends ReproScript {
  result: MatrixScript;
}

/** The scripts of a peer, by name; what begins with an underscore is a part that they share. */
export function scriptsOf(folder: string): ReproScript[] {
  const repro = join(folder, "repro");
  if (!existsSync(repro)) return [];
  return readdirSync(repro)
    .filter((file) => !file.startsWith("_") && /\.\w+$/.test(file))
    .sort()
    .map((file) => ({ file, shows: requirementsShown(readFileSync(join(repro, file), "utf8")) }));
}

/** The requirements that the second line of a script names. */
export function requirementsShown(text: string): string[] {
  const [, second = ""] = text.split("\n");
  return second.match(/\b[A-Z]+-\d+\b/g) ?? [];
}

/** Where and how scripts are run. */
export interface ScriptOptions {
  folder: string;
  installed: Installed;
  /** What a script is appended to. */
  command: readonly string[];
  /** What is put before the whole command, such as what takes the network away. */
  wrap(command: readonly string[]): string[];
  timeoutMs: number;
  jobs: number;
  root?: string | undefined;
  signal?: AbortSignal | undefined;
  onRan?(one: RanScript): void;
}

/** Runs every script. Only exit code 1 shows the breach. */
export async function runScripts(scripts: readonly ReproScript[], options: ScriptOptions): Promise<RanScript[]> {
  const ran: RanScript[] = [];
  const waiting = [...scripts.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next && !options.signal?.aborted; next = waiting.shift()) {
      const [index, script] = next;
      ran[index] = await runScript(script, options);
      options.onRan?.(ran[index]);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, worker));
  return ran.flat();
}

async function runScript(script: ReproScript, options: ScriptOptions): Promise<RanScript> {
  const { folder, installed, command, wrap, timeoutMs, root, signal } = options;
  const fresh = mkdtempSync(join(tmpdir(), "agent-loop-repro-"));
  try {
    const place = layOut(folder, installed, fresh, root);
    const env = withOwnNode({ PATH: process.env["PATH"], HOME: fresh, TMPDIR: fresh, LANG: "C.UTF-8" });
    const cwd = join(fresh, place);
    const { exit, stdout } = await runChild(wrap([...command, join("repro", script.file)]), {
      ...{ cwd, env, timeoutMs, signal },
    });
    const line = stdout.trim().split("\n").at(-1)?.slice(0, 400) ?? "";
    const result: MatrixScript = {
      file: join(place, "repro", script.file),
      shows: exit === 1 && line !== "",
      exit,
      ...(line !== "" && { output: redact(line) }),
    };
    return { ...script, result };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
