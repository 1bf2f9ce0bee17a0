// The page of a walk in a real browser: it shows one transition, lights it up, and is reached by keys, buttons and addresses.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Fixture } from "../../../schemas/types.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { PageReader, attack } from "../../reporters/testing/page.ts";
import { walkPage } from "./page.ts";
import { readFixtureTrace } from "./read-fixture.ts";
import { transitionsOf } from "./transitions.ts";

let reader: PageReader;
let file: string;

beforeAll(async () => {
  reader = await PageReader.start();
  const fixture = packagePath("fixtures/anthropic-messages/weather-loop-streamed.json");
  const trace = await readFixtureTrace(attack, JSON.parse(readFileSync(fixture, "utf8")) as Fixture);
  file = join(reader.folder, "walk.html");
  writeFileSync(file, walkPage(trace, transitionsOf(trace)));
}, 120_000);
afterEach(async () => {
  await reader.closePage();
  expect(reader.noise).toEqual([]);
});
afterAll(() => reader?.stop());

const open = (address = "", options: BrowserContextOptions = {}) => reader.show(file, address, options);
const where = (page: Page) => page.getByRole("status").textContent();
const shown = (page: Page) => page.locator("section.transition:visible").getAttribute("aria-labelledby");

/** The lit transition, the state that was left, and the one that was reached. */
async function lit(page: Page): Promise<(string | null)[]> {
  return [
    await page.locator("[data-edge].lit").getAttribute("data-edge"),
    await page.locator("[data-state].left").getAttribute("data-state"),
    await page.locator("[data-state].reached").getAttribute("data-state"),
  ];
}

describe("the page", () => {
  it("begins with the first transition, and lights it up", async () => {
    const page = await open();
    expect(await where(page)).toBe("1 of 8: turn_boundary → calling_model");
    expect(await shown(page)).toBe("h1");
    expect(await lit(page)).toEqual(["turn_boundary>calling_model", "turn_boundary", "calling_model"]);
    expect(await page.title()).toBe(attack);
  });
  it("goes on and back with keys, to the ends and not beyond", async () => {
    const page = await open();
    const visited: (string | null)[] = [];
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"]) {
      await page.keyboard.press(key);
      visited.push(await shown(page));
    }
    expect(visited).toEqual(["h2", "h3", "h2", "h8", "h8", "h1", "h1"]);
    expect(await lit(page)).toEqual(["turn_boundary>calling_model", "turn_boundary", "calling_model"]);
  });
  it("goes on with buttons, which keep the focus and say when there is nothing more", async () => {
    const page = await open();
    const next = page.getByRole("button", { name: "next" });
    await next.click();
    await page.keyboard.press("Space");
    expect(await shown(page)).toBe("h3");
    await page.getByRole("button", { name: "last" }).click();
    expect(await next.getAttribute("aria-disabled")).toBe("true");
  });
  it("has an address for each transition, and a list of them", async () => {
    const page = await open("#t4");
    expect(await shown(page)).toBe("h4");
    expect(await lit(page)).toEqual(["executing>turn_boundary", "executing", "turn_boundary"]);
    await page.getByText("All 8 transitions").click();
    await page.getByRole("link", { name: "deciding → executing" }).click();
    await expect.poll(() => shown(page)).toBe("h3");
    expect(await page.locator("[aria-current=step]").textContent()).toBe("deciding → executing");
    await page.keyboard.press("ArrowRight");
    expect(new URL(page.url()).hash).toBe("#t4");
  });
  it("has a way past the machine that does not lead elsewhere", async () => {
    const page = await open("#t4");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to the transitions");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe("transitions");
    expect(await shown(page)).toBe("h4");
  });
  it("says what was decided, with the sentence, what was sent, and what came back", async () => {
    const page = await open("#t2");
    const section = page.getByRole("region", { name: /2 of 8/ });
    expect(await section.locator("dt").first().innerText()).toBe("LOOP-1 send the whole session");
    expect(await section.locator("dd").first().innerText()).toContain("The loop MUST send in each request");
    expect(await section.getByText("Sent to the model").isVisible()).toBe(true);
    await section.getByText("As it was asked").click();
    expect(await section.locator("details pre").innerText()).toContain('"max_tokens"');
  });
  it("has everything on paper", async () => {
    const page = await open("#t3");
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator("section.transition:visible").count()).toBe(8);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await shown(page)).toBe("h3");
  });
  it("has everything without its script", async () => {
    const page = await open("", { javaScriptEnabled: false });
    expect(await page.locator("section.transition:visible").count()).toBe(8);
    expect(await page.getByRole("button").count()).toBe(0);
  });
  it.each([360, 800, 1400])("is no wider than a screen of %i", async (width) => {
    const page = await open("#t2", { viewport: { width, height: 800 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });
});
