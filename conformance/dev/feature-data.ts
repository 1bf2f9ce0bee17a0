// Reads what is known of each feature: its requirements, its cases, where the spec has it, and the examples that show it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCatalogue, type Requirement } from "../kit/suite/catalogue.ts";
import type { Suite, SuiteCase } from "../kit/index.ts";
import { root } from "./schema-files.ts";

/** A thing that agent loops offer, and where it stands here. Each has at least one of the lists, `layer` or `planned`. */
export interface Topic {
  topic: string;
  /** Features of which all cases show it. */
  features?: string[];
  /** Requirements whose cases show it. */
  requirements?: string[];
  cases?: string[];
  /** Files of the project. */
  see?: string[];
  /** Why it stands above the loop. */
  layer?: string;
  /** What some loops do in another way, what is done here, and why. */
  different?: string;
  /** What is still missing. */
  planned?: string;
}

/** A place in the spec. */
export interface Section {
  title: string;
  /** The path below `spec/`, with the anchor that GitHub gives the heading. */
  link: string;
}

/** The features of each example, by the name of its file. */
export function readExamples(): Record<string, string[]> {
  return readJson("spec/examples.json");
}

/** What agent loops offer, by area. */
export function readTopics(): Record<string, Topic[]> {
  return readJson("spec/topics.json");
}

/** The meaning of each feature. */
export function readFeatures(): Map<string, string> {
  return readCatalogue(root).features;
}

/** All requirements, as spec/requirements.json has them. */
export function readRequirementList(): Requirement[] {
  return [...readCatalogue(root).requirements.values()];
}

/** The files of the examples that show a feature. */
export function examplesOf(feature: string, examples = readExamples()): string[] {
  return Object.keys(examples).filter((file) => examples[file]!.includes(feature));
}

/**
 * The place of the spec that is about a feature: a section, or a chapter that is about little else. What other chapters add to it
 * for events, results, drivers and single providers counts only where nothing else does.
 */
export function sectionOf(feature: string, requirements: readonly Requirement[]): Section {
  const all = requirements.filter((one) => one.feature === feature);
  const main = all.filter(
    ({ id, file }) => !/^(DRIVER|EVENT|RESULT)-/.test(id) && !file.startsWith("spec/loop/providers/"),
  );
  const file = mostFrequent((main.length > 0 ? main : all).map((one) => one.file));
  if (file === undefined) return { title: "Features", link: "kit/conformance.md#features" };
  const here = all.filter((one) => one.file === file);
  const links = here.map((one) => sectionAt(one).link);
  const isOwnChapter = here.length * 2 >= requirements.filter((one) => one.file === file).length;
  if (isOwnChapter && new Set(links).size > 1) return sectionAt({ file, line: 1 });
  return sectionAt(here[links.indexOf(mostFrequent(links)!)]!);
}

function mostFrequent(values: readonly string[]): string | undefined {
  const count = (value: string) => values.filter((one) => one === value).length;
  return values.toSorted((one, other) => count(other) - count(one))[0];
}

/** The heading under which a requirement stands. */
export function sectionAt({ file, line }: Pick<Requirement, "file" | "line">): Section {
  const above = readFileSync(join(root, file), "utf8").split("\n").slice(0, line);
  const heading = above.findLast((text) => /^#+ /.test(text)) ?? "# ";
  const title = heading.replace(/^#+ /, "");
  const path = file.replace(/^spec\//, "");
  return { title, link: heading.startsWith("# ") ? path : `${path}#${anchorOf(title)}` };
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** The cases that test a requirement: those that name it first. */
export function casesOf(id: string, cases: readonly SuiteCase[]): SuiteCase[] {
  return cases.filter(({ case: source }) => source.requires[0] === id);
}

/** What is wrong with the topics: each shows what it names, or says why it does not. One line each. */
export function topicMistakes(topics: readonly Topic[], { cases, catalogue }: Pick<Suite, "cases" | "catalogue">) {
  return topics.flatMap((one) => {
    const { features = [], requirements = [], cases: ids = [], see = [], layer, planned } = one;
    const shown = (id: string) =>
      casesOf(id, cases).length > 0 || catalogue.requirements.get(id)?.untestable !== undefined;
    const mistakes = [
      ...features.filter((name) => !catalogue.features.has(name)).map((name) => `there is no feature ${name}`),
      ...requirements.filter((id) => !shown(id)).map((id) => `${id} is no requirement, or no case tests it`),
      ...ids.filter((id) => !cases.some((entry) => entry.id === id)).map((id) => `there is no case ${id}`),
      ...see.filter((path) => !existsSync(join(root, path))).map((path) => `there is no file ${path}`),
      ...(features.length + requirements.length + ids.length > 0 || layer || planned
        ? []
        : ["it names nothing that shows it, no layer, and nothing planned"]),
    ];
    return mistakes.map((mistake) => `spec/topics.json: ${JSON.stringify(one.topic)}: ${mistake}`);
  });
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), "utf8")) as T;
}
