// The page of the spec has everything once, every link in it leads somewhere and back, and it loads nothing.

import { describe, expect, it } from "vitest";
import { anchorMistakes, anchors } from "./anchors.ts";
import { readMarkdown } from "./markdown.ts";
import { specPage } from "./page.ts";
import { prose } from "./prose.ts";
import type { Place } from "./prose.ts";
import { requirementText } from "./requirement-text.ts";
import { readSpec } from "./spec-data.ts";
import { stateDiagram } from "./state-diagram.ts";
import { Glossary } from "./terms.ts";

const data = await readSpec();
const page = specPage(data);
/** Where each requirement, case, bug, feature and mutant links to, by its anchor. */
const links = linksOfEntries();
const place: Place = { file: "spec/loop/loop.md", files: new Set(), requirements: new Set(), cases: new Set() };

describe("the page", () => {
  it("has every requirement exactly once, with its sentence", () => {
    const ids = Array.from(page.matchAll(/<div class="requirement" id="([^"]*)"/g), ([, id]) => id);
    expect(ids.toSorted()).toEqual([...data.catalogue.requirements.keys()].toSorted());
    expect(page).toMatch(
      /id="LOOP-16">\s*<p><a class="id" href="#LOOP-16">LOOP-16<\/a> The loop <strong[^>]*>MUST NOT</,
    );
  });
  it("leads from each case to its requirements, and from what it tests to it", () => {
    const lost = data.cases.filter(({ id, case: { requires } }) => {
      const back = links.get(requires[0]!)?.has(anchors.case(id));
      return !back || !requires.every((requirement) => links.get(anchors.case(id))?.has(requirement));
    });
    expect(lost.map(({ id }) => id)).toEqual([]);
  });
  it("leads from each real bug to its cases and requirements, and back", () => {
    const lost = [...data.bugs].filter(([name, { cases = [], settled = [] }]) => {
      const answers = [...cases.map(anchors.case), ...settled];
      return !answers.every((answer) => isLinked(anchors.bug(name), answer));
    });
    expect(lost.map(([name]) => name)).toEqual([]);
  });
  it("leads from each mutant to what it breaks and what finds it, and back", () => {
    const lost = data.mutants.filter(
      ({ id, requirement, killers }) =>
        ![requirement, ...killers.map(anchors.case)].every((other) => isLinked(anchors.mutant(id), other)),
    );
    expect(data.mutants.length).toBeGreaterThan(500);
    expect(lost.map(({ id }) => id)).toEqual([]);
  });
  it("leads from each feature to its requirements and cases, and back", () => {
    const requirements = [...data.catalogue.requirements.values()].filter(({ feature }) => feature !== undefined);
    const lost = requirements.filter(({ id, feature }) => !isLinked(anchors.feature(feature!), id));
    expect(lost.map(({ id }) => id)).toEqual([]);
    const needing = data.cases.filter(
      ({ id, case: { features = [] } }) => !features.every((name) => isLinked(anchors.feature(name), anchors.case(id))),
    );
    expect(needing.map(({ id }) => id)).toEqual([]);
  });
  it("leads from the first use of a word to the glossary, and back", () => {
    const uses = Array.from(page.matchAll(/id="(use\/[^"]*)" href="#(term\/[^"]*)"/g), ([, use]) => use!);
    expect(uses.length).toBeGreaterThan(200);
    expect(uses.filter((use) => !page.includes(`<a href="#${use}">`))).toEqual([]);
  });
  it("is the same for the same spec", async () => {
    expect(specPage(await readSpec()) === page).toBe(true);
  });
  it("loads nothing", () => {
    const [markup = ""] = page.split("<script");
    expect(markup).toContain("default-src &#39;none&#39;");
    expect(markup.match(/<(?:script|img|iframe|link|object|embed|audio|video|source)\b[^>]*>/g)).toEqual([
      `<link rel="icon" href="data:," />`,
    ]);
    expect(between(page, "<style>", "</style>")).not.toMatch(/@import|url\(/);
    expect(between(page, '<script type="module">', "</script>")).not.toMatch(/\bimport\b|\bfetch\b/);
  });
});

describe("mistakes in the anchors", () => {
  it("are links that lead nowhere, and anchors that stand twice", () => {
    expect(anchorMistakes(`<p id="a"><a class="x" href="#a">a</a> <a href="https://b.c/#d">b</a></p>`)).toEqual([]);
    expect(anchorMistakes(`<p id="a"></p><p id="a"></p><a href="#b">b</a>`)).toEqual([
      "a link leads to #b, which is no place of the page: correct it, or name its text in spec/README.md",
      "#a stands twice in the page",
    ]);
  });
});

describe("a requirement", () => {
  it("is taken apart, whatever stands in its lines", async () => {
    const text =
      "**LOOP-1** The `MAY` loop MUST NOT `Why: not` go\non.\nFeature: limits\nWhy: a *reason*\nof two lines.";
    const { id, sentence, why, untestable } = requirementText(paragraph(text))!;
    expect(id).toBe("LOOP-1");
    expect(prose(sentence, place).text).toBe(
      ' The <code>MAY</code> loop <strong class="key-word">MUST NOT</strong> <code>Why: not</code> go on. ',
    );
    expect(prose(why, place).text).toBe("a <em>reason</em> of two lines.");
    expect(untestable).toEqual([]);
  });
  it("is no other paragraph", async () => {
    expect(requirementText(paragraph("A **turn** is one."))).toBeUndefined();
    expect(requirementText(paragraph("**Choice.** This one."))).toBeUndefined();
  });
});

describe("a text", () => {
  it("links to ids and cases that there are, and to places of the page", async () => {
    const known = { ...place, requirements: new Set(["LOOP-1"]), cases: new Set(["stop/one"]) };
    const written = async (text: string) => prose([paragraph(text)], known).text.trim();
    expect(await written("See LOOP-1.")).toBe(`<p>See <a class="id" href="#LOOP-1">LOOP-1</a>.</p>`);
    expect(await written("UTF-8")).toBe("<p>UTF-8</p>");
    expect(await written("`stop/one#LOOP-1`")).toBe(`<p><a href="#case/stop/one"><code>stop/one#LOOP-1</code></a></p>`);
    expect(await written("[a](tools.md#time) [b](#c) [d](../x.ts)")).toBe(
      `<p><a href="#tools/time">a</a> <a href="#loop/c">b</a> <span class="file">d</span></p>`,
    );
  });
  it("stays text, whatever it says", () => {
    expect(prose([paragraph("`<b>` & \\<i>")], place).text).toBe("<p><code>&#60;b&#62;</code> &#38; &#60;i&#62;</p> ");
  });
  it("is refused if it has something that the page cannot show", () => {
    const { children = [] } = readMarkdown("a\n\n![image](b.png)\n");
    expect(() => prose(children, place)).toThrow("spec/loop/loop.md: image");
    expect(() => prose([{ type: "html", value: "<b>" }], place)).toThrow("html");
  });
});

describe("a word of the glossary", () => {
  const term = { words: ["call", "tool call"], meaning: [], not: [] };
  it("is found once in a chapter, as a noun", () => {
    const glossary = new Glossary([term]);
    const finder = glossary.inChapter("loop");
    expect(finder.next("The loop calls the model; they call it a day.")).toBeUndefined();
    expect(finder.next("Then the failed tool call is answered.")).toMatchObject({
      before: "Then the failed ",
      word: "tool call",
      after: " is answered.",
    });
    expect(finder.next("A call.")).toBeUndefined();
    expect(glossary.inChapter("tools").next("A call.")).toMatchObject({ word: "call" });
    expect(glossary.usesOf(term)).toEqual(["loop", "tools"]);
  });
});

it("a state diagram is a table of its transitions, or a mistake", () => {
  expect(stateDiagram("stateDiagram-v2\n  [*] --> a: begin\n  a --> [*]").text).toMatch(
    /start[^]*<code>a<\/code>[^]*begin[^]*<code>a<\/code>[^]*end/,
  );
  expect(() => stateDiagram("stateDiagram-v2\n  a <- b")).toThrow(`"  a <- b" is no transition`);
});

function paragraph(text: string) {
  return readMarkdown(text).children![0]!;
}

function isLinked(one: string, other: string): boolean {
  return links.get(one)?.has(other) === true && links.get(other)?.has(one) === true;
}

function linksOfEntries(): Map<string, Set<string>> {
  const blocks = page.split(/(?=<div class="(?:requirement|entry)" id=")/).slice(1);
  return new Map(
    blocks.map((block) => {
      const own = block.split("</section>")[0]!;
      const targets = Array.from(own.matchAll(/href="#([^"]*)"/g), ([, target]) => target!);
      return [/id="([^"]*)"/.exec(block)![1]!, new Set(targets)];
    }),
  );
}

function between(text: string, start: string, end: string): string {
  return text.slice(text.indexOf(start), text.indexOf(end, text.indexOf(start)));
}
