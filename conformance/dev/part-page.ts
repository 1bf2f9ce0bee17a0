// Writes the two lists of spec/loop that tell a reader how far to read: the sentences of the core, and the optional parts with what each needs.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Requirement } from "../kit/suite/catalogue.ts";
import type { Suite } from "../kit/index.ts";
import { anchorOf, casesOf, sectionAt, sectionOf } from "./feature-data.ts";
import { root } from "./schema-files.ts";

/** Features that are read together. */
export interface Part {
  title: string;
  says: string;
  features: string[];
}

/** What a feature means nothing without: one of these features, and why. */
export interface Need {
  one_of: string[];
  because: string;
}

/** The optional parts, as spec/parts.json has them. */
export interface Parts {
  parts: Part[];
  needs: Record<string, Need[]>;
}

type Known = Pick<Suite, "cases" | "catalogue">;

/** The optional parts. */
export function readParts(): Parts {
  return JSON.parse(readFileSync(join(root, "spec/parts.json"), "utf8")) as Parts;
}

/** The sentences that bind every loop, whatever its providers and optional parts: what version 1.0 freezes. What is essential binds it also in a conversation of several runs. */
export function coreRequirements(requirements: Iterable<Requirement>): Requirement[] {
  return [...requirements].filter(
    ({ level, feature, file }) =>
      (level === "essential" || (level === "core" && feature === undefined)) &&
      !file.startsWith("spec/loop/providers/"),
  );
}

/** The text of spec/loop/core.md. */
export function corePage({ catalogue }: Pick<Suite, "catalogue">): string {
  const core = coreRequirements(catalogue.requirements.values());
  const byFile = Map.groupBy(core, ({ file }) => file);
  return `# Core

The ${core.length} sentences that bind every loop, whatever providers it speaks and whatever else it can do. They are what version 1.0 freezes: from then on none of them changes its meaning
([a requirement's life](../changing.md#the-life-of-a-requirement)). Those of level \`essential\` are marked; [Essential](essential.md) says how a user is hurt without them.
This page is made by \`npm run generate\` from the chapters; do not edit it.

${[...byFile].map(([file, own]) => coreSection(file, own)).join("\n\n")}

## Implementation-defined

What no sentence here is about.
`;
}

function coreSection(file: string, own: readonly Requirement[]): string {
  const rows = own.map((one) => `| ${linked(one)} | ${plain(one.text)} | ${one.level === "essential" ? "yes" : ""} |`);
  return `## ${sectionAt({ file, line: 1 }).title}\n\n| requirement | says | essential |\n|---|---|---|\n${rows.join("\n")}`;
}

/**
 * The text of spec/loop/parts.md.
 * @throws Error that lists every mistake of spec/parts.json
 */
export function partPage(suite: Known, { parts, needs } = readParts()): string {
  const mistakes = partMistakes(suite, { parts, needs });
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  return `# Optional parts

What a loop can have beside the [core](core.md): ${parts.length} parts with ${suite.catalogue.features.size} features. A loop has the features that it declares, by these names, in its handshake, its manifest and its certificates; a part is only
a way to read them. A feature *needs* another where its sentences mean nothing without it, or cannot be tested: who declares the first declares the second. [Features](../features.md) has the requirements, the cases and the example of each.
This page is made by \`npm run generate\` from [\`parts.json\`](../parts.json), the chapters and the cases; do not edit it.

${parts.map((part) => partSection(part, needs, suite)).join("\n\n")}

## What features need

A feature that is not in this table needs the core alone.

| feature | needs | because |
|---|---|---|
${Object.entries(needs)
  .flatMap(([name, some]) => some.map((need) => `| ${featureLink(name)} | ${oneOf(need)} | ${need.because} |`))
  .join("\n")}

## Implementation-defined

Which features a loop has.
`;
}

function partSection({ title, says, features }: Part, needs: Parts["needs"], { cases, catalogue }: Known): string {
  const requirements = [...catalogue.requirements.values()];
  const rows = features.map((name) => {
    const own = requirements.filter(({ feature }) => feature === name);
    const section = sectionOf(name, requirements);
    const needed = (needs[name] ?? []).map(oneOf).join("; ");
    const chapter = `[${section.title}](${posix.relative("loop", section.link)})`;
    const tested = own.reduce((sum, { id }) => sum + casesOf(id, cases).length, 0);
    return `| ${featureLink(name)} | ${catalogue.features.get(name)} | ${chapter} | ${own.length} | ${tested} | ${needed} |`;
  });
  return `## ${title}\n\n${says}\n\n| feature | meaning | read | requirements | cases | needs |\n|---|---|---|---|---|---|\n${rows.join("\n")}`;
}

/** What spec/parts.json says that the features and the cases do not bear out. One line each. */
export function partMistakes({ cases, catalogue }: Known, { parts, needs }: Parts): string[] {
  const listed = parts.flatMap(({ features }) => features);
  const twice = listed.filter((name, index) => listed.indexOf(name) !== index);
  return [
    ...[...catalogue.features.keys()].filter((name) => !listed.includes(name)).map((name) => `${name} is in no part`),
    ...twice.map((name) => `${name} is in two parts`),
    ...[...listed, ...Object.entries(needs).flatMap(([name, some]) => [name, ...some.flatMap((need) => need.one_of)])]
      .filter((name) => !catalogue.features.has(name))
      .map((name) => `there is no feature ${name}`),
    ...[...catalogue.features.keys()].flatMap((name) => needMistakes(name, needs[name] ?? [], { cases, catalogue })),
  ].map((mistake) => `spec/parts.json: ${mistake}`);
}

/** What the cases of a feature all declare it needs, and what it needs they all declare. */
function needMistakes(name: string, needs: readonly Need[], { cases, catalogue }: Known): string[] {
  const own = cases.filter(({ case: { requires } }) => catalogue.requirements.get(requires[0]!)?.feature === name);
  const declared = own.map(({ case: { features = [] } }) => features.filter((feature) => feature !== name));
  const [first = [], ...others] = declared;
  const always = first.filter((feature) => others.every((features) => features.includes(feature)));
  const stated = needs.flatMap((need) => need.one_of);
  return [
    ...always
      .filter((feature) => !stated.includes(feature))
      .map((feature) => `each case of ${name} declares ${feature}, too: say under needs why`),
    ...needs
      .filter(({ one_of }) => declared.some((features) => !one_of.some((feature) => features.includes(feature))))
      .map((need) => `${name} needs ${oneOf(need)}, but a case of it declares neither`),
  ];
}

function oneOf({ one_of }: Need): string {
  return one_of.map(featureLink).join(" or ");
}

function featureLink(name: string): string {
  return `[\`${name}\`](../features.md#${anchorOf(name)})`;
}

function linked(requirement: Requirement): string {
  return `[${requirement.id}](${posix.relative("loop", sectionAt(requirement).link)})`;
}

/** A text that may stand in a cell: without links, because these hold elsewhere, and without bars. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("|", "\\|");
}
