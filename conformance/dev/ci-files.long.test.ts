// The files for the CI of others: the commands that they run are run here, in a project with a program and a driver, and the reports are there.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { githubFile, gitlabFile } from "./ci-files.ts";
import { root } from "./schema-files.ts";

interface GithubJob {
  steps: { run?: string; uses?: string; if?: string; with?: { path?: string } }[];
}

interface GitlabJob {
  extends?: string;
  script?: string[];
  artifacts?: { when: string; paths: string[]; reports: { junit: string } };
}

const github = parse(githubFile()) as { jobs: Record<string, GithubJob> };
const gitlab = parse(gitlabFile()) as Record<string, GitlabJob>;
const main = join(root, "conformance/cli/main.ts");
const project = mkdtempSync(join(tmpdir(), "agent-loop-ci-"));

beforeAll(() => {
  copyFileSync(join(root, "conformance/agents/programs/naive.py"), join(project, "my_agent.py"));
  execFileSync(process.execPath, [main, "eject", "my-driver"], { cwd: project });
});
afterAll(() => rmSync(project, { recursive: true }));

/** What runs the kit, by job. */
const commands = {
  github: (job: string) => github.jobs[job]!.steps.flatMap(({ run }) => run ?? []),
  gitlab: (job: string) => gitlab[job]!.script!,
};

/** Runs the last command of a job, of what it plays only a part. */
function play(command: string, part: string): { status: number | null; stdout: string } {
  const [, ...words] = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  expect(words.shift()).toBe("agent-loop-spec");
  const args = [words[0]!, ...part.split(" "), ...words.slice(1)];
  return spawnSync(process.execPath, [main, ...args], { cwd: project, encoding: "utf8" });
}

it.each(["github", "gitlab"] as const)("%s installs the packed file first, until the package is published", (file) => {
  for (const job of ["probe", "test"])
    expect(commands[file](job)[0]).toMatch(/^npm install --no-save \.\/agent-loop-spec-[\d.]+\.tgz$/);
  const published = { name: "agent-loop-spec", version: "1.0.0", published: true };
  expect(githubFile(published) + gitlabFile(published)).not.toMatch(/npm install|tgz|registry/);
});

it.each(["github", "gitlab"] as const)("%s probes the program, finds what is broken, and has the reports", (file) => {
  rmSync(join(project, "report"), { recursive: true, force: true });
  const { status, stdout } = play(commands[file]("probe").at(-1)!, "--scenario refusal/beside-call");
  expect([status, stdout.includes("broken: LOOP-15")]).toEqual([1, true]);
  if (file === "github") expect(stdout).toMatch(/^::error file=my_agent\.py,line=1,title=LOOP-15/m);
  expect(existsSync(join(project, "report/probe.xml"))).toBe(true);
  expect(readFileSync(join(project, "report/probe.html"), "utf8")).toMatch(/^<!doctype html>/i);
});

it.each(["github", "gitlab"] as const)("%s tests the loop behind the driver, and has the reports", (file) => {
  rmSync(join(project, "report"), { recursive: true, force: true });
  const { status, stdout } = play(commands[file]("test").at(-1)!, "--case tools/required-is-missing");
  expect([status, stdout.includes("none failed")]).toEqual([0, true]);
  for (const name of ["test.xml", "test.html", "test.jsonl"])
    expect(existsSync(join(project, "report", name))).toBe(true);
});

it("both keep the reports whatever the outcome", () => {
  for (const { steps } of Object.values(github.jobs))
    expect(steps.at(-1)).toMatchObject({ if: "always()", with: { path: "report" } });
  const { artifacts } = gitlab[".agent-loop"]!;
  expect(artifacts).toEqual({ when: "always", paths: ["report"], reports: { junit: "report/*.xml" } });
  expect([gitlab["probe"]!.extends, gitlab["test"]!.extends]).toEqual([".agent-loop", ".agent-loop"]);
});
