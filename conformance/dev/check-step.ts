// Runs one command of the project and says how long it took and whether it went well.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import pc from "picocolors";
import { root } from "./schema-files.ts";

/** A command, and what to do when it fails. */
export interface CheckStep {
  name: string;
  /** Programs with their arguments, run one after another until one fails. Those of node_modules/.bin are found. */
  commands: string[][];
  /** What a person does to make it pass. */
  fix: string;
  /** Extracts what a person needs of a failure from the stdout of the last command. Absent: all output. */
  summarize?: (stdout: string) => string;
}

export interface Outcome {
  step: CheckStep;
  passed: boolean;
  seconds: number;
  /** What the commands wrote, stdout and stderr together. */
  output: string;
  /** What the last command wrote to stdout. */
  stdout: string;
}

const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
/** Where Node keeps what it has compiled: the check steps start hundreds of processes from the same sources. */
const compiled = join(root, ".cache/node");

/** What runs ends with this process: a terminal sends Ctrl-C to the whole group, and others send a signal to this process alone. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill();
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]));

/** Runs a check step and prints its line, with its output only if it failed. Never throws. */
export async function runCheckStep(step: CheckStep): Promise<Outcome> {
  const start = performance.now();
  let output = "";
  let stdout = "";
  let passed = true;
  for (const command of step.commands) {
    const result = await run(command);
    output += result.output;
    stdout = result.stdout;
    passed = result.code === 0;
    if (!passed) break;
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${passed ? pc.green("pass") : pc.red("FAIL")}  ${step.name.padEnd(22)} ${seconds.toFixed(1).padStart(5)} s`,
  );
  if (!passed) {
    const shown = step.summarize?.(stdout) || output;
    console.log(`\n${shown.trimEnd()}\n\n${pc.red(`${step.name} failed.`)} ${step.fix}\n`);
  }
  return { step, passed, seconds, output, stdout };
}

function run([program = "", ...args]: string[]): Promise<{ code: number | null; output: string; stdout: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    let output = "";
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", (error) => resolve({ code: 1, output: `${program} did not start: ${error.message}`, stdout }));
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code, output, stdout });
    });
  });
}
