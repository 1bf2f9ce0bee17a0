// The command `probe`: what it prints, writes and exits with, and what it refuses.

import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { packagePath } from "../kit/base/package-root.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-probe-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const main = packagePath("conformance/cli/main.ts");
const small = packagePath("conformance/probe/testing/small-agent.mjs");

interface Probed {
  status: number;
  stdout: string;
  stderr: string;
}

function probe(...args: string[]): Promise<Probed> {
  return probeIn(process.cwd(), ...args);
}

function probeIn(cwd: string, ...args: string[]): Promise<Probed> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "probe", ...args], { cwd }, (error, stdout, stderr) =>
      resolve({ status: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

describe("probe", { timeout: 120_000 }, () => {
  it("says what is broken, worst first, and how to see it again", async () => {
    const report = join(folder, "junit.xml");
    const fault = ["--env", "FAULT=executes-refused", "--scenario", "refusal/"];
    const reporters = ["--reporter", "pretty", "--reporter", `junit=${report}`];
    const { status, stdout } = await probe(...fault, ...reporters, "--", "node", small, "Look around.");
    expect(status).toBe(1);
    expect(stdout).toContain("executes write_file was executed although the answer that asked for it was refused.");
    expect(stdout).toMatch(/again: .* probe .*--scenario refusal\/beside-call/);
    expect(readFileSync(report, "utf8")).toContain("refusal/beside-call#LOOP-15");
  });
  it("says how far it came when it is interrupted", async () => {
    const fault = ["--jobs", "1", "--env", "FAULT=executes-refused", "--scenario", "refusal/", "--scenario", "ending/"];
    const child = spawn(process.execPath, [main, "probe", ...fault, "--", "node", small, "Look around."]);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
      // One scenario is judged, and others are not.
      if (/[✓✗–] /.test(stdout)) child.kill("SIGINT");
    });
    const [code] = (await once(child, "close")) as [number];
    expect(stdout).toMatch(/^interrupted after \d+ of \d+ scenarios, .*; no report was written$/m);
    expect(code).toBe(130);
  });
  it("prints a command that plays one scenario again", async () => {
    const fault = [
      "--env",
      "FAULT=ends-paused",
      "--continue",
      `node ${small} --continue {prompt}`,
      "--timeout",
      "50000",
    ];
    const { stdout } = await probe(...fault, "--scenario", "ending/pa", "--", "node", small, "Say it's done.");
    const [, again = ""] = /again: npx agent-loop-spec probe (.*)/.exec(stdout) ?? [];
    const repeated = spawnSync("sh", ["-c", `exec "$0" "$1" probe ${again}`, process.execPath, main], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(repeated.stdout).toContain("1 scenario");
    expect(repeated.stdout).toContain("ending/pause  broken: LOOP-30");
    expect(readdirSync(join(folder, "probe", "ending-pause"))).toContain("traffic.json");
    expect(repeated.status).toBe(1);
  });
  it("finds a program that is named from here, though each scenario has a folder of its own", async () => {
    const [place, name] = [dirname(small), basename(small)];
    const chosen = ["--env", "FAULT=executes-refused", "--scenario", "refusal/beside-call"];
    const alone = await probeIn(place, ...chosen, "--", "node", name, "Look around.");
    expect(alone.stdout).toMatch(/refusal\/beside-call {2}broken: LOOP-15/);
    expect(alone.stdout).toMatch(/^ {2}again: .* -- node small-agent\.mjs 'Look around\.'$/m);
    const below = await probeIn(dirname(place), ...chosen, "--", "node", join(basename(place), name), "Look around.");
    expect(below.stdout).toContain("refusal/beside-call  broken: LOOP-15");
  });
  it("lists what was asked beside the conversation", async () => {
    const asks = `await fetch(process.env.OPENAI_BASE_URL + "/models"); await import(${JSON.stringify(small)});`;
    const command = ["--", "node", "--input-type=module", "-e", asks, "Hi."];
    const { stdout, status } = await probe("--scenario", "tools/unknown", ...command);
    expect(stdout).toMatch(/beside the conversation, 1 times: list of models: GET \S+\/models/);
    expect(status).toBe(0);
  });
  it("lets nothing but this machine be reached with --offline, or says why not [PROBE-4]", async () => {
    const asks = `await fetch("http://192.0.2.1/").catch(() => {}); await import(${JSON.stringify(small)});`;
    const command = ["--", "node", "--input-type=module", "-e", asks, "Hi."];
    const { stdout, stderr, status } = await probe("--offline", "--scenario", "tools/unknown", ...command);
    if (status === 0) expect(stdout).toMatch(/offline: [1-9]\d* packets were for other machines, and went nowhere/);
    else expect(stderr).toMatch(/--offline is not possible here: .+ Without it, base URLs and proxies still lead/);
  });
  it("exits with 0 where everything is kept or listed", async () => {
    const list = join(folder, "known.yaml");
    const options = ["--env", "FAULT=executes-refused", "--scenario", "refusal/beside-call", "--known-failures", list];
    expect((await probe(...options, "--update-known-failures", "--", "node", small, "Hi.")).status).toBe(0);
    expect(readFileSync(list, "utf8")).toMatch(/requirement: LOOP-15\n +cases:\n +- refusal\/beside-call\n/);
    expect((await probe(...options, "--", "node", small, "Hi.")).status).toBe(0);
  });
  it("says which variables were set to a program that asks nothing", async () => {
    const { status, stdout } = await probe("--scenario", "tools/unknown", "--", "true");
    expect(status).toBe(3);
    expect(stdout).toMatch(/true never called the base URL. These variables were set: ANTHROPIC_BASE_URL/);
  });
  it("hands nothing on that was not named [PROBE-3]", async () => {
    const { stdout } = await probe("--scenario", "tools/unknown", "--", "env");
    expect(stdout).not.toMatch(/npm_|VITEST|NODE_ENV/);
  });
  it("plays a recording only with the tools that are allowed [PROBE-7]", async () => {
    await probe("--scenario", "tools/once", "--keep", folder, "--", "node", small, "Hi.");
    const from = ["--from", join(folder, "tools-once", "traffic.json"), "--scenario", "refusal"];
    const refused = await probe(...from, "--", "node", small, "Hi.");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/would be executed again, up to \d+ times: run_shell_command/);
    const played = await probe(
      ...from,
      "--run-tools=run_shell_command",
      "--env",
      "FAULT=executes-refused",
      "--",
      "node",
      small,
      "Hi.",
    );
    expect(played.stdout).toMatch(/LOOP-15/);
    expect(played.status).toBe(1);
  });
});
