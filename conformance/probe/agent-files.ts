// Reads the files that describe agent programs, and fills in what a scenario gives them: addresses, folders, the prompt.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { AgentProgram } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { validate } from "../kit/base/validate.ts";
import { readYamlFile } from "../kit/suite/case-file.ts";
import { LoadError } from "../kit/suite/suite.ts";

/** A program, and the folder that its own files are in. */
export interface FoundAgent extends AgentProgram {
  folder: string;
  /** Where what was built of it is. */
  built?: string;
}

/** What is filled into the texts of an agent's file: folders, the prompt, a key, and by the name of its host the base URL of each provider. */
export type Placeholders = Readonly<Record<string, string>>;

const folderOfAgents = () => packagePath("conformance/agents");

/** The names of the programs that the package describes. */
export function agentNames(folder = folderOfAgents()): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => basename(name, ".yaml"))
    .sort();
}

/**
 * The program of a name, or of a file.
 * @throws UsageError if there is none, LoadError if its file is not valid
 */
export function readAgent(named: string): FoundAgent {
  const file = /[/.]/.test(named) ? resolve(named) : join(folderOfAgents(), `${named}.yaml`);
  if (!existsSync(file))
    throw new UsageError(
      `no agent program is called ${named}; ${whichName(named, agentNames())}, or the path of a file`,
    );
  const { value, problems } = readYamlFile<AgentProgram>(file, readFileSync(file, "utf8"), (read) =>
    validate("AgentProgram", read),
  );
  if (!value) throw new LoadError(problems);
  return { ...value, folder: dirname(file) };
}

/** A text with its placeholders filled in; braces around other words stay. */
export function filled(text: string, placeholders: Placeholders): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => placeholders[name] ?? whole);
}

/** The words of a command, filled in. */
export function filledCommand(words: readonly string[], agent: FoundAgent, placeholders: Placeholders): string[] {
  return wordsBeside(words, agent).map((word) => filled(word, placeholders));
}

/** The words of a command; a file beside the agent's own is named whole. */
export function wordsBeside(words: readonly string[], { folder }: FoundAgent): string[] {
  return words.map((word) => {
    const beside = join(folder, word);
    return /\//.test(word) && !word.includes("{") && existsSync(beside) ? beside : word;
  });
}
