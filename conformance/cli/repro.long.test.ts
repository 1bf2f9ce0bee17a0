// The command `repro`: what it shows can be sent again, to what it serves, and a driver waits until somebody looks.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-repro-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, "repro", ...args], { maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    // As when a person presses Enter.
    child.stdin!.end("\n");
  });
}

describe.concurrent("repro", () => {
  it("shows commands that get the same answers from what it serves, again and again", async () => {
    const variant = ["tools/unknown-tool", "anthropic-messages/sse", "--seed", "5"];
    const shown = await run(...variant);
    expect(shown.code).toBe(0);
    const script = join(folder, "script.sh");
    writeFileSync(script, shown.stdout);
    const served = spawn(process.execPath, [main, "repro", ...variant, "--serve", "--port", "0"], { stdio: "pipe" });
    let output = "";
    const ready = new Promise<void>((resolve) =>
      served.stdout.on("data", (bytes: Buffer) => {
        output += bytes.toString();
        if (output.includes("Ctrl-C ends")) resolve();
      }),
    );
    await ready;
    const baseUrl = /http:\/\/\S+/.exec(output)![0];
    const answers = shown.stdout.split("\n").flatMap((line) => (line.startsWith("# data: ") ? [line.slice(2)] : []));
    expect(answers.length).toBeGreaterThan(10);
    for (let round = 1; round <= 2; round += 1) {
      const got = await new Promise<string>((resolve) =>
        execFile("bash", [script], { env: { ...process.env, BASE_URL: baseUrl } }, (_, stdout) => resolve(stdout)),
      );
      expect(got.split("\n").filter((line) => line.startsWith("data: "))).toEqual(answers);
    }
    const response = await fetch(`${baseUrl}/v1/messages`, { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
    served.kill("SIGINT");
    await once(served, "exit");
    expect(output).toContain("POST /v1/messages: entry 3 of 3\n  the script begins again\n");
    expect(output).toContain("anthropic-messages/max-tokens: ");
    expect(served.exitCode).toBe(0);
  });

  it("starts a driver that waits until somebody has looked at its process", async () => {
    const { code, stdout, stderr } = await run("tools/unknown-tool", "generic", "-d", "reference", "--wait");
    expect(stderr).toMatch(/The driver is process \d+\. Attach .*, then press Enter/);
    expect(stdout).toMatch(
      /^# tools\/unknown-tool generic, played by reference, seed \d+: pass\nkit → \{"id":2,"method":"run",/,
    );
    expect(stdout).toMatch(/^drv → .*"model\/invoke"/m);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^drv → \{"id":2,"result":\{/);
    expect(code).toBe(0);
  });

  it("says how far a driver came that never answers, when it is ended", async () => {
    const answer = `{ jsonrpc: "2.0", id, result: { protocol: 1, implementation: { name: "x", version: "1", language: "js" }, seams: ["generic"] } }`;
    const hang = join(folder, "hang.mjs");
    writeFileSync(
      hang,
      `import { createInterface } from "node:readline";
      for await (const line of createInterface({ input: process.stdin })) {
        const { id, method } = JSON.parse(line);
        if (method === "initialize") console.log(JSON.stringify(${answer}));
        else process.kill(process.ppid, "SIGINT");
      }`,
    );
    const { code, stdout } = await run("tools/unknown-tool", "generic", "-d", `node ${hang}`);
    expect(stdout).toMatch(
      /^# tools\/unknown-tool generic, played by node .*hang\.mjs, seed \d+: broken off\nkit → .*"run"/,
    );
    expect(code).toBe(130);
  });

  it.each([
    [["tools/unknown-tol", "generic"], "there is no case tools/unknown-tol; do you mean tools/unknown-tool?"],
    [["telepathy/none", "generic"], "there is no case telepathy/none; see them with: npx agent-loop-spec list cases"],
    [["tools/unknown-tool", "openai-chat/sse", "--serve", "--port", "99999"], "expected a port from 0 to 65535"],
    [["tools/unknown-tool", "sse"], "has no variant sse; it has generic, anthropic-messages/json"],
    [["tools/unknown-tool", "generic", "--serve"], "serve a variant such as openai-chat/sse"],
    [["tools/unknown-tool", "openai-chat/sse", "--serve", "-d", "reference"], "give one of them"],
  ])(
    "refuses %j",
    async (args, message) => {
      const { code, stderr } = await run(...args);
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    },
    60_000,
  );
});
