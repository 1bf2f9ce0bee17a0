// Executes or validates every fenced block of the spec and the README, by the words after its fence:
//
//   json <Type>        one value of a schema, for example Session or RunResult
//   json <Type>[]      an array of such values
//   json Wire          what the adapter of this chapter sends for the json Message[] block before it
//   yaml Case          a case, loaded as the kit loads it
//   yaml Expectation   a file for --expect
//   yaml ProbeScenario, yaml AgentProgram   a scenario of a probe, the file of a program
//   yaml Workflow      a workflow of GitHub Actions; what it runs of the package is there
//   ndjson <Type>      one value of a schema per line
//   ndjson Driver      one message of the driver protocol per line, after "kit →" or "drv →"
//   ts                 a program; its types hold, it is run without network keys, and prints the text block that follows directly
//   ts types           a program whose types hold; it is not run, because it needs the network
//   ts <path>          an excerpt; its lines stand in this file of the project, in this order
//   sh                 commands, one per line; each is an npm script or a program of the package
//   sh run             the same, and they are run; they print the text block that follows directly, if one does, where … stands for any lines
//   sh run elsewhere   the same, run in a fresh folder with a naive agent program; with red after it the last one finds something wrong
//   mermaid            a diagram that can be drawn; one of the states of a run has exactly the phases of a snapshot
//   text               nothing: output or a drawing
//   python, go, rust   a recipe of spec/kit/recipes.md, which conformance/traffic/in-process/recipes.long.test.ts runs
//
// A block without words, or with others, is a mistake. With --quick no commands are run.

import { deepStrictEqual } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { providers } from "../../reference/providers/registry.ts";
import type { ProviderName } from "../../schemas/types.ts";
import { parseArgs } from "node:util";
import { parse as parseYaml } from "yaml";
import { expectationProblems } from "../traffic/read/expectation.ts";
import { readCaseFile, readYamlFile } from "../kit/suite/case-file.ts";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import {
  driverNotifications,
  driverRequests,
  kitNotifications,
  kitRequests,
  paramsOf,
  type KitRequest,
} from "../kit/base/protocol.ts";
import { schemaRefs, type SchemaType } from "../kit/base/schema-refs.ts";
import { validate } from "../kit/base/validate.ts";
import type { Message } from "../../schemas/types.ts";
import { fencedBlocks, nonEmptyLines, type Block } from "./fenced-blocks.ts";
import { chapters } from "./generate-requirements.ts";
import { checkCommands, Programs } from "./run-example.ts";
import { root } from "./schema-files.ts";
import { diagram } from "./spec-page/diagrams/diagram.ts";

interface Context {
  /** Whether the commands of a block are run, if it says so: each takes as long as a hundred other blocks. */
  isRun: boolean;
  /** Those of all blocks that are checked. */
  programs: Programs;
}

type Checker = (block: Block, argument: string, context: Context) => string[] | Promise<string[]>;

const checkers: Record<string, Checker> = {
  json: (block, type) => (type === "Wire" ? checkWire(block) : checkJson(block, type)),
  yaml: checkYaml,
  ndjson: (block, type) => (type === "Driver" ? checkProtocol(block) : checkLines(block, type)),
  ts: (block, words, { programs }) =>
    isProgram(block) ? programs.check(block, words === "") : checkExcerpt(block, words),
  sh: (block, words, { isRun }) => checkCommands(block, words, isRun),
  diff: (block, path) => checkDiff(block, path),
  mermaid: (block) => checkDiagram(block),
  text: () => [],
  python: checkRecipe,
  go: checkRecipe,
  rust: checkRecipe,
};

/** Every mistake in the fenced blocks of markdown texts, by their files, as lines that begin with file and line. */
export async function blockMistakes(texts: Readonly<Record<string, string>>, isRun = true): Promise<string[]> {
  const mistakes: string[] = [];
  const blocks = Object.entries(texts).flatMap(([file, markdown]) => fencedBlocks(file, markdown));
  const programs = new Programs(blocks.filter(isProgram));
  for (const block of blocks) {
    const [language = "", ...words] = block.info.split(/\s+/);
    const check = checkers[language];
    let found: string[];
    try {
      found = check
        ? await check(block, words.join(" "), { isRun, programs })
        : [`begins with "${block.info}"; expected one of: ${Object.keys(checkers).join(", ")}`];
    } catch (error) {
      found = [(error as Error).message];
    }
    mistakes.push(...found.map((mistake) => `${block.file}:${block.line}: ${mistake}`));
  }
  return mistakes;
}

function isProgram({ info }: Block): boolean {
  return info === "ts" || info === "ts types";
}

function checkJson(block: Block, words: string): string[] {
  const type = words.replace(/\[\]$/, "");
  const value: unknown = JSON.parse(block.text);
  if (!words.endsWith("[]")) return problemsOf(type, value);
  return Array.isArray(value)
    ? value.flatMap((item, index) => problemsOf(type, item, `/${index}`))
    : [`expected an array of ${type}`];
}

function checkLines(block: Block, type: string): string[] {
  return nonEmptyLines(block).flatMap((line, index) => problemsOf(type, JSON.parse(line), `line ${index + 1} `));
}

function problemsOf(type: string, value: unknown, at = ""): string[] {
  if (!(type in schemaRefs)) return [`no schema is called "${type}"; known: ${Object.keys(schemaRefs).join(", ")}`];
  return validate(type as SchemaType, value).map(({ pointer, message }) =>
    `${at}${pointer} ${message}`.replace("  ", " ").trim(),
  );
}

/** What the adapter of the chapter makes of the messages before is what the block says. */
async function checkWire(block: Block): Promise<string[]> {
  if (block.previous?.info !== "json Message[]") return ["a json Wire block comes after a json Message[] block"];
  const wanted = JSON.parse(block.text) as { model?: string; max_tokens?: number; stream?: boolean };
  const messages = JSON.parse(block.previous.text) as Message[];
  const path = `../../reference/providers/${basename(block.file, ".md")}/index.ts`;
  const { renderRequest } = (await import(path)) as {
    renderRequest: (request: object, settings: object) => { body: unknown };
  };
  const settings = {
    // Where the path names the model, the chapter means the example of its provider.
    model: wanted.model ?? providers[basename(block.file, ".md") as ProviderName].exampleModel,
    max_tokens: wanted.max_tokens,
    transport: wanted.stream === true ? "sse" : "json",
  };
  const { body } = renderRequest({ messages, tools: [] }, settings);
  deepStrictEqual(JSON.parse(JSON.stringify(body)), wanted, undefined);
  return [];
}

/** The steps run commands that exist; what stands for a value of the runner is a word like any other. */
function checkWorkflow(block: Block): string[] {
  const { jobs } = parseYaml(block.text) as { jobs: Record<string, { steps: { run?: string }[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run.replaceAll("\\\n", " ").trim()]));
  return checkCommands({ ...block, text: commands.join("\n") }, "");
}

function checkYaml(block: Block, type: string): string[] {
  if (type === "Workflow") return checkWorkflow(block);
  if (type === "ProbeScenario" || type === "AgentProgram") {
    const wrong = readYamlFile(block.file, block.text, (value) => validate(type, value)).problems;
    return wrong.map(({ line, message }) => `line ${line} of the ${type}: ${message}`);
  }
  if (type !== "Case" && type !== "Expectation")
    return ['yaml is "yaml Case", "yaml Expectation", "yaml ProbeScenario", "yaml AgentProgram" or "yaml Workflow"'];
  const names = { ...readCatalogue(root), bugs: new Set<string>(), hasFixture: () => true };
  const { problems } =
    type === "Case"
      ? readCaseFile(block.file, block.text, names)
      : readYamlFile(block.file, block.text, expectationProblems);
  return problems.map(({ line, message }) => `line ${line} of the ${type.toLowerCase()}: ${message}`);
}

/** Each line is a request, a response to one, or a notification, and goes in a direction in which it may go. */
function checkProtocol(block: Block): string[] {
  const open = new Map<string, { result: SchemaType; errorData?: SchemaType }>();
  return nonEmptyLines(block).flatMap((line, index) => {
    const [, who = "", json = ""] = /^(kit|drv) → (.*)$/.exec(line) ?? [];
    if (who === "") return [`line ${index + 1} must begin with "kit → " or "drv → "`];
    const message = JSON.parse(json) as {
      id?: unknown;
      method?: string;
      params?: unknown;
      result?: unknown;
      error?: { data?: unknown };
    };
    const other = who === "kit" ? "drv" : "kit";
    const at = `line ${index + 1} `;
    if (message.method === undefined) {
      const request = open.get(`${other} ${String(message.id)}`);
      if (!request) return [`${at}answers the id ${JSON.stringify(message.id)}, of which there is no request`];
      if (message.error === undefined) return problemsOf(request.result, message.result, at);
      return request.errorData ? problemsOf(request.errorData, message.error.data, at) : [];
    }
    const requests: Record<string, { params: SchemaType; result: SchemaType }> =
      who === "kit" ? kitRequests : driverRequests;
    const notifications: Record<string, SchemaType> = who === "kit" ? kitNotifications : driverNotifications;
    const request = requests[message.method];
    if (request && message.id !== undefined) open.set(`${who} ${String(message.id)}`, request);
    const isOfKit = who === "kit" && Object.hasOwn(kitRequests, message.method);
    const params = isOfKit ? paramsOf(message.method as KitRequest, message.params as object) : request?.params;
    const type = message.id === undefined ? notifications[message.method] : params;
    return type
      ? problemsOf(type, message.params, at)
      : [`${at}the ${who === "kit" ? "kit" : "driver"} has no such message: ${message.method}`];
  });
}

function checkExcerpt(block: Block, path: string): string[] {
  if (!existsSync(join(root, path))) return [`there is no file ${path}`];
  const source = readFileSync(join(root, path), "utf8")
    .split("\n")
    .map((line) => line.trim());
  let from = 0;
  for (const line of nonEmptyLines(block)) {
    const found = source.indexOf(line.trim(), from);
    if (found < 0) return [`${path} does not have this line, or not in this place: ${line.trim()}`];
    from = found + 1;
  }
  return [];
}

function checkRecipe({ file, info }: Block): string[] {
  return basename(file) === "recipes.md" ? [] : [`${info} stands in spec/kit/recipes.md only, where it is run`];
}

/** The one line that a change takes out stands in the file once. */
function checkDiff(block: Block, path: string): string[] {
  const { removed } = changeIn(block.text);
  const times = readFileSync(join(root, path), "utf8").split(`${removed}\n`).length - 1;
  return times === 1 ? [] : [`${path} has this line ${times} times, not once: ${removed}`];
}

/** A change of one line. */
export function changeIn(diff: string): { removed: string; added: string } {
  const [, removed, added] = /^-(.*)\n\+(.*)\n?$/.exec(diff) ?? [];
  if (removed === undefined || added === undefined) throw new Error("a diff takes out one line and puts in another");
  return { removed, added };
}

/** A diagram can be drawn, and one of the states of a run names its phases. */
function checkDiagram(block: Block): string[] {
  try {
    diagram(block.text.trimEnd());
  } catch (error) {
    return [(error as Error).message];
  }
  return /\b(turn_boundary|calling_model|deciding|executing) -->/.test(block.text) ? checkPhases(block) : [];
}

/** The states that a diagram names are the phases of a snapshot. */
function checkPhases(block: Block): string[] {
  const schema = JSON.parse(readFileSync(join(root, "schemas/snapshot.schema.json"), "utf8")) as {
    $defs: { Phase: { enum: string[] } };
  };
  const phases = schema.$defs.Phase.enum;
  const named = new Set(nonEmptyLines(block).flatMap((line) => /^\s*(\S+) --> ([^\s:]+)/.exec(line)?.slice(1) ?? []));
  named.delete("[*]");
  const missing = phases
    .filter((phase) => !named.has(phase))
    .map((phase) => `the diagram leaves out the phase ${phase}`);
  const extra = [...named]
    .filter((name) => !phases.includes(name))
    .map((name) => `${name} is no phase; phases: ${phases.join(", ")}`);
  return [...missing, ...extra];
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false } },
  });
  const given = positionals.map((path) => resolve(path));
  const files = [
    "README.md",
    "CONTRIBUTING.md",
    "conformance/README.md",
    "reference/README.md",
    ...chapters(join(root, "spec")).map((name) => join("spec", name)),
  ].map((name) => join(root, name));
  const existing = (given.length > 0 ? given : files).filter((file) => existsSync(file));
  const texts = existing.map((file) => [file.replace(root, ""), readFileSync(file, "utf8")]);
  const mistakes = await blockMistakes(Object.fromEntries(texts), !values.quick);
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
  else console.log(`every fenced block of ${existing.length} files is as it says`);
}
