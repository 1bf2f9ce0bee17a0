// Reads the stages of the track, and divides the suite among them.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { TrackStage } from "../../../schemas/types.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { expressibleVariants } from "../../kit/suite/profiles.ts";
import { matchesPattern } from "../../kit/suite/selection.ts";
import type { Selected } from "../../kit/suite/selection.ts";
import type { Suite, SuiteCase } from "../../kit/suite/types.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";
import { isOver } from "../../kit/suite/variant.ts";
import type { Variant } from "../../kit/suite/variant.ts";

/** One step of the track. */
export interface Stage extends TrackStage {
  /** Its place, from 1. */
  number: number;
  /** Its file without the number: it stays when the place changes. */
  name: string;
  /** From the folder of the package. */
  file: string;
  idea: string;
  task: string;
  /** From the slightest to the plainest. */
  hints: string[];
}

/** A stage, and what it is examined by. */
export interface ExaminedStage {
  stage: Stage;
  /** In the order of the suite. */
  selected: Selected[];
}

const sections = ["Idea", "Task", "Hints"] as const;

/**
 * The stages, in order.
 * @throws Error that names the file, if one is not as a stage is
 */
export function readStages(folder = packagePath("conformance/teaching/stages")): Stage[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return files.sort().map((file, index) => {
    const [, number, name] = /^(\d\d)-([a-z-]+)\.md$/.exec(file) ?? [];
    if (name === undefined || Number(number) !== index + 1)
      throw wrong(file, `expected a name such as ${String(index + 1).padStart(2, "0")}-one-tool.md, without gaps`);
    return {
      number: index + 1,
      name,
      file: `conformance/teaching/stages/${file}`,
      ...readStage(file, readFileSync(join(folder, file), "utf8")),
    };
  });
}

/**
 * One stage of its text.
 * @throws Error that names the file
 */
export function readStage(file: string, text: string): Omit<Stage, "number" | "name" | "file"> {
  const [, head, body] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw wrong(file, "expected YAML between two lines of ---");
  const header: unknown = parse(head);
  const problems = validate("TrackStage", header);
  if (problems.length > 0) throw wrong(file, describeProblems(problems));
  const [before, ...parts] = body.split(/^## (.*)$/m);
  const titles = parts.filter((_, index) => index % 2 === 0);
  if (before!.trim() !== "" || titles.join() !== sections.join())
    throw wrong(file, `expected the sections ${sections.join(", ")} and nothing before them, got ${titles.join(", ")}`);
  const [idea, task, list] = parts.filter((_, index) => index % 2 === 1).map((part) => part.trim());
  const hints = list!.split(/^\d+\. /m).map((hint) => hint.trim().replaceAll(/\n +/g, "\n"));
  if (hints[0] !== "" || hints.length < 2) throw wrong(file, "expected Hints to be a numbered list");
  return { ...(header as TrackStage), idea: idea!, task: task!, hints: hints.slice(1) };
}

/**
 * Divides the suite: each variant belongs to the first stage that names its case, is run where it is, and has all features
 * that the case needs.
 */
export async function divide(stages: readonly Stage[], { cases }: Pick<Suite, "cases">): Promise<ExaminedStage[]> {
  const divided = stages.map((stage): ExaminedStage => ({ stage, selected: [] }));
  const features = stages.map((stage) => new Set(featuresUpTo(stages, stage)));
  for (const [entry, variants] of await expressibleVariants(cases)) {
    const possible = divided.filter(({ stage }, at) => names(stage, entry, features[at]!));
    for (const variant of variants)
      possible.find(({ stage }) => runs(stage, variant))?.selected.push({ entry, variant });
  }
  return divided;
}

/** The stage of this number or this name. */
export function findStage(stages: readonly Stage[], named: string): Stage | undefined {
  return stages.find(({ number, name }) => String(number) === named || name === named);
}

/** The features that a driver declares at a stage. */
export function featuresUpTo(stages: readonly Stage[], { number }: Stage): string[] {
  return stages.slice(0, number).flatMap(({ features = [] }) => features);
}

function names(stage: Stage, { id, case: source }: SuiteCase, features: ReadonlySet<string>): boolean {
  return (
    (source.features ?? []).every((feature) => features.has(feature)) &&
    stage.cases.some((pattern) => matchesPattern(pattern, id))
  );
}

function runs({ on }: Stage, variant: Variant): boolean {
  return on.some((place) => (place === "generic" ? variant.seam === place : isOver(variant, place)));
}

function wrong(file: string, message: string): Error {
  return new Error(`conformance/teaching/stages/${file} is no stage: ${message}`);
}
