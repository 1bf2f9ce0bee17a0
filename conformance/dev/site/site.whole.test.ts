// The site in a real browser, with the walks of a few cases: found, read, stepped through and answered, from a disk.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loadSuite } from "../../kit/index.ts";
import { contrast, visibleColours } from "../../reporters/testing/contrast.ts";
import { PageReader } from "../../reporters/testing/page.ts";
import { makeSite } from "./site.ts";
import { playedTraces, walkPages } from "./walk-pages.ts";

let reader: PageReader;
let site: Map<string, string>;

/** One page of each kind. */
const kinds = [
  "index.html",
  "spec/loop/loop.html",
  "matrix/index.html",
  "matrix/peers/ai-sdk.html",
  "step/stop/end-turn-text.html",
  "quiz/index.html",
  "step/index.html",
];

beforeAll(async () => {
  const suite = await loadSuite();
  const few = suite.cases.filter(({ id }) => id.startsWith("stop/") || id === "providers/gemini-usage");
  const declared = { name: "run", text: "Runs.", code: "export declare function run(): void;" };
  const modules = [{ specifier: "agent-loop-spec/one", exports: [declared] }];
  site = await makeSite({ traces: await playedTraces({ ...suite, cases: few }), modules });
  reader = await PageReader.start();
  for (const [path, content] of site) {
    mkdirSync(dirname(join(reader.folder, path)), { recursive: true });
    writeFileSync(join(reader.folder, path), content);
  }
}, 240_000);
afterEach(async () => {
  await reader.closePage();
  expect(reader.noise).toEqual([]);
});
afterAll(() => reader?.stop());

const open = (address: string, options: BrowserContextOptions = {}) => {
  const [path = "", place] = address.split("#");
  return reader.show(join(reader.folder, path), place === undefined ? "" : `#${place}`, { offline: true, ...options });
};
const heading = (page: Page) => page.getByRole("heading", { level: 1 }).innerText();
/** The path of the page from the folder of the site, with its place. */
const where = (page: Page) => decodeURI(page.url()).split(`${reader.folder}/`)[1];

describe("the files", () => {
  it("have no page over about a megabyte", () => {
    const large = [...site].filter(([path, text]) => path.endsWith(".html") && Buffer.byteLength(text) > 1_100_000);
    expect(large.map(([path]) => path)).toEqual([]);
  });
  it("have each requirement, each case and each chapter", () => {
    for (const path of [
      "spec/loop/loop.html",
      "spec/kit/probe.html",
      "spec/cases/stop.html",
      "conformance/index.html",
      "reference/index.html",
      "conformance/teaching/tour/03-one-tool/index.html",
      "api/agent-loop-spec/one.html",
    ])
      expect(site.has(path), path).toBe(true);
    expect(site.get("spec/loop/loop.html")).toContain('<div class="requirement" id="LOOP-9">');
  });
  it("are the same for the same project: a walk has the same words, ids, waits and addresses each time", async () => {
    const suite = await loadSuite();
    const chance = ["session/missing-id", "retry/waits-longer-each-time", "providers/plain-text"];
    const cases = suite.cases.filter(({ id }) => id.startsWith("tools/unknown") || chance.includes(id));
    const walks = async () => walkPages(cases, await playedTraces({ ...suite, cases }), new Set());
    const [once, again] = [await walks(), await walks()];
    expect(once.length).toBeGreaterThan(chance.length + 1);
    expect(again).toEqual(once);
    expect(once.map(({ body }) => body.text).join()).not.toMatch(/127\.0\.0\.1:\d/);
  });
  it("walk through a case on the first variant that the reference plays", () => {
    expect(site.get("step/stop/end-turn-text.html")).toContain("on generic: pass");
    expect(site.get("spec/cases/stop.html")).toContain('href="../../step/stop/end-turn-text.html"');
  });
});

describe("the search", () => {
  it("finds on every page what stands on any, by key alone", async () => {
    const page = await open("step/stop/end-turn-text.html");
    await page.keyboard.press("/");
    await page.keyboard.type("loop-9");
    const first = page.locator("#found a").first();
    await expect.poll(() => first.innerText()).toMatch(/^LOOP-9\s+The loop MUST answer every call/);
    await page.keyboard.press("Enter");
    await expect.poll(() => where(page)).toBe("spec/loop/loop.html#LOOP-9");
    expect(await page.locator("#LOOP-9 details").first().getAttribute("open")).not.toBeNull();
  });
  it("finds the page of a case, a module and a text of the kit", async () => {
    const page = await open("index.html");
    for (const [words, address] of [
      ["stop/end-turn-text", "spec/cases/stop.html#case/stop/end-turn-text"],
      ["agent-loop-spec/one", "api/agent-loop-spec/one.html"],
      ["The tour", "conformance/teaching/tour/index.html"],
    ]) {
      await page.getByRole("searchbox").fill(words!);
      await expect.poll(() => page.locator("#found a").first().getAttribute("href")).toBe(address);
    }
  });
});

describe("the parts", () => {
  it("begin at the first page: three doors, and every part", async () => {
    const page = await open("index.html");
    const doors = page.getByRole("navigation", { name: "Three ways in" }).getByRole("link");
    expect(await doors.locator("b").allInnerTexts()).toEqual(["Probe my agent", "Use the loop", "Check my loop"]);
    expect(
      await page
        .getByRole("img", { name: /A row is a framework/ })
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(100);
    await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Quiz" }).click();
    await expect.poll(() => heading(page)).toBe("The quiz");
  });
  it("step through a case with keys, which the search keeps for itself while something is written", async () => {
    const page = await open("step/stop/end-turn-text.html");
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("status").filter({ hasText: "of 4" }).innerText()).toMatch(/^2 of 4/);
    await page.getByRole("searchbox").fill("xy");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Home");
    expect(await page.getByRole("status").filter({ hasText: "of 4" }).innerText()).toMatch(/^2 of 4/);
  });
  it("lead from a square of the matrix to its evidence, drawn by the script or before it", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open("matrix/index.html", { javaScriptEnabled });
      await page.locator('[data-row="peers/ai-sdk"] a.cell.broken').first().click();
      await expect.poll(() => where(page)).toMatch(/^matrix\/peers\/ai-sdk\.html#peers\/ai-sdk\/[A-Z]+-\d+$/);
      expect(await heading(page)).toContain("the evidence");
      await reader.closePage();
    }
  });
  it("ask a puzzle that its address names, judge the answer and count", async () => {
    const code = /data-codes="\w+ (\w+) /.exec(site.get("quiz/index.html")!)![1]!;
    const page = await open(`quiz/index.html#${code}`);
    await expect.poll(() => page.getByRole("heading", { level: 2 }).innerText()).toBe(`Fault ${code}`);
    const puzzles = JSON.parse(/push\(\.\.\.(.*)\);\n$/.exec(site.get("quiz/puzzles-1.js")!)![1]!) as {
      code: string;
      right: string[];
      place: string;
    }[];
    const { right, place } = puzzles.find((one) => one.code === code)!;
    await page
      .locator(`input[name=requirement]:is(${right.map((id) => `[value="${id}"]`).join(", ")})`)
      .first()
      .check();
    await page.locator(`input[name=place][value="${place}"]`).check();
    await page.getByRole("button", { name: "Answer" }).click();
    expect(await page.locator("#verdict").innerText()).toMatch(/^The requirement is right; the place is right\./);
    expect(await page.locator("#score").innerText()).toBe("1 of 1 right");
  });
});

describe("for everybody", () => {
  it.each(kinds)("%s has one title, its landmarks, and a link that skips the bar", async (path) => {
    const page = await open(path);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    for (const role of ["main", "contentinfo"] as const) expect(await page.getByRole(role).count(), role).toBe(1);
    const levels = await page
      .locator("h1, h2, h3, h4, h5")
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
    expect(levels.filter((level, at) => level - (levels[at - 1] ?? 0) > 1)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to the text");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(":focus").evaluate((element) => element.tagName)).toMatch(/^(MAIN|DIV)$/);
  });
  it.each(kinds.flatMap((path) => [360, 768, 1400].map((width) => [path, width] as const)))(
    "%s fits in %i pixels",
    async (path, width) => {
      const page = await open(path, {
        viewport: { width, height: 800 },
        colorScheme: width === 768 ? "dark" : "light",
      });
      expect(await page.locator("html").evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(width);
    },
  );
  it.each(["light", "dark"] as const)("the first page and the quiz can be read in %s", async (colorScheme) => {
    for (const path of ["index.html", "quiz/index.html"]) {
      const page = await open(path, { colorScheme });
      const all = await visibleColours(page);
      expect(all.filter(({ text, ground }) => contrast(text, ground) < 4.5)).toEqual([]);
      await reader.closePage();
    }
  });
  it("is printed without the bar and the contents", async () => {
    const page = await open("spec/loop/loop.html");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".bar, .side").filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  });
  it.each(kinds.filter((path) => !path.startsWith("quiz")))("%s is read without a script", async (path) => {
    const page = await open(path, { javaScriptEnabled: false });
    expect(await page.getByRole("searchbox").count()).toBe(0);
    expect((await page.getByRole("main").innerText()).length).toBeGreaterThan(500);
  });
});
