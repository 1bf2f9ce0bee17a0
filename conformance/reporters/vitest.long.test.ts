// The suite as tests of vitest: a driver in this process gets the verdicts that it gets as a process.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-vitest-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A driver around the reference, as somebody writes it who tests a loop of his own. */
const driver = `
import { conformance, KitError } from ${JSON.stringify(path("vitest.ts"))};
import { agentLoop, ToolError } from ${JSON.stringify(path("../../reference/index.ts"))};

const handshake = {
  protocol: 1,
  implementation: { name: "mine", version: "1", language: "typescript" },
  seams: ["generic"],
};

export const mine = (kit) => ({
  initialize: () => handshake,
  async run({ run: name, session, agents, agent, options = {} }) {
    const execute = async (_, { call }) => {
      try {
        return await kit.request("tool/execute", { run: name, call });
      } catch (error) {
        throw error instanceof KitError && error.data.thrown ? new ToolError(error.message) : error;
      }
    };
    const withTools = ({ tools = [], ...one }) => ({ ...one, tools: tools.map((tool) => ({ ...tool, execute })) });
    const provider = {
      name: "generic",
      invokeModel: (request) => kit.request("model/invoke", { run: name, request }),
    };
    const all = Object.fromEntries(Object.entries(agents).map(([key, one]) => [key, withTools(one)]));
    const run = agentLoop({ provider, session, agents: all, agent, options });
    for await (const event of run) kit.notify("event", { run: name, event });
    return { result: await run.result, session: await run.session };
  },
});
`;

interface Outcome {
  title: string;
  status: string;
  failureMessages: string[];
}

/** What vitest says of a file that registers the suite: of its tests, and on the terminal. */
async function outcomes(name: string, text: string, ...args: string[]): Promise<{ tests: Outcome[]; output: string }> {
  const file = join(folder, `${name}.test.mjs`);
  const report = join(folder, `${name}.json`);
  writeFileSync(file, driver + text);
  const vitest = path("../../node_modules/vitest/vitest.mjs");
  const reporters = ["--reporter", "default", "--reporter", "json", "--outputFile", report];
  const options = ["run", "--root", folder, ...reporters, file, ...args];
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, [vitest, ...options], { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr)),
  );
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { assertionResults: Outcome[] }[];
  };
  return { tests: testResults[0]!.assertionResults, output };
}

describe("conformance()", { timeout: 120_000 }, () => {
  it("registers one test for each variant, and passes what passes [KIT-2]", async () => {
    const { tests } = await outcomes(
      "good",
      // Time enough for a machine that is busy with other tests: what is asked here is not how long it takes.
      `conformance({ driver: mine, timeoutMs: 60_000, select: { cases: ["tools/un"], providers: ["generic"] } });`,
    );
    expect(tests.length).toBeGreaterThan(1);
    expect(tests.map(({ title }) => title)).toContain("tools/unknown-tool generic");
    expect(tests.filter(({ status }) => status !== "passed")).toEqual([]);
  });

  it("fails what fails, with its requirement and a way to see it again, and skips what is not supported", async () => {
    const { tests } = await outcomes(
      "bad",
      `const bad = (kit) => {
        const { initialize, run } = mine(kit);
        const emptied = (message) => (message.type === "tool_result" ? { ...message, output: "" } : message);
        return {
          initialize,
          async run(params) {
            const { result, session } = await run(params);
            return { result, session: { ...session, messages: session.messages.map(emptied) } };
          },
        };
      };
      conformance({ driver: bad, seed: 5, select: { cases: ["tools/unknown-tool", "loop/text-only"], variants: ["generic", "openai-chat/json"] } });`,
    );
    const statuses = Object.fromEntries(tests.map(({ title, status }) => [title, status]));
    expect(statuses["tools/unknown-tool generic"]).toBe("failed");
    expect(statuses["tools/unknown-tool openai-chat/json"]).toBe("skipped");
    const [message] = tests.find(({ title }) => title === "tools/unknown-tool generic")!.failureMessages;
    expect(message).toMatch(/^(Error: )?✗ tools\/unknown-tool#TOOL-9 generic$/m);
    expect(message).toMatch(/TOOL-9 The loop MUST answer a call that names no tool .*spec\/loop\/tools\.md:\d+$/m);
    expect(message).toMatch(/conformance\/cases\/tools\/unknown-tool\.yaml:(?!1$)\d+$/m);
    expect(message).toContain("- expected  + received");
    expect(message).toContain(
      "again: npx vitest run -t 'agent loop conformance tools/unknown-tool generic' (with seed: 5)",
    );
  });

  it("runs only what vitest selects, and is red where nothing was executed", async () => {
    const { tests, output } = await outcomes(
      "none",
      `conformance({ driver: mine, select: { cases: ["tools/unknown-tool"] } });`,
      "-t",
      "tools/unknown-tool openai-chat/json",
    );
    expect(tests.filter(({ status }) => status === "passed")).toEqual([]);
    expect(output).toContain("nothing was executed");
  });

  it("is held to a version of the suite, and refuses what it does not have", async () => {
    const select = `select: { cases: ["tools/unknown-tool"], variants: ["generic"] }`;
    const { tests } = await outcomes(
      "pinned",
      `conformance({ driver: mine, suite: "1.0", ${select} });`,
      "-t",
      "without",
    );
    expect(tests.filter(({ status }) => status === "passed")).toHaveLength(1);
    const { output } = await outcomes("future", `conformance({ driver: mine, suite: "9.9", ${select} });`);
    expect(output).toContain("the suite has no version 9.9; it has 1.0");
    const nothing = await outcomes("nothing", `conformance({ driver: mine, select: { cases: ["no/such"] } });`);
    expect(nothing.output).toContain('select fits no variant: {"cases":["no/such"]}; see the cases with: npx');
  });

  it("says of every test why the driver cannot be started", async () => {
    const { tests } = await outcomes(
      "broken",
      `const broken = () => { throw new Error("no loop here"); };
      conformance({ driver: broken, select: { cases: ["tools/unknown-tool"], variants: ["generic"] } });`,
    );
    expect(tests[0]!.failureMessages[0]).toContain("could not be made: Error: no loop here");
  });
});
