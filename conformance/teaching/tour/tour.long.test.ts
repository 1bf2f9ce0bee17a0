// The tour keeps its word: every program prints what its page shows, and every step is a small one.

import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { diffLines } from "diff";
import { describe, expect, it } from "vitest";
import { anchorOf } from "../../dev/feature-data.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const steps = readdirSync(folder)
  .filter((name) => /^\d\d-/.test(name))
  .sort()
  .map((name) => ({ name, page: read(`${name}/README.md`), program: read(`${name}/main.ts`) }));
const pages = [{ name: ".", page: read("README.md") }, ...steps];
const pairs = steps.slice(1).map((step, i) => [step.name, step, steps[i]!] as const);
const named = <T extends { name: string }>(all: T[]) => all.map((one) => [one.name, one] as const);

const MOST_NEW_LINES = 28;
const compileCache = fileURLToPath(new URL("../../../.cache/node", import.meta.url));
const env = { ...process.env, NODE_COMPILE_CACHE: compileCache, NO_COLOR: "1", FORCE_COLOR: undefined };
const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder, env });

describe("the programs", () => {
  it.concurrent.each(named(steps))("%s prints what its page shows", async (name, { page }) => {
    const { stdout } = await node(`${name}/main.ts`);
    expect(blocks(page, "text")).toEqual([stdout]);
  });

  it.each(pairs)(`%s has at most ${MOST_NEW_LINES} new lines of code, imports aside`, (_, { program }, before) => {
    const added = diffLines(before.program, program).filter((change) => change.added);
    const lines = added.flatMap(({ value }) => value.split("\n"));
    expect(lines.filter((line) => !/^\s*(\/\/.*|import .*)?$/.test(line)).length).toBeLessThanOrEqual(MOST_NEW_LINES);
  });

  it("end with the core of the reference, which they import", () => {
    const { program } = steps.at(-1)!;
    expect(program).toContain('import { agentLoop, plainPoints } from "../../../../reference/core/agent-loop.ts";');
    expect(program).not.toMatch(/function agentLoop|for \(;;\)|while \(/);
  });
});

describe("the pages", () => {
  it("are at most ten, in the order of the contents", () => {
    const listed = [...read("README.md").matchAll(/^\| \[(.+)\]\((.+)\/README\.md\)/gm)].map(([, title, name]) => ({
      name,
      title,
    }));
    expect(listed).toEqual(steps.map(({ name, page }) => ({ name, title: titleOf(page) })));
    expect(steps.map(({ page }) => Number.parseInt(titleOf(page)))).toEqual(steps.map((_, i) => i + 1));
    expect(steps.length).toBeLessThanOrEqual(10);
  });

  it.each(named(pages))("%s is at most two screens", (_, { page }) => {
    const lines = page.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("share no sentence", () => {
    const seen = new Map<string, string[]>();
    for (const { name, page } of pages)
      for (const sentence of sentencesOf(page)) seen.set(sentence, [...(seen.get(sentence) ?? []), name]);
    expect([...seen].filter(([, places]) => places.length > 1)).toEqual([]);
  });

  it.each(named(steps))("%s shows lines of its program", (_, { page, program }) => {
    for (const block of blocks(page, "ts")) expect(missingFrom(program, block)).toEqual([]);
  });

  it.each(pairs)("%s shows what is new, and names it", (_, { page, program }, before) => {
    for (const block of blocks(page, "ts")) expect(missingFrom(before.program, block)).not.toEqual([]);
    const known = namesIn(before.program);
    const unnamed = namesIn(program).filter((name) => !known.includes(name) && !new RegExp(`\\b${name}\\b`).test(page));
    expect(unnamed).toEqual([]);
  });

  it.each(named(pages))("%s links to what is there", (name, { page }) => {
    const links = [...page.matchAll(/\]\(([^()\s#]+)#?([^()\s]*)\)/g)].map(
      ([, path, anchor]) => [path!, anchor!] as const,
    );
    expect(links.filter(([path]) => !existsSync(join(folder, name, path)))).toEqual([]);
    for (const [path, anchor] of links.filter(([, anchor]) => anchor !== "")) {
      const headings = [...read(join(name, path)).matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title!));
      expect(headings).toContain(anchor);
    }
    const requirements = [...page.matchAll(/\[([A-Z]+-\d+)\]\(([^#)]+)/g)];
    for (const [, id, path] of requirements) expect(read(join(name, path!))).toContain(`**${id}**`);
  });

  it.each(pairs)("%s is where the page before leads to", (name, _, before) => {
    expect(before.page).toContain(`](../${name}/README.md)`);
  });
});

describe("the command", () => {
  const run = (...args: string[]) => node("run.ts", ...args);

  it("is an npm script", () => {
    const { scripts } = JSON.parse(read("../../../package.json")) as { scripts: Record<string, string> };
    expect(scripts["tour"]).toBe("node conformance/teaching/tour/run.ts");
  });

  it("lists the steps", async () => {
    const { stdout } = await run();
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => dirname(line.split("conformance/teaching/tour/")[1]!)),
    ).toEqual(steps.map(({ name }) => name));
  });

  it("runs one", async () => {
    const { stdout } = await run("1");
    expect(blocks(steps[0]!.page, "text")).toEqual([stdout]);
  });

  it("shows what one changes", async () => {
    const { stdout } = await run("4", "diff");
    expect(stdout).toContain("+async function agentLoop(session: Message[]): Promise<void> {");
    expect(stdout).toContain("-session.push(await executeToolCall(session.at(-1) as ToolCallMessage));");
  });

  it.each([[["11"]], [["3", "page"]], [["three"]]])("refuses %j, and says what it expected", async (args) => {
    await expect(run(...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("from 1 to 10") });
  });
});

it("a program that asks for something else is refused, and says where", async () => {
  const fixture = JSON.parse(read("01-one-response/fixture.json")) as { exchanges: { request: { body: unknown } }[] };
  expect(fixture.exchanges[0]!.request.body).toEqual({ model: "gpt-4.1", input: "My name is Ada." });
  const asking = read("01-one-response/main.ts")
    .replace("My name is Ada.", "My name is Eve.")
    .replace('"../replayed.ts"', JSON.stringify(join(folder, "replayed.ts")))
    .replace("import.meta.url", JSON.stringify(new URL("01-one-response/main.ts", import.meta.url).href));
  await expect(node("--input-type=module-typescript", "--eval", asking)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/recorded {2}"My name is Ada\."[^]*received {2}"My name is Eve\."/),
  });
});

/** The fenced blocks of a language. */
function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))].map(([, text]) => text!);
}

/** The lines of an excerpt that a program does not have, or not in this order. */
function missingFrom(program: string, excerpt: string): string[] {
  const lines = program.split("\n");
  let from = 0;
  return excerpt
    .trimEnd()
    .split("\n")
    .filter((line) => {
      const at = lines.indexOf(line, from);
      if (at >= 0) from = at + 1;
      return at < 0;
    });
}

/** What a program imports and declares. */
function namesIn(program: string): string[] {
  const imported = [...program.matchAll(/^import (?:type )?\{ (.+) \}/gm)].flatMap(([, list]) => list!.split(", "));
  const declared = [...program.matchAll(/^(?:async )?(?:const|function|type) (?:\{ )?(\w+)/gm)].map(
    ([, name]) => name!,
  );
  return [...imported.map((name) => name.replace("type ", "")), ...declared];
}

function titleOf(page: string): string {
  return /^# (.*)$/m.exec(page)![1]!;
}

/** The sentences of a page's prose, without its blocks, tables and headings. */
function sentencesOf(page: string): string[] {
  const prose = page.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/^[#|].*$/gm, "");
  return prose
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split(/\n\n+|(?<=[.!?:])\s+/)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").trim().toLowerCase())
    .filter((sentence) => sentence.split(" ").length > 2);
}
