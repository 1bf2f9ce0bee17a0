// Fetches the pinned version of a described program from its registry into a cache folder, and knows where it is there.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentProgram } from "../../schemas/types.ts";
import { makeFolder } from "../kit/base/make-folder.ts";
import { StartError, runProgram } from "../traffic/record/run-program.ts";

type Package = NonNullable<AgentProgram["package"]>;

/** The folder of one version of one program. */
export function installFolder({ name, package: found }: AgentProgram): string {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const safe = name.toLowerCase().replaceAll(/[^\w.-]+/g, "-");
  return join(cache, "agent-loop-spec", "programs", `${safe}-${found?.version ?? "any"}`);
}

/** The words that start the installed program; nothing where it is not installed. */
export function installedProgram(agent: AgentProgram): string[] | undefined {
  if (!agent.package) return undefined;
  const program = programOf(agent.package, installFolder(agent), agent.command[0] ?? "");
  return program !== undefined && existsSync(program.at(-1)!) ? program : undefined;
}

/**
 * Installs the program, with the tool of its registry. No script of another package is run.
 * @returns the folder
 * @throws StartError if that fails
 */
export async function installProgram(agent: AgentProgram): Promise<string> {
  const { package: wanted } = agent;
  if (!wanted) throw new StartError(`${agent.name} is no package, so there is nothing to install`);
  const folder = installFolder(agent);
  makeFolder(folder);
  for (const command of commandsFor(wanted, folder)) await run(command, folder);
  for (const script of wanted.registry === "npm" ? (wanted.scripts ?? []) : [])
    await run(["node", script], join(folder, "node_modules", wanted.name));
  return folder;
}

function commandsFor({ registry, name, version }: Package, folder: string): string[][] {
  switch (registry) {
    case "npm":
      return [
        [
          "npm",
          "install",
          "--prefix",
          folder,
          "--no-save",
          "--no-fund",
          "--no-audit",
          "--ignore-scripts",
          `${name}@${version}`,
        ],
      ];
    case "pip":
      return [
        ["python3", "-m", "venv", folder],
        [join(folder, "bin", "pip"), "install", "--quiet", `${name}==${version}`],
      ];
    case "cargo":
      return [["cargo", "install", "--quiet", "--root", folder, "--version", version, name]];
    case "go":
      return [["env", `GOBIN=${join(folder, "bin")}`, "go", "install", `${name}@${version}`]];
  }
}

/** Where the program is: in npm its own file, run by this Node, because the machine's may be another. */
function programOf({ registry, name, program }: Package, folder: string, command: string): string[] | undefined {
  if (registry !== "npm") return [join(folder, "bin", program ?? command)];
  const own = join(folder, "node_modules", name);
  const file = join(own, "package.json");
  if (!existsSync(file)) return undefined;
  const { bin } = JSON.parse(readFileSync(file, "utf8")) as { bin?: string | Record<string, string> };
  const path = program ?? (typeof bin === "string" ? bin : (bin?.[command] ?? Object.values(bin ?? {})[0]));
  if (path === undefined) return undefined;
  const target = join(own, path);
  return isScript(target) ? ["node", target] : [target];
}

function isScript(file: string): boolean {
  if (/\.[cm]?js$/.test(file)) return true;
  return existsSync(file) && readFileSync(file).subarray(0, 64).toString("latin1").startsWith("#!/usr/bin/env node");
}

/** What installs ends with this process, whatever ends it. */
async function run(command: readonly string[], cwd: string): Promise<void> {
  const code = await runProgram(command, process.env, { cwd });
  if (code !== 0) throw new StartError(`${command.join(" ")} failed: exit code ${code}`);
}
