// The page of the matrix in a real browser: nothing in its data acts, nothing is loaded, and all of it is reached by keys.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Matrix } from "../../schemas/types.ts";
import { PageReader, attack, count } from "../reporters/testing/page.ts";
import { matrixPage } from "./page.ts";
import { sampleMatrix, sampleRow } from "./testing/sample.ts";

let reader: PageReader;

beforeAll(async () => {
  reader = await PageReader.start();
}, 120_000);
afterEach(async () => {
  await reader.closePage();
  expect(reader.noise).toEqual([]);
});
afterAll(() => reader?.stop());

async function open(matrix: Matrix, address = "", options: BrowserContextOptions = {}): Promise<Page> {
  const file = join(reader.folder, "matrix.html");
  writeFileSync(file, matrixPage(matrix));
  return reader.show(file, address, { offline: true, ...options });
}

const own = { ...sampleRow("own/reference", "ours"), title: "The reference", language: "go" };
own.cells = {
  "LOOP-9": { outcome: "kept", kept: 2 },
  "LOOP-18": { outcome: "kept" },
  "SESSION-26": { outcome: "kept" },
};
own.next = {};
const two = sampleMatrix([{ ...sampleRow(), title: "Some Framework", language: "python" }, own]);

describe("the page", () => {
  it("shows at one glance what is broken, and what is only seen by the kit", async () => {
    const page = await open(two);
    const row = page.locator('tr[data-row="peers/some-framework"]');
    expect(await row.locator(".number").allInnerTexts()).toEqual(expect.arrayContaining([expect.stringMatching(/^1/)]));
    expect(await row.locator("a.cell.broken").count()).toBe(1);
    expect(await row.locator("a.cell.unconfirmed").count()).toBe(1);
    expect(await page.locator('tr[data-row="own/reference"] a.cell.kept').count()).toBe(3);
    expect(await page.locator(".lead").innerText()).toMatch(
      /^1 frameworks and programs of others were held to 3 [^]* 1 breaches are red/,
    );
  });
  it("opens the evidence of a square: script, exchange, sentence, command; and closes it again", async () => {
    const page = await open(two);
    await page.getByRole("link", { name: "Some Framework, LOOP-9: broken" }).click();
    const dialog = page.getByRole("dialog");
    const text = await dialog.innerText();
    for (const part of [
      "conformance/peers/x",
      "exit code 1",
      "npx agent-loop-spec test x",
      "matrix issue peers/some-framework/LOOP-9",
    ])
      expect(text).toContain(part);
    expect(new URL(page.url()).hash).toBe("#peers/some-framework/LOOP-9");
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.isVisible()).toBe(false);
    await expect.poll(() => new URL(page.url()).hash).toBe("");
  });
  it("has an address for each square and for each next message", async () => {
    const page = await open(two, "#peers/some-framework/LOOP-18");
    expect(await page.getByRole("dialog").innerText()).toContain("no accusation");
    await page.evaluate(`location.hash = "#peers/some-framework/tool-throws"`);
    await expect.poll(() => page.getByRole("dialog").innerText()).toContain("openai-chat/json");
  });
  it("is one stop of the tab key, and its squares are reached with arrows", async () => {
    const page = await open(two);
    const focused = () => page.evaluate<string>(`document.activeElement?.getAttribute("data-cell")`);
    expect(await page.locator('#glance a.cell[tabindex="0"]').count()).toBe(1);
    await page.locator('#glance a.cell[tabindex="0"]').focus();
    expect(await focused()).toBe("peers/some-framework/LOOP-9");
    const steps = ["ArrowRight", "ArrowDown", "End", "ArrowUp", "Home", "ArrowLeft"];
    const places: unknown[] = [];
    for (const key of steps) {
      await page.keyboard.press(key);
      places.push(await focused());
    }
    expect(places).toEqual([
      "peers/some-framework/SESSION-26",
      "own/reference/SESSION-26",
      "own/reference/LOOP-18",
      "peers/some-framework/LOOP-18",
      "peers/some-framework/LOOP-9",
      "peers/some-framework/LOOP-9",
    ]);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("dialog").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe("peers/some-framework/LOOP-9");
  });
  it("is filtered by severity, kind, language and provider, and keeps the choice in its address", async () => {
    const page = await open(two);
    await page.getByRole("checkbox", { name: "executes unasked" }).check();
    expect(await count(page)).toBe("2 of 2 rows, 1 of 3 requirements.");
    await page.getByRole("checkbox", { name: "Loops of this project" }).check();
    expect(await count(page)).toBe("1 of 2 rows, 1 of 3 requirements.");
    const address = new URL(page.url()).hash;
    await page.getByRole("button", { name: "show all" }).click();
    expect(await count(page)).toBe("2 of 2 rows, 3 of 3 requirements.");
    await page.getByLabel("language").selectOption("go");
    expect(await count(page)).toContain("1 of 2 rows");
    await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    await expect.poll(() => count(page)).toBe("1 of 2 rows, 1 of 3 requirements.");
  });
  it("shows what a row is: version, configuration, what changed, what is disputed, what could not be brought about", async () => {
    const page = await open(two);
    const text = await page.locator("#rows article").filter({ hasText: "Some Framework" }).innerText();
    for (const part of [
      "x x",
      "Changed since 2026-10-01",
      "LOOP-9 kept → broken",
      "Disputed.",
      "1 requirements that its driver cannot bring about",
    ])
      expect(text).toContain(part);
  });
  it("says why a row was not measured", async () => {
    const { cells: _, next: __, ...gone } = sampleRow("agents/gone");
    const page = await open(
      sampleMatrix([{ ...gone, title: "Gone", unavailable: "it fetches its engine at installation" }]),
    );
    expect(await page.locator("table.glance").innerText()).toContain(
      "Not measured: it fetches its engine at installation",
    );
  });
  it.each([
    [390, "light"],
    [820, "dark"],
  ] as const)("has no text beside the screen at %i pixels, %s", async (width, colorScheme) => {
    const page = await open(two, "", { viewport: { width, height: 800 }, colorScheme });
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
  });
  it("can be printed: what is clicked is left out", async () => {
    const page = await open(two);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#filters").isVisible()).toBe(false);
    expect(await page.locator("table.glance").isVisible()).toBe(true);
  });
});

it("takes nothing in its data for markup, wherever it is shown", async () => {
  const rows = ["peers/a", "agents/b", "own/c"].map((id) => sampleRow(id, attack));
  const page = await open(sampleMatrix(rows, attack), "#peers/a/LOOP-9");
  expect(await page.locator("img, script:not([type])").count()).toBe(0);
  const close = async () => {
    await page.keyboard.press("Escape");
    // The page hears of its closing a moment later.
    await expect.poll(() => new URL(page.url()).hash).toBe("");
  };
  await close();
  for (const place of ["#peers/a/LOOP-18", "#agents/b/SESSION-26", "#peers/a/tool-throws"]) {
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
    await expect.poll(() => page.getByRole("dialog").isVisible()).toBe(true);
    expect(await page.locator("img").count()).toBe(0);
    await close();
  }
  expect(await page.title()).toContain("Which loop gets it right?");
  expect(await page.locator("#glance").innerText()).toContain(attack);
});
