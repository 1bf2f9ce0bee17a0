// What CONTRIBUTING says is one file and one line is one file and one line: each example is put into a copy of the reference, and runs.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changeIn } from "./check-spec.ts";
import { fencedBlocks } from "./fenced-blocks.ts";
import { root } from "./schema-files.ts";

const blocks = fencedBlocks("CONTRIBUTING.md", readFileSync(join(root, "CONTRIBUTING.md"), "utf8"));
const changes = blocks.filter(({ info }) => info.startsWith("diff "));

let copy = "";

beforeEach(() => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  copy = mkdtempSync(join(root, ".cache/plugged-"));
  cpSync(join(root, "reference"), join(copy, "reference"), { recursive: true });
  writeFileSync(join(copy, "package.json"), JSON.stringify({ type: "module" }));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});

afterEach(() => rmSync(copy, { recursive: true, force: true }));

/** Puts the example of a file into the copy: one import, and the line that CONTRIBUTING shows. */
function plugIn(file: string, name: string): void {
  const block = changes.find(({ text }) => text.includes(name))!;
  const [, path = ""] = block.info.split(" ");
  const { removed, added } = changeIn(block.text);
  const source = readFileSync(join(copy, path), "utf8");
  const lines = source.replace(`${removed}\n`, () => `${added}\n`);
  writeFileSync(join(copy, path), `import { ${name} } from "../examples/plug-ins/${file}";\n${lines}`);
}

/** What a program prints that runs on the copy; `calls` are those of the first response. */
function run(calls: number, text: string): { status: string; stop_condition?: string; atOnce: number } {
  const program = `
    import { agentLoop, defineTool, initSession } from "./reference/index.ts";
    let running = 0, atOnce = 0;
    const work = defineTool({ name: "work", input_schema: { type: "object" }, async execute() {
      atOnce = Math.max(atOnce, running += 1);
      await new Promise(setImmediate);
      running -= 1;
      return "done";
    }});
    const calls = Array.from({ length: ${calls} }, (_, i) => ({ type: "tool_call", id: "c" + i, name: "work", input: {} }));
    const answers = [
      { messages: [{ role: "assistant", content: ${JSON.stringify(text)} }, ...calls], stop_reason: "tool_use" },
      { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" },
    ];
    const provider = { name: "scripted", invokeModel: async () => answers.shift() };
    const { result } = agentLoop({ provider, tools: [work], session: initSession({ id: "s", user: "Work." }) });
    const { status, stop_condition } = await result;
    console.log(JSON.stringify({ status, stop_condition, atOnce }));
  `;
  writeFileSync(join(copy, "program.ts"), program);
  return JSON.parse(execFileSync(process.execPath, [join(copy, "program.ts")], { encoding: "utf8" }));
}

describe("what CONTRIBUTING says is one file and one line", () => {
  test("shows three changes, and none in the core", () => {
    expect(changes.map(({ info }) => basename(info))).toEqual(["execute-run.ts", "execute-run.ts", "call-tools.ts"]);
  });

  test("without them the loop does none of it", () => {
    expect(run(4, "Goodbye.")).toEqual({ status: "completed", atOnce: 1 });
    expect(run(1000, "I work.")).toMatchObject({ status: "completed" });
  });

  test("a stop condition", () => {
    plugIn("said-goodbye.ts", "saidGoodbye");
    expect(run(1, "Goodbye.")).toMatchObject({ status: "stopped", stop_condition: "said_goodbye" });
  });

  test("a limit", () => {
    plugIn("session-size.ts", "sessionSize");
    expect(run(1, "I work.")).toMatchObject({ status: "completed" });
    expect(run(1000, "I work.")).toMatchObject({ status: "stopped", stop_condition: "session_size" });
  });

  test("a scheduler", () => {
    plugIn("in-pairs.ts", "inPairs");
    expect(run(5, "I work.")).toEqual({ status: "completed", atOnce: 2 });
  });
});
