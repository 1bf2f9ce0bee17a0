// The page of a report for everybody: on any screen and on paper, without a mouse or eyes, with hostile and with large reports.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { contrast, luminance, visibleColours } from "./testing/contrast.ts";
import { hostileReport, reportOf } from "./testing/sample.ts";
import { PageReader, attack, count, resultWith, sample } from "./testing/page.ts";

let reader: PageReader;

beforeAll(async () => {
  reader = await PageReader.start();
}, 120_000);
afterEach(async () => {
  await reader.closePage();
  expect(reader.noise).toEqual([]);
});
afterAll(() => reader?.stop());

describe("what it is made of", () => {
  const everything = "#area/one#TOOL-9/openai-chat/json";
  it("has landmarks, and headings without gaps", async () => {
    const page = await reader.open(sample, everything);
    for (const role of ["banner", "main", "search", "contentinfo"] as const)
      expect(await page.getByRole(role).count(), role).toBe(1);
    const levels = await page
      .locator("h1, h2, h3, h4, h5")
      .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName[1])));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries())
      expect(level - (levels[index - 1] ?? 0), `heading ${index}`).toBeLessThanOrEqual(1);
  });
  it("names every control and every column", async () => {
    const page = await reader.open(sample, everything);
    const tree = await page.locator("body").ariaSnapshot();
    expect(tree).not.toMatch(/- (checkbox|combobox|searchbox|textbox|button|link)(?! ")/);
    const bare = await page
      .locator("table")
      .evaluateAll((tables) => tables.filter((table) => table.querySelectorAll("th[scope]").length < 2).length);
    expect(bare).toBe(0);
  });
  it.each(["light", "dark"] as const)(
    "can be read in %s: text has a contrast of at least 4.5 to 1",
    async (colorScheme) => {
      const page = await reader.open(sample, everything, { colorScheme });
      await page.getByText("By requirement").click();
      await page.getByText("5 events").first().click();
      const ground = await page
        .locator("body")
        .evaluate((body) => body.ownerDocument.defaultView.getComputedStyle(body).backgroundColor);
      expect(luminance(ground) > 0.5).toBe(colorScheme === "light");
      const all = await visibleColours(page);
      expect(all.length).toBeGreaterThan(100);
      const low = all.filter(({ text, ground }) => contrast(text, ground) < 4.5);
      expect(low).toEqual([]);
    },
  );
  it("fits on a narrow screen", async () => {
    const page = await reader.open(sample, everything, { viewport: { width: 320, height: 600 } });
    expect(await page.locator("html").evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(320);
  });
  it("prints the failures, without what paper cannot do", async () => {
    const page = await reader.open(sample, "", { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator(".timeline").count()).toBe(2);
    expect(await page.locator(".timeline").last().isVisible()).toBe(true);
    expect(await page.getByRole("search").isVisible()).toBe(false);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});

describe("what a driver said", () => {
  it("is shown, and does nothing", async () => {
    const page = await reader.open(sample, "#area/one#TOOL-9/openai-chat/json");
    expect(await page.locator(".exchange").first().innerText()).toContain(attack);
    expect(await page.title()).toBe("x: conformance report");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(2);
  });
  it("does nothing wherever it stands", async () => {
    const page = await reader.open(hostileReport(), "#?");
    await page.locator("details.check > summary").click();
    await page.locator(".difference").first().waitFor();
    expect(await page.locator("img, x").count()).toBe(0);
  });
  it("could not run even as markup", async () => {
    const page = await reader.open(sample);
    await page.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<img src=data: onerror=\"document.title = 1\">')",
    );
    await expect.poll(() => reader.noise.join()).toContain("Content Security Policy");
    expect(await page.title()).toBe("x: conformance report");
    reader.noise = [];
  });
});

describe("a large report", () => {
  const many = reportOf(
    Array.from({ length: 5600 }, (_, index) => {
      const number = Math.floor(index / 7);
      const check = `area-${number % 30}/case-${number}#LOOP-${number % 100}`;
      return resultWith(check, `openai-chat/v${index % 7}`, index % 11 === 0 ? "fail" : "pass");
    }),
  );
  it("opens without drawing what nobody asked for", async () => {
    const page = await reader.open(many);
    expect(await count(page)).toBe("510 checks, 510 variants of 5,600.");
    expect(await page.locator("*").count()).toBeLessThan(12_000);
    const ready = await page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd");
    expect(ready).toBeLessThan(10_000);
  });
});
