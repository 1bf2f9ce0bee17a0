// The loop that `agent-loop eject` copies, as a small agent program: three tools, a session in the working folder. LOOP names the copy.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { RunResult, Session } from "../../../schemas/types.ts";
import type { InvokeModel } from "../../../reference/core/ports.ts";
import { providers } from "../../../reference/providers/registry.ts";

const { LOOP = "", PROVIDER = "anthropic-messages", STREAM = "1" } = process.env;
const { run } = (await import(pathToFileURL(`${LOOP}/run.ts`).href)) as {
  run(setup: {
    session: Session;
    agents: Record<string, { name: string; tools: object[] }>;
    agent: string;
    invokeModel: InvokeModel;
    executeTool(call: { name: string; input: object }): Promise<string>;
    signal: AbortSignal;
  }): Promise<{ result: RunResult; session: Session }>;
};

type Input = Record<string, string>;
const stop = new AbortController();
const tools: Record<string, { keys: string[]; execute(input: Input): Promise<string> }> = {
  read_file: { keys: ["path"], execute: ({ path = "" }) => readFile(path, "utf8") },
  write_file: {
    keys: ["path", "content"],
    execute: async ({ path = "", content = "" }) => {
      await writeFile(path, content);
      return "written";
    },
  },
  run_shell_command: { keys: ["command"], execute: ({ command = "" }) => shell(command) },
};
const declared = Object.entries(tools).map(([name, { keys }]) => ({
  name,
  description: name,
  input_schema: {
    type: "object" as const,
    properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])),
    required: keys,
  },
}));

function shell(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"], signal: stop.signal });
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.once("error", reject);
    child.once("close", () => resolve(Buffer.concat(pieces).toString("utf8").slice(0, 100_000)));
  });
}

const model = providers[PROVIDER as keyof typeof providers].create({
  model: "probe-model",
  transport: STREAM === "1" ? "sse" : "json",
});
const store = "session.json";
const before = existsSync(store)
  ? JSON.parse(readFileSync(store, "utf8"))
  : { spec_version: "1.0", id: "probe", messages: [] };
const [input = "Hello."] = process.argv.slice(2);
before.messages.push({ role: "user", content: input });
// Who is killed has what was asked, and nothing that was half done.
writeFileSync(store, JSON.stringify(before));
process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());
const { result, session } = await run({
  session: before,
  agents: { main: { name: "main", tools: declared } },
  agent: "main",
  invokeModel: model.invokeModel,
  executeTool: ({ name, input: given }) => tools[name]!.execute(given as Input),
  signal: stop.signal,
});
writeFileSync(store, JSON.stringify(session));
console.log(result.final_text);
if (result.status !== "completed") {
  console.error(`${result.status}: ${result.error?.message ?? "the run did not complete"}`);
  process.exitCode = 1;
}
