// Holds the sentences of the spec to what a machine can hold: their length, and one verb for each act.

import { join } from "node:path";
import { expect, it } from "vitest";
import { readRequirements } from "./generate-requirements.ts";
import { root } from "./schema-files.ts";

/** Words of a sentence; a longer one says two things, or one of them twice. */
const mostWords = 58;

/** What an actor does, by the one word for it. */
const acts: [verb: RegExp, better: string][] = [
  [/^(?:say|tell|notify|inform)$/, "report to the caller, send to the model, hand to a hook or a function, name, have"],
  [/^(?:hear|listen)$/, "read, receive"],
  [/^(?:return|finish|stop)$/, "end, where a run ends; return is what adapters and repairs do with messages"],
  [/^(?:show|mention|state)$/, "report, name"],
  [/^(?:try|attempt)$/, "call again; only a model call is tried again"],
];
/** Acts that have their word in some places. */
const exempt: Record<string, RegExp> = {
  adapter: /^return$/,
  repair: /^return$/,
  loop: /^(?:return|stop|try)$/,
  store: /^return$/,
};

/** Words that send a reader back to look for what they mean. */
const words: [word: RegExp, better: string][] = [
  [/\b(?:is|are|was|were) told\b/, "who sends what: the caller sets, the loop sends, the server reports"],
  [/\bwhoever\b/i, "the caller, the reader, any loop"],
  [/\bas far as\b/, "unless, that"],
  [/\ball the same\b/, "also where"],
  [/\b(?:hear|hears|heard)\b/, "reported, received"],
  [/\b(?:finish|finishes|return|returns|stop|stops) with status\b/, "end with status"],
  [/\b(?:e\.g\.|i\.e\.|etc\.|and\/or)/, "for example, that is, and, or"],
  [
    /\b(?:appropriate|reasonable|should be|as needed|if possible|where possible)\b/i,
    "what it is, or where it is possible",
  ],
];

const requirements = readRequirements(join(root, "spec"));

it.each(requirements.map(({ id, text, actor, file, line }) => [id, { text, actor, at: `${file}:${line}` }] as const))(
  "%s is one sentence of plain words",
  (_, { text, actor, at }) => {
    const prose = text.replaceAll(/(`+)[^]*?\1(?!`)/g, "x").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const count = prose.split(/\s+/).length;
    const verb = /\b(?:MUST|SHOULD|MAY)(?: NOT)?(?:, .*?,)? (\w+)/.exec(prose)?.[1] ?? "";
    const problems = [
      ...(count > mostWords ? [`${at} has ${count} words, at most ${mostWords}: make two sentences of it`] : []),
      ...(/[.!?] [A-Z]/.test(prose) ? [`${at} is more than one sentence`] : []),
      ...(/;/.test(prose) ? [`${at} has a semicolon: what follows it needs an id of its own`] : []),
      ...acts.flatMap(([wrong, better]) =>
        wrong.test(verb) && !exempt[actor]?.test(verb) ? [`${at}: an actor does not "${verb}"; say: ${better}`] : [],
      ),
      ...words.flatMap(([wrong, better]) => {
        const found = wrong.exec(prose);
        return found ? [`${at}: "${found[0]}"; say: ${better}`] : [];
      }),
    ];
    expect(problems).toEqual([]);
  },
);

/** The reasons of the document that others implement, in the same words as its sentences. */
const reasons = requirements
  .filter(({ file }) => file.startsWith("spec/loop/"))
  .flatMap(({ id, why, level_reason }) => [why, level_reason].flatMap((text) => (text ? [[id, text] as const] : [])));

it("the reasons of Agent Loop say who sends and who reports", () => {
  const found = reasons.filter(([, text]) => /\b(?:is|are|was|were|be|been) told\b/.test(text));
  expect(found).toEqual([]);
});
