// Makes the tables of the spec, as code and as markdown, from the data in spec/*.json and from the adapters' own.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { providers } from "../../reference/providers/registry.ts";
import type { Loss } from "../../reference/providers/shared/losses.ts";
import type { RuleDescription } from "../kit/wire/codec.ts";
import type { Policy } from "../kit/suite/catalogue.ts";
import { codecs } from "../kit/wire/codecs.ts";
import type { OtherHost } from "../kit/wire/codec.ts";
import { otherHosts } from "../kit/wire/hosts.ts";
import type { EventGrammar } from "../../schemas/types.ts";
import { besideTable } from "./beside-table.ts";
import { eventTable, limitTable } from "./event-table.ts";
import { exampleTable } from "./feature-page.ts";
import { fixtureTables } from "./fixture-list.ts";
import { installText } from "./install-text.ts";
import { readRequirementList } from "./feature-data.ts";
import { fieldTable, messageFields, messageTable } from "./message-tables.ts";
import { mistakeTable } from "./mistakes.ts";
import { registryTable } from "./registry.ts";
import { roomTable } from "./room-words.ts";
import { root } from "./schema-files.ts";

interface Row {
  do: "execute" | "finish" | "recover" | "fail";
  status?: string;
  answer?: string;
  error?: string;
  warning?: string;
}

type StopTable = Record<string, { no_calls: Row; calls: Row }>;

/** The text of reference/core/stop-table.ts. */
export function stopTableFile(table = readData<StopTable>("stop-table.json")): string {
  const rows = Object.entries(table).map(([reason, { no_calls, calls }]) => {
    return `  ${reason}: {\n    no_calls: ${literal(no_calls)},\n    calls: ${literal(calls)},\n  },\n`;
  });
  return `// What follows a response, by its stop reason and whether it has calls. Generated from spec/stop-table.json by
// \`npm run generate\`. Do not edit.

import type { ErrorKind, Outcome, RunStatus, StopReason, WarningCode } from "../../schemas/types.ts";

/** What the loop does after a response, and with what the run ends or a call is answered. */
export interface StopRow {
  do: "execute" | "finish" | "recover" | "fail";
  status?: RunStatus;
  answer?: Outcome;
  error?: ErrorKind;
  warning?: WarningCode;
}

export const stopTable = {
${rows.join("")}} as const satisfies Record<StopReason, { no_calls: StopRow; calls: StopRow }>;
`;
}

interface SnapshotSchema {
  properties: { counters: { properties: Record<string, { description: string }> } };
}

/** A format or a protocol with a version of its own. */
interface Version {
  version: string;
  is_of: string;
  /** Where the version is written. */
  is_in: string;
  /** What becomes of a version that a reader does not know. */
  unknown: string;
}

/** The reasons for which a run ends, the first that holds first. */
interface Endings {
  endings: { name: string; when: string; status: string[] }[];
}

type ResultTexts = Record<string, { outcome: string; when: string; text: string }>;

/** The text of reference/core/result-texts.ts. */
export function resultTextsFile(table = readData<ResultTexts>("result-texts.json")): string {
  const rows = Object.entries(table).map(([situation, { outcome, text }]) => {
    return `  ${situation}: { outcome: ${JSON.stringify(outcome)}, text: ${JSON.stringify(text)} },\n`;
  });
  return `// The texts of synthetic results. Generated from spec/result-texts.json by \`npm run generate\`. Do not edit.

import type { Outcome } from "../../schemas/types.ts";

export const resultTexts = {
${rows.join("")}} as const satisfies Record<string, { outcome: Outcome; text: string }>;

/** Why the loop answers a call itself. */
export type Situation = keyof typeof resultTexts;
`;
}

interface PermissionRow {
  when: { rule?: string; mode?: string; read_only?: boolean; edits?: boolean };
  verdict: string;
}

/** The text of reference/plugins/tools/permission-table.ts. */
export function permissionTableFile(table = readData<PermissionRow[]>("permissions.json")): string {
  return `// What decides about a call: the first row that holds. Generated from spec/permissions.json by \`npm run generate\`. Do not edit.

import type { Permissions, PermissionRule } from "../../../schemas/types.ts";

/** What must hold for a row, and what becomes of the call. */
export interface PermissionRow {
  when: { rule?: PermissionRule["effect"]; mode?: Permissions["mode"]; read_only?: boolean; edits?: boolean };
  verdict: "allow" | "deny" | "ask" | "classify";
}

export const permissionTable: readonly PermissionRow[] = [
${table.map((row) => `  { when: ${literal(row.when)}, verdict: ${JSON.stringify(row.verdict)} },\n`).join("")}];
`;
}

/** The text of reference/run/default-options.ts. */
export function defaultOptionsFile(): string {
  const text = readFileSync(join(root, "schemas/run-options.schema.json"), "utf8");
  const { properties } = JSON.parse(text) as { properties: Record<string, { default?: unknown }> };
  const rows = Object.entries(properties).map(([name, one]) => `  ${name}: ${JSON.stringify(one.default ?? null)},\n`);
  return `// The options of a run, each with its default; null: nothing. Generated from schemas/run-options.schema.json by
// \`npm run generate\`. Do not edit.

import type { RunOptions } from "../../schemas/types.ts";

export const defaultOptions: { readonly [Name in keyof RunOptions]-?: RunOptions[Name] | null } = {
${rows.join("")}};
`;
}

/** The formats that a host takes, each with a path and where it is documented; of a page that nobody read, that the path was seen. */
function formatsAt(host: OtherHost): string[] {
  return Object.values(codecs).flatMap(({ provider, traffic }) =>
    (traffic.dialects ?? [])
      .filter(({ at }) => at === host)
      .map(({ path, docs, on }) => `[${provider}](${docs}) at \`${path}\`${on === undefined ? " (seen)" : ""}`),
  );
}

/** The generated parts of markdown files, by the name in their markers. */
export const markdownTables: Record<string, () => string> = {
  "stop-table": () => {
    const rows = Object.entries(readData<StopTable>("stop-table.json"));
    return [
      "| stop reason | without calls | with calls |",
      "|---|---|---|",
      ...rows.map(
        ([reason, { no_calls, calls }]) => `| ${code(reason)} | ${sentence(no_calls)} | ${sentence(calls)} |`,
      ),
    ].join("\n");
  },
  "result-texts": () => {
    const rows = Object.values(readData<ResultTexts>("result-texts.json"));
    return [
      "| the call was not answered by its tool, because | outcome | text |",
      "|---|---|---|",
      ...rows.map(({ outcome, when, text }) => `| ${when} | ${code(outcome)} | ${text} |`),
    ].join("\n");
  },
  permissions: () => {
    const rows = readData<PermissionRow[]>("permissions.json");
    return [
      "| | when | the call is |",
      "|---|---|---|",
      ...rows.map(({ when, verdict }, i) => `| ${i + 1} | ${conditions(when)} | ${verdicts[verdict]} |`),
    ].join("\n");
  },
  policies: () => {
    const rows = Object.entries(readData<Record<string, Policy>>("policies.json"));
    return [
      "| policy | question | choices | this specification |",
      "|---|---|---|---|",
      ...rows.map(([name, { question, choices, spec, requirement }]) => {
        const words = Object.entries(choices).map(([choice, meaning]) => `\`${choice}\`: ${meaning}`);
        return `| \`${name}\` | ${question} | ${words.join(" ")} | \`${spec}\`, ${requirement} |`;
      }),
    ].join("\n");
  },
  "known-hosts": () =>
    [
      "| upstream | host | variables | takes |",
      "|---|---|---|---|",
      ...otherHosts.map((host) => {
        const { name, title, url, isFixed, basePath, addressVariables } = host;
        const place = isFixed ? `\`${url}${basePath}\`` : `such as \`${url}\``;
        const variables = addressVariables.map((variable) => `\`${variable}\``).join(", ");
        return `| \`${name}\` | ${title}, ${place} | ${variables} | ${formatsAt(host).join("; ")} |`;
      }),
    ].join("\n"),
  features: () => {
    const rows = Object.entries(readData<Record<string, string>>("features.json"));
    return ["| feature | meaning |", "|---|---|", ...rows.map(([name, text]) => `| ${code(name)} | ${text} |`)].join(
      "\n",
    );
  },
  install: () => installText(),
  beside: () => besideTable(),
  examples: () => exampleTable(),
  messages: () => messageTable(),
  "message-fields": () => messageFields(),
  "run-options": () => fieldTable("RunOptions"),
  endings: () => {
    const { endings } = readData<Endings>("endings.json");
    return [
      "| | the run ends, because | status |",
      "|---|---|---|",
      ...endings.map(({ when, status }, i) => `| ${i + 1} | ${when} | ${status.map(code).join(", ")} |`),
    ].join("\n");
  },
  "snapshot-fields": () => fieldTable("Snapshot"),
  "snapshot-counters": () => counterTable(),
  "result-fields": () => fieldTable("RunResult"),
  "step-fields": () => fieldTable("Step"),
  "event-grammar": () => eventTable(readData<EventGrammar>("event-grammar.json")),
  "event-limits": () => limitTable(readData<EventGrammar>("event-grammar.json")),
  versions: () => versionTable(),
  registry: () => registryTable(),
  "changed-sentences": () => changedSentences(),
  fixtures: () => fixtureTables(),
  mistakes: () => mistakeTable(),
  "rooms-reference": () => roomTable("reference"),
  "rooms-conformance": () => roomTable("conformance"),
  endpoints: endpointTable,
  ...Object.fromEntries(
    Object.values(codecs).map(({ provider, rules }) => [`rules-${provider}`, () => ruleTable(rules)]),
  ),
  ...Object.fromEntries(
    Object.values(providers).map(({ name, losses }) => [`losses-${name}`, () => lossTable(Object.values(losses))]),
  ),
};

/** Where each provider is asked, and by whom it wants to be asked. */
function endpointTable(): string {
  return [
    "| provider | after `base_url` | headers | transports |",
    "|---|---|---|---|",
    ...Object.values(codecs).map(({ provider, endpoint, endpoints = [endpoint], traffic, transports }) => {
      const headers = { ...traffic.keyHeader("{api_key}"), ...traffic.headers };
      const sent = Object.entries(headers).map(([name, value]) => code(`${name}: ${value}`));
      const names = transports.map(({ name }) => code(name));
      return `| ${code(provider)} | ${endpoints.map(code).join(", ")} | ${sent.join(", ")} | ${names.join(", ")} |`;
    }),
  ].join("\n");
}

/** What is counted by itself, and what becomes of a version that nobody knows. */
function versionTable(): string {
  const rows = Object.values(readData<Record<string, Version>>("versions.json"));
  return [
    "| of | version | is in | one that is not known |",
    "|---|---|---|---|",
    ...rows.map((row) => `| ${row.is_of} | ${row.version} | ${row.is_in} | ${row.unknown} |`),
  ].join("\n");
}

/** The ids that stood for another sentence once. */
function changedSentences(): string {
  return readRequirementList()
    .flatMap(({ id, until }) => (until === undefined ? [] : [id]))
    .join(", ");
}

/** What a snapshot counts, by name. */
function counterTable(): string {
  const { properties } = JSON.parse(readFileSync(join(root, "schemas/snapshot.schema.json"), "utf8")) as SnapshotSchema;
  const rows = Object.entries(properties.counters.properties);
  return [
    "| counter | meaning |",
    "|---|---|",
    ...rows.map(([name, { description }]) => `| ${code(name)} | ${description} |`),
  ].join("\n");
}

/** The rules of a provider, each with its evidence. */
function ruleTable(rules: readonly RuleDescription[]): string {
  return [
    "| a request is refused where this does not hold | requirement | evidence |",
    "|---|---|---|",
    ...rules.map((rule) => {
      const about = [rule.models, rule.dialect].filter((text) => text !== undefined).join("; ");
      const [, name] = rule.id.split("/");
      const statement = `${code(name!)} ${rule.statement.replaceAll("|", "\\|")}${about === "" ? "" : ` (${about})`}`;
      return `| ${statement} | ${rule.requirement} | ${evidence(rule)} |`;
    }),
  ].join("\n");
}

function evidence({ docs, undocumented, seen = [] }: RuleDescription): string {
  const documented = undocumented ? [] : [`[documented](${docs})`];
  return [...documented, ...seen.map(({ where, on }) => `[seen ${on}](${where})`)].join(", ");
}

function lossTable(rows: Loss[]): string {
  return [
    "| generic | what happens | warning |",
    "|---|---|---|",
    ...rows.map(({ generic, happens, code: warning }) => {
      return `| ${generic} | ${happens} | ${warning === null ? "" : code(warning)} |`;
    }),
  ].join("\n");
}

/**
 * Fills every part between `<!-- generated:NAME -->` and `<!-- /generated -->`.
 * @throws Error if NAME is not one of `markdownTables`, or a part is not closed
 */
export function fillMarkdown(file: string, markdown: string): string {
  const opened = markdown.match(/<!-- generated:/g)?.length ?? 0;
  let filled = 0;
  const result = markdown.replaceAll(/<!-- generated:(\S+) -->[\s\S]*?<!-- \/generated -->/g, (_, name: string) => {
    const table = markdownTables[name];
    if (!table)
      throw new Error(`${file}: no table is called "${name}". Known: ${Object.keys(markdownTables).join(", ")}.`);
    filled += 1;
    return `<!-- generated:${name} -->\n${table()}\n<!-- /generated -->`;
  });
  if (opened !== filled)
    throw new Error(`${file}: a part that begins with <!-- generated:… --> has no <!-- /generated -->.`);
  return result;
}

function sentence(row: Row): string {
  const answered = row.answer === undefined ? "" : `answer the calls ${code(row.answer)}, `;
  const status = `end with status ${code(row.do === "fail" ? "error" : row.status)}`;
  switch (row.do) {
    case "execute":
      return "execute the calls";
    case "finish":
      return answered + status + (row.warning === undefined ? "" : `, warning ${code(row.warning)}`);
    case "recover":
      return `${answered}call the model again; after ${code("max_truncation_recoveries")} in a row ${status}`;
    case "fail":
      return answered + status + (row.error === undefined ? "" : `, error kind ${code(row.error)}`);
  }
}

function code(text: string | undefined): string {
  return "`" + text + "`";
}

function literal(row: object): string {
  if (Object.keys(row).length === 0) return "{}";
  return `{ ${Object.entries(row)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
}

function readData<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, "spec", name), "utf8")) as T;
}

const verdicts: Record<string, string> = {
  allow: "executed",
  deny: "answered `denied`",
  ask: "in need of approval",
  classify: "what the classifier says: executed, denied, or in need of approval",
};

function conditions({ rule, mode, read_only, edits }: PermissionRow["when"]): string {
  const parts = [
    ...(rule === undefined ? [] : [`a rule with effect ${code(rule)} matches`]),
    ...(mode === undefined ? [] : [`the mode is ${code(mode)}`]),
    ...(read_only === undefined ? [] : [`the tool is ${read_only ? "" : "not "}${code("read_only")}`]),
    ...(edits === undefined ? [] : [`the tool ${code("edits")}`]),
  ];
  return parts.join(", ") || "nothing of this";
}
