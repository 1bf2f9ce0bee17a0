// Writes spec/essential.md: what a newcomer reads first, each requirement with what happens without it and where that was seen.

import type { Requirement, Suite } from "../kit/index.ts";
import { severities } from "../kit/suite/levels.ts";
import { sectionAt } from "./feature-data.ts";

type Known = Pick<Suite, "catalogue" | "bugs">;

/** What each severity is called in a heading, and how a user is hurt. */
const headings: Readonly<Record<(typeof severities)[number], [title: string, text: string]>> = {
  executes: ["Executes", "A side effect that nobody asked for."],
  leaks: ["Leaks", "A secret gets out."],
  bricks: ["Bricks", "The provider refuses the conversation, now and with every later message."],
  loses: ["Loses", "Work that was done, or something that somebody said, is forgotten."],
  misreports: ["Misreports", "A failure is reported as success, or the reverse."],
};

/**
 * The text of spec/essential.md.
 * @throws Error that lists every essential requirement without a real bug that exists
 */
export function essentialPage({ catalogue, bugs }: Known): string {
  const essential = [...catalogue.requirements.values()].filter(({ level }) => level === "essential");
  const own = essential.filter(({ file }) => !isOfProvider(file));
  const without = own.filter(({ bug }) => bug === undefined || bugs[bug] === undefined);
  if (without.length > 0)
    throw new Error(
      without
        .map(
          ({ id, file, line, bug }) =>
            `${file}:${line}: ${id} needs "Bug: <key of conformance/bugs.yaml>", not ${bug ?? "nothing"}`,
        )
        .join("\n"),
    );
  return `# Essential

A loop that breaks one of these ${own.length} requirements hurts its users. They are the first thing to read, and the first to be judged: from the requests of a loop, from what it executes, and from
one word about how a run ended; no session, no events and no result of this spec are needed. Each stands here with what happens without it, and with a real loop in which it happened.
This page is made by \`npm run generate\` from the chapters and [\`bugs.yaml\`](../conformance/bugs.yaml); do not edit it.

\`\`\`sh
agent-loop test --driver ./my-driver --level essential
\`\`\`

${severities.map((severity) => section(severity, own, bugs)).join("\n\n")}

## For each provider

Without these an adapter breaks the requirements above, each for its own provider.

${adapters(essential.filter(({ file }) => isOfProvider(file)))}

## Implementation-defined

Everything else, at this level: how a run is started, what a session looks like, which tools run in parallel, how many turns there are by default.
`;
}

function section(severity: (typeof severities)[number], own: readonly Requirement[], bugs: Suite["bugs"]): string {
  const [title, text] = headings[severity];
  const rows = own
    .filter((one) => one.severity === severity)
    .map((one) => `| ${linked(one)} | ${cell(one.text)} | ${cell(one.level_reason)} | ${seen(bugs[one.bug!]!)} |`);
  return `## ${title}\n\n${text}\n\n| requirement | says | without it | seen |\n|---|---|---|---|\n${rows.join("\n")}`;
}

function adapters(requirements: readonly Requirement[]): string {
  return [...Map.groupBy(requirements, ({ file }) => file)]
    .map(([file, own]) => {
      const { title } = sectionAt({ file, line: 1 });
      const rows = own.map((one) => `| ${linked(one)} | ${cell(one.text)} | ${cell(one.level_reason)} |`);
      return `### ${title}\n\n| requirement | says | without it |\n|---|---|---|\n${rows.join("\n")}`;
    })
    .join("\n\n");
}

function seen({ symptom, links }: { symptom: string; links?: unknown }): string {
  return `${cell(symptom)} ${(links as string[]).map((link, index) => `[${index + 1}](${link})`).join(" ")}`;
}

function isOfProvider(file: string): boolean {
  return file.startsWith("spec/providers/");
}

function linked(requirement: Requirement): string {
  return `[${requirement.id}](${sectionAt(requirement).link})`;
}

/** A text that may stand in a cell: without links, because these hold elsewhere, and without bars. */
function cell(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("|", "\\|");
}
