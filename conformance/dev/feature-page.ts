// Writes spec/features.md, and the tables of features and examples that the READMEs show.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Requirement } from "../kit/suite/catalogue.ts";
import type { Suite, SuiteCase } from "../kit/index.ts";
import {
  anchorOf,
  casesOf,
  examplesOf,
  readExamples,
  readRequirementList,
  readTopics,
  sectionAt,
  sectionOf,
  topicMistakes,
  type Topic,
} from "./feature-data.ts";
import { root } from "./schema-files.ts";

/**
 * The text of spec/features.md.
 * @throws Error that lists every topic that names something that does not exist
 */
export function featurePage({ cases, catalogue }: Pick<Suite, "cases" | "catalogue">): string {
  const topics = Object.values(readTopics()).flat();
  const mistakes = topicMistakes(topics, { cases, catalogue });
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  const requirements = [...catalogue.requirements.values()];
  return `# Features

Every implementation has the [core](#core). What it has beside it are features, which it declares by name. This page says of each what it means,
which requirements it has, which cases test them, and which example shows it. It is made by \`npm run generate\` from the chapters, the cases,
[\`features.json\`](features.json), [\`examples.json\`](examples.json) and [\`topics.json\`](topics.json); do not edit it. \`npx agent-loop-spec explain budget\` prints the part of one feature.

${featureTable(catalogue.features)}

${notThereYet(topics)}## What agent loops offer

A row names the requirements whose cases show it, or says why it stands above the loop, what is done otherwise than some loops do it, and what is not there yet.

${Object.entries(readTopics())
  .map(([area, some]) => topicTable(area, some, { cases, catalogue }))
  .join("\n\n")}

${[...catalogue.features].map(([name, meaning]) => featureSection(name, meaning, requirements, cases)).join("\n\n")}

## core

What every implementation has. ${counted(cases.filter(isOfCore).length)} no feature.

${coreTables(requirements, cases)}

## Implementation-defined

Which features an implementation has.
`;
}

/** What is planned; nothing where nothing is. */
function notThereYet(topics: readonly Topic[]): string {
  const planned = topics.flatMap(({ topic, planned: what }) => (what === undefined ? [] : `- ${topic}. ${what}`));
  return planned.length === 0 ? "" : `## Not there yet\n\n${planned.join("\n")}\n\n`;
}

/** One row for each feature, with its chapter and its examples. */
function featureTable(features: ReadonlyMap<string, string>): string {
  const requirements = readRequirementList();
  const rows = [...features].map(([name, meaning]) => {
    const { link } = sectionOf(name, requirements);
    const chapter = `[${link.split("#", 1)[0]!.replace(/^.*\/|\.md$/g, "")}](${link})`;
    return [`[\`${name}\`](#${anchorOf(name)})`, meaning, chapter, exampleLinks(name, "../reference/examples")];
  });
  return table(["feature", "meaning", "chapter", "example"], rows);
}

/** One row for each example, with links that hold beside the examples. */
export function exampleTable(): string {
  return table(
    ["example", "shows", "features"],
    Object.entries(readExamples()).map(([file, features]) => {
      const [first = ""] = readFileSync(join(root, "reference/examples", file), "utf8").split("\n");
      const links = features.map((name) => `[\`${name}\`](../../spec/features.md#${anchorOf(name)})`);
      return [`[\`${file}\`](${file})`, first.replace(/^\/\/ /, ""), links.join(", ") || "core"];
    }),
  );
}

function featureSection(
  name: string,
  meaning: string,
  requirements: readonly Requirement[],
  cases: readonly SuiteCase[],
): string {
  const own = requirements.filter(({ feature }) => feature === name);
  const ids = new Set(own.map(({ id }) => id));
  const needing = cases.filter(({ case: source }) => source.features?.includes(name));
  const others = needing.filter(({ case: source }) => !ids.has(source.requires[0]!));
  const { title, link } = sectionOf(name, requirements);
  return [
    `## \`${name}\``,
    `${meaning} Spec: [${title}](${link}). Example: ${exampleLinks(name, "../reference/examples") || "none"}. ${counted(needing.length)} it.`,
    ...(own.length > 0 ? [requirementTable(own, cases)] : []),
    ...(others.length > 0
      ? [`Needed beside this by the cases of other requirements: ${others.map(caseLink).join(", ")}.`]
      : []),
  ].join("\n\n");
}

/** A table for each chapter that has requirements which hold for every loop and adapter. */
function coreTables(requirements: readonly Requirement[], cases: readonly SuiteCase[]): string {
  const core = requirements.filter(({ id, feature }) => feature === undefined && !/^(KIT|FIXTURE|DRIVER)-/.test(id));
  return [...new Set(core.map(({ file }) => file))]
    .map((file) => {
      const { title } = sectionAt({ file, line: 1 });
      return `### ${title}\n\n${requirementTable(
        core.filter((one) => one.file === file),
        cases,
      )}`;
    })
    .join("\n\n");
}

function requirementTable(requirements: readonly Requirement[], cases: readonly SuiteCase[]): string {
  return table(
    ["requirement", "says", "tested by"],
    requirements.map((one) => [
      requirementLink(one),
      plain(one.text),
      casesOf(one.id, cases).map(caseLink).join(", ") || `no case: ${plain(one.untestable ?? "none yet")}`,
    ]),
  );
}

function topicTable(area: string, topics: readonly Topic[], { cases, catalogue }: Pick<Suite, "cases" | "catalogue">) {
  const rows = topics.map(({ topic, features = [], requirements = [], cases: ids = [], see = [], ...notes }) => [
    topic,
    [
      ...features.map((name) => `[\`${name}\`](#${anchorOf(name)})`),
      ...requirements.map((id) => requirementLink(catalogue.requirements.get(id)!)),
      ...ids.map((id) => caseLink(cases.find((one) => one.id === id)!)),
      ...see.map((path) => `[${path.split("/").at(-1)}](${path.startsWith("spec/") ? path.slice(5) : `../${path}`})`),
    ].join(", "),
    noteOf(notes),
  ]);
  return `### ${area}\n\n${table(["what", "where", "note"], rows)}`;
}

function noteOf({ layer, different, planned }: Pick<Topic, "layer" | "different" | "planned">): string {
  return [
    ...(layer === undefined ? [] : [`Above the loop: ${layer}`]),
    ...(different === undefined ? [] : [`Different: ${different}`]),
    ...(planned === undefined ? [] : [`Planned: ${planned}`]),
  ].join(" ");
}

function isOfCore({ case: source }: SuiteCase): boolean {
  return !source.features?.length;
}

function counted(cases: number): string {
  return cases === 1 ? "One case needs" : `${cases} cases need`;
}

function requirementLink(requirement: Requirement): string {
  return `[${requirement.id}](${sectionAt(requirement).link})`;
}

function caseLink({ id }: SuiteCase): string {
  return `[${id}](../conformance/cases/${id}.yaml)`;
}

function exampleLinks(feature: string, folder: string): string {
  return examplesOf(feature)
    .map((file) => `[${file}](${folder}/${file})`)
    .join(", ");
}

/** A text that may stand in a cell: without links, because these hold elsewhere, and without bars. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("|", "\\|");
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
