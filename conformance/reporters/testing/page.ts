// Opens pages of reports in a real browser, and records their console output and network requests.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Report, VariantResult, Verdict } from "../../kit/index.ts";
import { htmlReporter } from "../html.ts";
import { reportOf, sampleSuite } from "./sample.ts";

/** What would show, if any of it were taken for markup. */
export const attack = `</script><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'"><!--`;

/** A browser with at most one page. */
export class PageReader {
  readonly folder = mkdtempSync(join(tmpdir(), "agent-loop-html-"));
  /** What the page said on its console, and what it asked the network for. */
  noise: string[] = [];
  readonly #browser: Browser;
  #page: Page | undefined;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<PageReader> {
    // Where all of it is one process, as these arguments have it, the browser ends with its first page.
    const args = chromium.args.filter((arg) => arg !== "--single-process");
    const executablePath = await chromium.executablePath();
    return new PageReader(await playwright.launch({ executablePath, args, headless: true }));
  }

  /** Opens the page of a report, from a file. */
  async open(report: Report, address = "", options: BrowserContextOptions = {}): Promise<Page> {
    const file = join(this.folder, "report.html");
    let text = "";
    htmlReporter({ write: (piece) => void (text += piece), suite: sampleSuite }).end(report);
    writeFileSync(file, text);
    return await this.show(file, address, options);
  }

  async show(file: string, address = "", options: BrowserContextOptions = {}): Promise<Page> {
    this.noise = [];
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    this.#page = page;
    page.on("console", (message) => this.noise.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.noise.push(error.message));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) this.noise.push(request.url());
    });
    await page.goto(`${pathToFileURL(file)}${address}`);
    return page;
  }

  async closePage(): Promise<void> {
    await this.#page?.context().close();
    this.#page = undefined;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** How much is shown, as the page says it. */
export async function count(page: Page): Promise<string | null> {
  return await page.getByRole("status").textContent();
}

/** What opens a check. */
export function check(page: Page, name: string): Locator {
  return page.locator("details.check > summary").filter({ hasText: name });
}

/** A result with, if it failed, everything that a page can show of it. */
export function resultWith(check: string, variant: string, verdict: Verdict): VariantResult {
  const [name = "", requirement = ""] = check.split("#");
  const base = { check, case: name, requirement, variant, verdict, duration_ms: 12.3 };
  if (verdict === "pass") return base;
  if (verdict !== "fail") return { ...base, reason: `the driver does not declare ${name}` };
  return {
    ...base,
    line: 12,
    repro: `npx agent-loop-spec test --driver x --case ${name}`,
    failures: [
      {
        code: "assertion",
        requirement,
        message: `expect.session/1/output: differs from the expected value ${attack}`,
        expected: { output: "18 °C", same: Array.from({ length: 20 }, (_, index) => index) },
        received: { output: attack, same: Array.from({ length: 20 }, (_, index) => index) },
      },
    ],
    exchanges: [
      {
        request: { method: "POST", path: "/v1/messages", headers: { accept: "*/*" }, body: { messages: [attack] } },
        response: { status: 200, headers: {}, text: `data: {"text":"${attack}"}\n\n` },
      },
    ],
    events: [
      { at_ms: 0.5, event: { type: "run_start", seq: 0, session_id: "s", agent: attack } },
      { at_ms: 1, event: { type: "turn_start", seq: 1, turn: 1 } },
      { at_ms: 2, event: { type: "tool_start", seq: 2, turn: 1, id: "a", name: attack, input: {} } },
      { at_ms: 7, event: { type: "tool_end", seq: 3, turn: 1, id: "a", name: attack, outcome: "ok" } },
      { at_ms: 8, event: { type: "turn_end", seq: 4, turn: 1 } },
    ],
  };
}

const variants = ["generic", "openai-chat/json", "openai-chat/sse"];
/** Three checks on three variants: one that fails on two of them, one that passes, one that is not supported. */
export const sample = reportOf([
  ...variants.map((variant) => resultWith("area/one#TOOL-9", variant, variant === "generic" ? "pass" : "fail")),
  ...variants.map((variant) => resultWith("area/two#LOOP-1", variant, "pass")),
  ...variants.map((variant) => resultWith("other/three#LOOP-10", variant, "unsupported")),
]);
