// The reference as a small agent program: three tools, a journal in the working folder, and nothing else.

import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { agentLoop, defineTool } from "../../../reference/index.ts";
import { providers } from "../../../reference/providers/registry.ts";
import { jsonlStore } from "../../../reference/stores/jsonl.ts";

const text = { type: "string" } as const;
const readTool = defineTool({
  name: "read_file",
  description: "Reads a file.",
  input_schema: { type: "object", properties: { path: text }, required: ["path"] },
  execute: ({ path }) => readFile(path, "utf8"),
});
const writeTool = defineTool({
  name: "write_file",
  description: "Writes a file.",
  input_schema: { type: "object", properties: { path: text, content: text }, required: ["path", "content"] },
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return "written";
  },
});
const shellTool = defineTool({
  name: "run_shell_command",
  description: "Runs a command.",
  input_schema: { type: "object", properties: { command: text }, required: ["command"] },
  execute: ({ command }, { signal }) => run(command, signal),
});

function run(command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"], signal });
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.once("error", reject);
    child.once("close", () => resolve(Buffer.concat(pieces).toString("utf8").slice(0, 100_000)));
  });
}

const { PROVIDER = "anthropic-messages", STREAM = "1" } = process.env;
const transport = STREAM === "1" ? "sse" : "json";
const provider = providers[PROVIDER as keyof typeof providers].create({ model: "probe-model", transport });
const [input = "Hello."] = process.argv.slice(2);
const journal = await jsonlStore("sessions").open("probe");
const cancel = new AbortController();
process.once("SIGINT", () => cancel.abort()).once("SIGTERM", () => cancel.abort());
const { result } = agentLoop({
  provider,
  journal,
  session: await journal.session(),
  input,
  tools: [readTool, writeTool, shellTool],
  signal: cancel.signal,
});
const { status, final_text, error } = await result;
await journal.close();
console.log(final_text);
if (status !== "completed") {
  console.error(`${status}: ${error?.message ?? "the run did not complete"}`);
  process.exitCode = 1;
}
