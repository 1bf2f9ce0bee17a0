// The page of the spec in a real browser: searched, read on any screen and on paper, and reached by addresses and keys.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { contrast, luminance, visibleColours } from "../../reporters/testing/contrast.ts";
import { PageReader } from "../../reporters/testing/page.ts";
import { specPage } from "./page.ts";
import { readSpec } from "./spec-data.ts";

let reader: PageReader;
let file: string;

beforeAll(async () => {
  reader = await PageReader.start();
  file = join(reader.folder, "spec.html");
  writeFileSync(file, specPage(await readSpec()));
}, 120_000);
afterEach(async () => {
  await reader.closePage();
  expect(reader.noise).toEqual([]);
});
afterAll(() => reader?.stop());

const open = (address = "", options: BrowserContextOptions = {}) => reader.show(file, address, options);

const screens = [
  ["a phone", 320, "light"],
  ["a phone in the dark", 390, "dark"],
  ["a tablet", 800, "light"],
  ["a desk in the dark", 1280, "dark"],
] as const;

describe("the search", () => {
  it("finds a requirement by its id, and goes to it", async () => {
    const page = await open();
    await page.keyboard.press("/");
    await page.keyboard.type("loop-9");
    expect(await found(page).first().innerText()).toMatch(/^LOOP-9\s+The loop MUST answer every call/);
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#LOOP-9");
    expect(await isOnScreen(page, "#LOOP-9")).toBe(true);
    expect(await found(page).count()).toBe(0);
  });
  it("finds words in any order, says how much there is, and ends with Escape", async () => {
    const page = await open();
    const box = page.getByRole("searchbox");
    await box.fill("cut off not execute");
    await expect.poll(() => page.getByRole("status").innerText()).toMatch(/^\d+ places$/);
    expect(await found(page).allInnerTexts()).toContainEqual(expect.stringMatching(/^LOOP-9\s/));
    await box.fill("no such words");
    expect(await page.getByRole("status").innerText()).toBe("0 places");
    await box.press("Escape");
    expect(await box.inputValue()).toBe("");
    expect(await page.getByRole("navigation").isVisible()).toBe(true);
  });
  it("finds headings, words of the glossary, cases, bugs and mutants", async () => {
    const page = await open();
    const wanted = {
      "Stop conditions": "#loop/stop-conditions",
      turn: "#term/turn",
      "stop/max-tokens-with-call": "#case/stop/max-tokens-with-call",
      "length-truncated-tool-call-executed": "#bug/length-truncated-tool-call-executed",
      "sends-only-the-latest-messages": "#mutant/sends-only-the-latest-messages",
    };
    for (const [words, address] of Object.entries(wanted)) {
      await page.getByRole("searchbox").fill(words);
      expect(await found(page).first().getAttribute("href"), words).toBe(address);
    }
  });
  it("is gone through with the arrows", async () => {
    const page = await open();
    await page.getByRole("searchbox").fill("limit");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const second = await found(page).nth(1).getAttribute("href");
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe(second);
  });
  it("does not take the keys of who turned them off", async () => {
    const page = await open();
    await page.getByText("Keyboard", { exact: true }).click();
    await page.getByLabel("single keys").uncheck();
    await page.keyboard.press("/");
    expect(await page.getByRole("searchbox").evaluate((box) => box === box.ownerDocument.activeElement)).toBe(false);
  });
});

describe("an address", () => {
  it("opens what is closed around its place", async () => {
    const page = await open("#case/stop/max-tokens-with-call");
    expect(await isOnScreen(page, "#case/stop/max-tokens-with-call")).toBe(true);
  });
  it("of a requirement opens what is about it, and each thing leads back", async () => {
    const page = await open("#LOOP-9");
    const requirement = place(page, "#LOOP-9");
    await requirement.getByRole("link", { name: "stop/max-tokens-with-call" }).first().click();
    const entry = place(page, "#case/stop/max-tokens-with-call");
    expect(await entry.isVisible()).toBe(true);
    await entry.getByRole("link", { name: "LOOP-9", exact: true }).click();
    expect(await isOnScreen(page, "#LOOP-9")).toBe(true);
  });
  it("lights the place in the contents", async () => {
    const page = await open("#LOOP-9");
    const lit = page.locator("nav [aria-current]");
    await expect.poll(() => lit.allInnerTexts()).toEqual(["After a response"]);
    expect(await lit.isVisible()).toBe(true);
  });
});

it("copies the id of a requirement", async () => {
  const page = await open("#LOOP-9", { permissions: ["clipboard-read", "clipboard-write"] });
  await place(page, "#LOOP-9").hover();
  await page.getByRole("button", { name: "Copy LOOP-9", exact: true }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("LOOP-9");
});

describe("for everybody", () => {
  it("has landmarks, headings without gaps, and a link that skips the contents", async () => {
    const page = await open();
    for (const role of ["banner", "main", "search", "navigation", "contentinfo"] as const)
      expect(await page.getByRole(role).count(), role).toBe(1);
    const levels = await page
      .locator("h1, h2, h3, h4, h5")
      .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName[1])));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    const gaps = levels.filter((level, index) => level - (levels[index - 1] ?? 0) > 1);
    expect(gaps).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#text");
  });
  it.each(screens)("fits on %s", async (_, width, colorScheme) => {
    const page = await open("", { viewport: { width, height: 800 }, colorScheme });
    await page.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
    expect(await page.locator("html").evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(width);
  });
  it.each(["light", "dark"] as const)(
    "can be read in %s: text has a contrast of at least 4.5 to 1",
    async (colorScheme) => {
      const page = await open("#LOOP-9", { colorScheme });
      await page.getByRole("searchbox").fill("loop");
      const all = await visibleColours(page);
      expect(all.length).toBeGreaterThan(1000);
      expect(luminance(all[0]!.ground) > 0.5).toBe(colorScheme === "light");
      expect(all.filter(({ text, ground }) => contrast(text, ground) < 4.5)).toEqual([]);
    },
  );
  it("is read without a script: everything but the search is there", async () => {
    const page = await open("", { javaScriptEnabled: false });
    expect(await place(page, "#LOOP-9").isVisible()).toBe(true);
    expect(await page.getByRole("searchbox").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Stop conditions" }).first().isVisible()).toBe(true);
  });
  it("is printed without what paper cannot do, and no requirement on two pages", async () => {
    const page = await open("", { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("search").isVisible()).toBe(false);
    expect(await page.locator(".copy:visible").count()).toBe(0);
    const style = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => {
          return element.ownerDocument.defaultView.getComputedStyle(element)[property];
        }, name);
    expect(await style(".requirement", "breakInside")).toBe("avoid");
    expect(await style(".side", "position")).toBe("static");
    expect(await style("main a[href^='#']", "textDecorationLine")).toBe("none");
    expect((await page.pdf()).length).toBeGreaterThan(100_000);
  });
  it("is there soon", async () => {
    const page = await open();
    const ready = await page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd");
    expect(ready).toBeLessThan(10_000);
  });
});

function found(page: Page) {
  return page.locator("#found a");
}

/** The element of an address; its id has slashes, which a selector does not like. */
function place(page: Page, address: string) {
  return page.locator(`[id="${address.slice(1)}"]`);
}

async function isOnScreen(page: Page, address: string): Promise<boolean> {
  const box = await place(page, address).boundingBox();
  return box !== null && box.y >= 0 && box.y < page.viewportSize()!.height;
}
