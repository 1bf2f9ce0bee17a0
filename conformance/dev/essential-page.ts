// Writes spec/loop/essential.md, what a newcomer reads first, each requirement with what happens without it and where that was seen; and what belongs to one provider.

import { posix } from "node:path";
import type { Requirement, Suite } from "../kit/index.ts";
import { severities } from "../kit/suite/levels.ts";
import { endingWords } from "./ending-words.ts";
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
 * The text of spec/loop/essential.md.
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
one word about how a run ended; no session, no events and no result of this spec are needed. Each stands here with what happens without it, and with a real loop in which it happened; [explain](../kit/teaching.md) says more of each.
This page is made by \`npm run generate\` from the chapters and [\`bugs.yaml\`](../../conformance/bugs.yaml); do not edit it.

\`\`\`sh
agent-loop test --driver ./my-driver --level essential
\`\`\`

${severities.map((severity) => section(severity, own, bugs)).join("\n\n")}

## What the words mean

A stop reason is why a response ended, by whatever word the provider has for it. A word in two rows means what the response is: with calls \`tool_use\`, with a refusal \`refusal\`, else \`end_turn\`.

${endingWords()}

* Nothing but one JSON object is the input of a call. Everything else that a model wrote for arguments is null (TOOL-3): a list, a text, a number, \`null\`, what cannot be read. No arguments at all are \`{}\`.
* To answer a call is to append a result that says why it was not executed. The answers of a response that is in no later request are in none either (SESSION-13).
* A turn is one response with everything that it asked for; the calls of the last turn that is permitted are executed (LOOP-23).
* A model is what the request named; what another model sealed goes to no other (PROVIDER-8).

## Beside them

* What keeps these requirements with one provider: [Essential for each provider](essential-providers.md). A loop is judged by it on the providers that it speaks.
* What is right in several ways, and is observed instead of judged: [Behaviours](../kit/conformance.md#behaviours). Among them: whether the model is asked again after calls that were cut off (\`cut_calls\`), whether the calls beside \`end_turn\` or
  beside a word that nobody knows are executed (\`end_turn_calls\`, \`unknown_ending_calls\`), and the word for the end of a text that was cut off, or of a refusal (\`cut_text\`, \`refusal\`).
* A driver of level wire is sent one text of a user and what the user says next. What shows only where a run begins on a conversation that another one made is judged by a driver that takes sessions.

A requirement stands here if a loop that breaks it hurts a user, and if that shows from outside. What follows on the wire from another one stands there alone: that a session is kept in order, for example, shows in the next request (LOOP-1).

## Implementation-defined

Everything else, at this level: how a run is started, what a session looks like, which tools run in parallel, how many turns there are by default.
`;
}

/** The text of spec/loop/essential-providers.md. */
export function essentialProvidersPage({ catalogue }: Known): string {
  const all = [...catalogue.requirements.values()].filter(({ file }) => isOfProvider(file));
  const essential = all.filter(({ level }) => level === "essential");
  return `# Essential for each provider

Without these ${essential.length} requirements an adapter breaks those of [Essential](essential.md), each for its own provider. What only servers of a dialect do is none of them: it is level \`core\`, and for who talks to such servers.
This page is made by \`npm run generate\` from the chapters; do not edit it.

${adapters(essential)}

## Dialects

Servers that speak the format of a provider in a way of their own. Of a loop that never talks to them nothing of this is asked at level \`essential\`.

| requirement | servers | without it |
|---|---|---|
${all.flatMap((one) => (one.dialect === undefined ? [] : [`| ${linked(one)} | ${cell(one.dialect)} | ${cell(one.level_reason)} |`])).join("\n")}

## Implementation-defined

Which providers a loop speaks, and with which servers.
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
      return `## ${title}\n\n| requirement | says | without it |\n|---|---|---|\n${rows.join("\n")}`;
    })
    .join("\n\n");
}

function seen({ symptom, links }: { symptom: string; links?: unknown }): string {
  return `[${cell(symptom)}](${(links as string[])[0]})`;
}

function isOfProvider(file: string): boolean {
  return file.startsWith("spec/loop/providers/");
}

function linked(requirement: Requirement): string {
  return `[${requirement.id}](${posix.relative("loop", sectionAt(requirement).link)})`;
}

/** A text that may stand in a cell: without links, because these hold elsewhere, and without bars. */
function cell(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("|", "\\|");
}
