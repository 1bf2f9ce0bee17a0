// The parts of the site: addresses, the check of links, and what the search finds.

import { describe, expect, it } from "vitest";
import { html } from "../../reporters/html/markup.ts";
import { Addresses } from "./addresses.ts";
import { brokenLinks } from "./broken-links.ts";
import { raised } from "./frame.ts";
import { entriesOf, searchIndex } from "./search-index.ts";
import type { SitePage } from "./site-page.ts";

const loop: SitePage = {
  path: "spec/loop/loop.html",
  title: "Loop",
  anchor: "loop",
  body: html`<h3 id="loop/turns">Turns <a class="here" href="#loop/turns"></a></h3>
    <div class="requirement" id="LOOP-1">
      <p><a class="id" href="#LOOP-1">LOOP-1</a> The loop <strong>MUST</strong> go on &#38; on.</p>
      <p class="why"><b>Why:</b> It is a loop.</p>
    </div>`,
};
const list: SitePage = {
  path: "spec/cases/stop.html",
  title: "Cases",
  anchor: "cases/stop",
  body: html`<div class="entry" id="case/stop/one">
    <p><code class="name">stop/one</code> A text ends it</p>
  </div>`,
};
const walk: SitePage = {
  ...list,
  path: "step/stop/one.html",
  anchor: "walk/stop/one",
  kind: "walk",
  body: html`<p id="t1"></p>`,
};

describe("an address", () => {
  const addresses = new Addresses([loop, list, walk]);
  it("is the place in the same page, a place in another, or another page", () => {
    expect(addresses.of("LOOP-1", loop.path)).toBe("#LOOP-1");
    expect(addresses.of("LOOP-1", list.path)).toBe("../loop/loop.html#LOOP-1");
    expect(addresses.of("walk/stop/one", loop.path)).toBe("../../step/stop/one.html");
    expect(addresses.of("t1", loop.path)).toBeUndefined();
  });
  it("stands in links, whatever else they have, and nowhere else", () => {
    expect(addresses.linked(`<a class="id" href="#LOOP-1">#LOOP-1</a> <a href="#gone">x</a>`, list.path)).toBe(
      `<a class="id" href="../loop/loop.html#LOOP-1">#LOOP-1</a> <a href="#gone">x</a>`,
    );
  });
  it("that two pages have is a mistake", () => {
    expect(() => new Addresses([loop, { ...loop, path: "other.html", anchor: "other" }])).toThrow(
      "#LOOP-1 is on spec/loop/loop.html and on other.html",
    );
  });
});

describe("the check of links", () => {
  const broken = (text: string) =>
    brokenLinks(
      new Map([
        ["a/one.html", text],
        ["two.html", `<p id="x/y"></p>`],
        ["style.css", ""],
      ]),
    );
  it("follows relative links to files and to places in pages", () => {
    expect(
      broken(`<link href="../style.css"><a href="../two.html#x/y">a</a><a href="https://b.example/c">c</a>`),
    ).toEqual([]);
  });
  it.each([
    `<a href="#gone">`,
    `<a class="id" href="../two.html#gone">`,
    `<a href="two.html">`,
    `<script defer src="../gone.js">`,
    `<img alt="" src="/style.css">`,
  ])("finds %s", (text) => {
    expect(broken(text)).toHaveLength(1);
  });
});

describe("the search", () => {
  it("finds pages, headings, requirements with their reasons, and entries of lists", () => {
    expect(entriesOf(loop)).toEqual([
      ["", "Loop", "", 0],
      ["loop/turns", "Turns", "", 0],
      ["LOOP-1", "LOOP-1", "The loop MUST go on & on. Why: It is a loop.", 2],
    ]);
    expect(entriesOf(list)).toContainEqual(["case/stop/one", "stop/one", "A text ends it", 3]);
  });
  it("knows the page of each, and leaves walks to the list of cases", () => {
    const run = (script: string) => new Function("globalThis", script);
    const left: { sitePages?: unknown; siteEntries?: unknown[] } = {};
    for (const { content } of searchIndex([loop, walk, list])) run(content)(left);
    expect(left.sitePages).toEqual([
      ["spec/loop/loop.html", "Loop"],
      ["spec/cases/stop.html", "Cases"],
    ]);
    expect(left.siteEntries).toContainEqual([1, "case/stop/one", "stop/one", "A text ends it", 3]);
  });
});

it("headings of a chapter are one level higher on a page of its own, and code that looks like one stays", () => {
  const levels = (markup: string) => Array.from(markup.matchAll(/<h(\d)/g), ([, level]) => level);
  const raisedText = raised(
    html`<h3 id="a">a</h3>
      <h5>b</h5>
      <code>${"<h3>"}</code>
      <h2>c</h2>`,
  ).text;
  expect(levels(raisedText)).toEqual(["2", "4", "2"]);
  expect(raisedText).toContain("<code>&#60;h3&#62;</code>");
});
