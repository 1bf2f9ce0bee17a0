// The page of a report in a real browser: what it shows, and how it is reached by filters, addresses and keys.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PageReader, attack, check, count, resultWith, sample } from "./testing/page.ts";
import { reportOf } from "./testing/sample.ts";

let reader: PageReader;

beforeAll(async () => {
  reader = await PageReader.start();
}, 120_000);
afterEach(async () => {
  await reader.closePage();
  expect(reader.noise).toEqual([]);
});
afterAll(() => reader?.stop());

describe("the page", () => {
  it("says what came of the run, and shows first what needs attention", async () => {
    const page = await reader.open(sample);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("x");
    expect(await page.locator(".lead").innerText()).toContain("1 requirement broken; 2 of 6 variants failed.");
    const broken = page.getByRole("list", { name: "Broken requirements" }).getByRole("listitem");
    expect(await broken.count()).toBe(1);
    expect(await broken.innerText()).toMatch(/TOOL-9[^]*broken in 2 variants of 1 case/);
    expect(await count(page)).toBe("1 check, 2 variants of 9.");
    expect(await page.locator("details.check").count()).toBe(1);
  });
  it("says what else is wrong, with its place, and keeps it from pushing everything away", async () => {
    const problems = Array.from({ length: 40 }, (_, index) => ({
      file: "known.yaml",
      line: index,
      message: "it passes",
    }));
    const page = await reader.open({ ...sample, problems });
    const list = page.getByRole("list", { name: "What else is wrong" });
    expect((await list.getByRole("listitem").nth(7).innerText()).trim()).toMatch(/known\.yaml:7 it passes$/);
    expect((await list.boundingBox())!.height).toBeLessThan(300);
  });
  it("has scores by provider, area, feature and requirement, each leading to its results", async () => {
    const page = await reader.open(sample);
    // The third requirement is that of a feature that the driver does not declare.
    expect(await page.locator("summary", { hasText: "By requirement" }).innerText()).toBe(
      "By requirement 1 of 2 without a failure, 1 of which nothing was run",
    );
    await page.getByText("By requirement").click();
    const row = page.getByRole("row", { name: /TOOL-9/ });
    expect((await row.innerText()).split(/\s+/)).toEqual(expect.arrayContaining(["1", "3", "33.3", "%"]));
    expect(await page.getByRole("row", { name: /LOOP-10/ }).innerText()).toContain("–");
    await row.getByRole("link").click();
    await expect.poll(() => count(page)).toBe("1 check, 3 variants of 9.");
  });
  it("calls nothing passed that failed as it was expected to [REPORT-4]", async () => {
    const known = [
      resultWith("area/one#TOOL-9", "generic", "pass"),
      resultWith("area/two#LOOP-1", "generic", "expected-fail"),
    ];
    const page = await reader.open(reportOf(known));
    expect(await page.locator(".lead").innerText()).toContain("1 of 2 variants passed; 1 failed, which is known.");
    expect((await page.getByRole("row", { name: /generic/ }).innerText()).split(/\s+/).slice(0, 6)).toEqual([
      "~",
      "generic",
      "1",
      "2",
      "50.0",
      "%",
    ]);
  });
  it("shows a failure whole: the difference, the timeline, the wire and the command", async () => {
    const page = await reader.open(sample);
    await check(page, "area/one").click();
    const variant = page.locator("details.variant").first();
    expect(await variant.locator(".difference .expected").first().innerText()).toContain("18 °C");
    expect(await variant.locator(".difference .received").first().innerText()).toContain(JSON.stringify(attack));
    const hidden = variant.locator(".difference td", { hasText: /^\s*10,$/ }).first();
    expect(await hidden.isVisible()).toBe(false);
    await variant.getByRole("button", { name: /more lines that are the same/ }).click();
    expect(await hidden.isVisible()).toBe(true);
    expect(await variant.locator(".timeline").innerText()).toMatch(/turn 1\s+0\.5\s+7\.0/);
    expect(await variant.locator(".exchange pre").nth(1).innerText()).toContain('"messages": [');
    expect(await variant.locator(".command").innerText()).toBe("npx agent-loop-spec test --driver x --case area/one");
  });
  it("draws nothing that is not open", async () => {
    const page = await reader.open(sample);
    expect(await page.locator("details.variant").count()).toBe(0);
    await check(page, "area/one").click();
    await page.locator(".timeline").waitFor();
    expect(await page.locator(".timeline").count()).toBe(1);
  });
});

describe("filters", () => {
  it("narrow the list, say how much is left, and stand in the address", async () => {
    const page = await reader.open(sample);
    await page.getByRole("button", { name: "show all" }).click();
    expect(await count(page)).toBe("3 checks, 9 variants: everything.");
    await page.getByRole("combobox", { name: "provider" }).selectOption("openai-chat");
    expect(await count(page)).toBe("3 checks, 6 variants of 9.");
    await page.getByRole("combobox", { name: "area" }).selectOption("area");
    expect(await count(page)).toBe("2 checks, 4 variants of 9.");
    await page.getByRole("checkbox", { name: /pass/ }).check();
    expect(await count(page)).toBe("1 check, 2 variants of 9.");
    expect(new URL(page.url()).hash).toBe("#?verdict=pass&area=area&provider=openai-chat");
    await page.reload();
    expect(await count(page)).toBe("1 check, 2 variants of 9.");
    expect(await page.getByRole("combobox", { name: "provider" }).inputValue()).toBe("openai-chat");
  });
  it("find words in names, sentences, reasons and failures", async () => {
    const page = await reader.open(sample, "#?");
    const search = page.getByRole("searchbox");
    const found: [string, string][] = [
      ["must answer", "1 check, 3"],
      ["declare THREE", "1 check, 3"],
      ["assertion area/one", "1 check, 3"],
      ["nowhere", "0 checks, 0"],
    ];
    for (const [words, left] of found) {
      await search.fill(words);
      expect(await count(page), words).toMatch(new RegExp(`^${left} variants`));
    }
  });
  it("take a requirement whole, or all that begin like it", async () => {
    const page = await reader.open(sample, "#?");
    await page.getByRole("combobox", { name: "requirement" }).fill("LOOP-1");
    expect(await count(page)).toBe("1 check, 3 variants of 9.");
    await page.getByRole("combobox", { name: "requirement" }).fill("loop");
    expect(await count(page)).toBe("2 checks, 6 variants of 9.");
  });
});

describe("addresses", () => {
  it("lead to a variant, open it, and give it the focus", async () => {
    const page = await reader.open(sample, "#area/one#TOOL-9/openai-chat/sse");
    const summary = (name: string) => page.locator(`[id="area/one#TOOL-9/${name}"]`);
    expect(await summary("openai-chat/sse").locator("..").locator(".timeline").isVisible()).toBe(true);
    expect(await page.locator(":focus").getAttribute("id")).toBe("area/one#TOOL-9/openai-chat/sse");
    expect(await summary("openai-chat/json").locator("..").getAttribute("open")).toBe(null);
  });
  it("lead to what the filters hide", async () => {
    const page = await reader.open(sample, "#other/three#LOOP-10");
    expect(await page.getByText("the driver does not declare other/three").first().isVisible()).toBe(true);
  });
  it("lead to a variant that has nothing to show but its verdict", async () => {
    const page = await reader.open(sample, "#area/two#LOOP-1/openai-chat/sse");
    expect(await page.locator(":focus").innerText()).toMatch(/^openai-chat\/sse\s+✓ pass/);
    expect(await page.locator(":focus").isVisible()).toBe(true);
  });
  it("say so if they name nothing that there is, also where they cannot be decoded", async () => {
    for (const [address, name] of [
      ["#area/gone%23TOOL-9", "area/gone#TOOL-9"],
      ["#%E0%A4%A", "%E0%A4%A"],
    ]) {
      const page = await reader.open(sample, address);
      expect(await count(page)).toBe(`This report has no ${name}. Shown: 1 check, 2 variants of 9.`);
      await reader.closePage();
    }
  });
  it("are followed when they change, and leave other fragments to the browser", async () => {
    const page = await reader.open(sample);
    await check(page, "area/one").click();
    await page.getByRole("link", { name: "link to this variant" }).click();
    expect(decodeURIComponent(page.url())).toMatch(/#area\/one#TOOL-9\/openai-chat\/json$/);
    await page.evaluate("location.hash = 'results'");
    expect(await count(page)).toBe("1 check, 2 variants of 9.");
  });
});

describe("the keyboard", () => {
  const focused = (page: Page) => page.locator(":focus").innerText();
  it("reaches the search, the checks and the list of keys", async () => {
    const page = await reader.open(sample, "#?");
    await page.keyboard.press("/");
    await page.keyboard.type("area");
    expect(await page.getByRole("searchbox").inputValue()).toBe("area");
    await page.keyboard.press("Escape");
    expect(await focused(page)).toContain("area/one");
    await page.keyboard.press("j");
    expect(await focused(page)).toContain("area/two");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.locator(".timeline").waitFor();
    await page.keyboard.press("a");
    expect(await count(page)).toBe("3 checks, 9 variants: everything.");
    await page.keyboard.press("?");
    expect(await page.getByText("go to the search").isVisible()).toBe(true);
  });
  it("begins with a way past everything else", async () => {
    const page = await reader.open(sample);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the results");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toContain("area");
  });
  it("can be left to whoever types with the voice", async () => {
    const page = await reader.open(sample);
    await page.keyboard.press("?");
    await page.getByLabel("single keys").uncheck();
    await page.keyboard.press("a");
    expect(await count(page)).toBe("1 check, 2 variants of 9.");
  });
});

it("is written by the command", async () => {
  const file = join(reader.folder, "run.html");
  const driver = `${process.execPath} ${fileURLToPath(new URL("../kit/testing/fake-driver.ts", import.meta.url))} good`;
  const command = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
  const args = [
    "test",
    "--driver",
    driver,
    "--case",
    "tools/unknown-tool",
    "--variant",
    "generic",
    "--reporter",
    `html=${file}`,
  ];
  // The fake driver declares too little for everything to pass; the page is written all the same.
  await promisify(execFile)(process.execPath, [command, ...args]).catch((error: { code: number }) =>
    expect(error.code).toBe(1),
  );
  const page = await reader.show(file, "#?");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("fake 1.0.0 (typescript)");
  expect(await check(page, "tools/unknown-tool").count()).toBeGreaterThan(0);
});
