// The stages together: what examines them, in which order, and that their pages say what is so.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { declarationOf, pageLines, referenceLines } from "./learn-page.ts";
import { sharedSuite } from "../../kit/testing/shared-suite.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { profilesOf } from "../../kit/suite/profiles.ts";
import { driverNotifications, driverRequests, kitNotifications, kitRequests } from "../../kit/base/protocol.ts";
import type { SchemaType } from "../../kit/base/schema-refs.ts";
import { matchesPattern } from "../../kit/suite/selection.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";
import { divide, featuresUpTo, findStage, readStage, readStages } from "./stages.ts";

/** What fits on two screens. */
const maxLines = 50;
const maxColumns = 120;
/** A sentence shorter than this may stand on two pages, such as a heading of a list. */
const shortSentence = 40;

/** For whoever has written a case that no stage has. */
const toDo = "each is named under cases of the stage in conformance/teaching/stages in which a loop can pass it first";

const stages = readStages();
const learner = { folder: ".", argument: "", progress: { progress: 1, passed: {}, hints: {} } } as const;

const suite = await sharedSuite();
const divided = await divide(stages, suite);
const profiles = new Map((await profilesOf(suite)).map((profile) => [profile.name, profile]));

/** The numbers of the stages that have a case on a variant. */
const numbers = new Map<string, number[]>();
for (const { stage, selected } of divided)
  for (const { entry, variant } of selected) {
    const key = `${entry.id} ${variant.name}`;
    numbers.set(key, [...(numbers.get(key) ?? []), stage.number]);
  }

/** The numbers of the stages that have a check on a variant. */
function stagesOf(check: string, variant: string): number[] {
  return numbers.get(`${check.split("#", 1)[0]} ${variant}`) ?? [];
}

function required(profile: string): { key: string; stages: number[] }[] {
  return profiles
    .get(profile)!
    .checks.flatMap(({ check, variants }) =>
      variants.map((variant) => ({ key: `${check} ${variant}`, stages: stagesOf(check, variant) })),
    );
}

describe("the track", () => {
  it("has every required check of the profile portable in exactly one stage, and none after the last of them", () => {
    const checks = required("portable");
    expect(checks.length).toBeGreaterThan(100);
    expect(
      checks.filter(({ stages: found }) => found.length !== 1),
      toDo,
    ).toEqual([]);
    const last = findStage(stages, "events")!.number;
    expect(checks.filter(({ stages: found }) => found[0]! > last)).toEqual([]);
    // Whoever has come so far has been examined by nothing else.
    const core = new Set(checks.map(({ key }) => key));
    const examined = divided.slice(0, last).flatMap(({ selected }) => selected);
    expect(
      examined
        .map(({ entry, variant }) => `${entry.id}#${entry.case.requires[0]} ${variant.name}`)
        .filter((key) => !core.has(key)),
    ).toEqual([]);
  });
  it.each(["anthropic-messages", "openai-chat", "openai-responses"])(
    "has every required check of the profile %s in exactly one stage",
    (profile) => {
      expect(
        required(profile).filter(({ stages: found }) => found.length !== 1),
        toDo,
      ).toEqual([]);
    },
  );
  it("has a case of its own in every stage and for every pattern", () => {
    for (const { stage, selected } of divided)
      for (const pattern of stage.cases)
        expect(
          selected.filter(({ entry }) => matchesPattern(pattern, entry.id)),
          `${stage.name}: ${pattern}`,
        ).not.toEqual([]);
  });
  it("names features that exist, and where it does, is examined by what needs them and nothing that comes later", () => {
    for (const { stage, selected } of divided) {
      const features = stage.features ?? [];
      expect(features.filter((name) => !suite.catalogue.features.has(name))).toEqual([]);
      const needed = selected.map(({ entry }) => entry.case.features ?? []);
      if (features.length > 0)
        expect(needed.filter((names) => !names.some((name) => features.includes(name)))).toEqual([]);
      const known = featuresUpTo(stages, stage);
      expect(needed.flat().filter((name) => !known.includes(name))).toEqual([]);
    }
  });
});

describe.each(stages.map((stage) => [stage.name, stage] as const))("the page of %s", (_, stage) => {
  it("fits on two screens", () => {
    const lines = pageLines(divided, stage, learner, suite);
    expect(lines.filter((line) => line.length > maxColumns)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(maxLines);
  });
  it("names lines of the reference that are there", () => {
    for (const place of stage.reference) {
      const [first] = referenceLines({ ...stage, reference: [place] });
      expect(first).toMatch(new RegExp(`^${place.split("#")[0]}:\\d+$`));
    }
  });
  it("names only what there is", () => {
    const text = [stage.idea, stage.task, ...stage.hints].join("\n");
    const requirements = [...text.matchAll(/\bexplain ([A-Z]+-\d+)/g)].map(([, id]) => id!);
    expect(requirements.filter((id) => !suite.catalogue.requirements.has(id))).toEqual([]);
    const cases = [...text.matchAll(/\brepro ([a-z-]+\/[a-z-]+)/g)].map(([, id]) => id!);
    expect(cases.filter((id) => !suite.cases.some((entry) => entry.id === id))).toEqual([]);
    const files = [...text.matchAll(/\b(?:spec|schemas)\/[\w/.-]*\w/g)].map(([file]) => file);
    expect(files.filter((file) => !existsSync(packagePath(file)))).toEqual([]);
  });
  it("shows messages and events that are as their schemas say", () => {
    for (const block of blocksOf(stage.task)) expect(problemsOf(block)).toEqual([]);
  });
});

it("says no sentence on two pages", () => {
  const where = new Map<string, string>();
  for (const { name, idea, task, hints } of stages) {
    const prose = [idea, task, ...hints].join("\n\n").replaceAll(/^ {4}.*$/gm, "");
    for (const sentence of prose.replaceAll(/\s+/g, " ").split(/(?<=[.:?]) /)) {
      if (sentence.length < shortSentence) continue;
      expect(where.get(sentence), sentence).toBeUndefined();
      where.set(sentence, name);
    }
  }
});

describe("a stage that is none is refused with its file", () => {
  const head = "title: One\non: [generic]\ncases: [stop/end-turn-text]\nreference: [reference/core/agent-loop.ts#step]";
  const page = (
    top = head,
    body = "## Idea\n\nAn idea.\n\n## Task\n\nA task.\n\n## Hints\n\n1. A hint.\n2. Another\n   one.\n",
  ) => `---\n${top}\n---\n\n${body}`;
  it("but one that is as it should be is read", () => {
    expect(readStage("01-one.md", page())).toMatchObject({
      idea: "An idea.",
      task: "A task.",
      hints: ["A hint.", "Another\none."],
    });
  });
  it.each([
    ["no head", "## Idea\n", /01-one\.md is no stage: expected YAML between/],
    ["an unknown key", page(`${head}\ncase: x`), /unknown property "case"/],
    ["no cases", page(head.replace("[stop/end-turn-text]", "[]")), /\/cases: expected at least 1/],
    [
      "a section too few",
      page(head, "## Idea\n\nAn idea.\n\n## Task\n\nA task.\n"),
      /expected the sections Idea, Task, Hints .* got Idea, Task/,
    ],
    [
      "text before the sections",
      page(head, "Before.\n\n## Idea\n\n## Task\n\n## Hints\n\n1. A hint.\n"),
      /nothing before them/,
    ],
    [
      "hints that are no list",
      page(head, "## Idea\n\n## Task\n\n## Hints\n\nA hint.\n"),
      /expected Hints to be a numbered list/,
    ],
  ])("%s", (_, text, message) => {
    expect(() => readStage("01-one.md", text)).toThrow(message);
  });
});

describe("what a file declares under a name", () => {
  const text =
    "// first\n\n/** Two lines. */\nexport function two(\n  a: string,\n): void {\n  if (a) {\n  }\n}\n\nconst one = 1;\nexport const table = {\n  a: 1,\n} as const;\n";
  it.each([
    ["two", 3, 7],
    ["one", 11, 1],
    ["table", 12, 3],
  ])("%s", (name, line, length) => {
    const found = declarationOf(text, name)!;
    expect([found.line, found.lines.length]).toEqual([line, length]);
  });
  it("is nothing where it declares nothing", () => {
    expect(declarationOf(text, "a")).toBeUndefined();
  });
});

/** The indented blocks of a page, each as its messages: a line that begins with an arrow or a brace begins one. */
function blocksOf(task: string): string[][] {
  const blocks: string[][] = [];
  let isOpen = false;
  for (const line of task.split("\n")) {
    const shown = line.startsWith("    ");
    if (shown && !isOpen) blocks.push([]);
    isOpen = shown;
    if (!shown) continue;
    if (/^ {4,}(?:[→←] )?\{/.test(line)) blocks.at(-1)!.push(line.trim());
    else if (blocks.at(-1)!.length > 0) blocks.at(-1)!.push(`${blocks.at(-1)!.pop()!}${line.trim()}`);
  }
  return blocks;
}

interface Shown {
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: unknown;
  type?: string;
}

/** What is wrong with the messages of a block; what has an ellipsis, or words behind it, is not meant whole. */
function problemsOf(block: readonly string[]): string[] {
  const methods = { ...kitRequests, ...driverRequests } as Record<string, { params: SchemaType; result: SchemaType }>;
  const notifications = { ...kitNotifications, ...driverNotifications } as Record<string, SchemaType>;
  const validated = new Map<unknown, SchemaType>();
  return block.flatMap((shown) => {
    const text = shown.replace(/^[→←] /, "").replace(/\} {2,}.*$/, "}");
    if (text.includes("…")) return [];
    const { id, method, params, result, type } = JSON.parse(text) as Shown;
    if (method !== undefined && id !== undefined) validated.set(id, methods[method]!.result);
    const [schema, value]: [SchemaType | undefined, unknown] =
      method !== undefined
        ? [methods[method]?.params ?? notifications[method], params]
        : result !== undefined
          ? [validated.get(id), result]
          : type === undefined
            ? [undefined, undefined]
            : /^tool_(call|result)$/.test(type)
              ? ["Message", JSON.parse(text)]
              : ["Event", { ...(JSON.parse(text) as object), seq: 1 }];
    if (schema === undefined) return [];
    const problems = validate(schema, value);
    return problems.length === 0 ? [] : [`${text}\n${describeProblems(problems)}`];
  });
}
