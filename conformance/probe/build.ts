// Makes a program that is described with a command which builds it, once, before it is probed.

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../traffic/record/run-program.ts";
import { filled, wordsBeside } from "./agent-files.ts";
import type { FoundAgent } from "./agent-files.ts";

/** A program that is there, and what removes what was made of it. */
export interface BuiltProgram {
  agent: FoundAgent;
  remove(): Promise<void>;
}

/**
 * Builds the program, if its file says how: with the variables and the HOME of the caller, because it is the caller's own work.
 * @throws StartError if that fails, with what was printed
 */
export async function builtProgram(agent: FoundAgent): Promise<BuiltProgram> {
  if (!agent.build) return { agent, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "agent-loop-built-"));
  // Whatever ends this process leaves nothing of it behind.
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", removeAtExit);
  const remove = async () => {
    process.off("exit", removeAtExit);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await run(
      wordsBeside(agent.build, agent).map((word) => filled(word, { built: folder })),
      agent.folder,
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { agent: { ...agent, built: folder }, remove };
}

async function run([program = "", ...args]: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program === "node" ? process.execPath : program, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.once("error", ({ message }) => resolve(message));
  child.once("close", (code) => resolve(code === 0 ? undefined : `exit code ${code}`));
  const failure = await promise;
  if (failure === undefined) return;
  throw new StartError(
    `${[program, ...args].join(" ")} did not build the program: ${failure}\n${output.trim()}`.trim(),
  );
}
