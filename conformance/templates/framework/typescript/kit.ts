// The kit's end of the conversation, which is the same for every framework: JSON-RPC in lines over stdin and stdout.

import { createInterface } from "node:readline";

type Json = Record<string, any>;

/** What the driver does with each message; what it throws is its answer, as an error. */
export type Methods = Record<string, (params: any) => unknown>;

/** The kit answered with an error: the tool throws. */
export class ToolThrew extends Error {}

const waiting = new Map<string, (answer: Json) => void>();

/** Has the kit execute a tool. `input` is whatever the framework hands to the tool. Returns what the tool says, as text; throws if it throws. */
export async function executeTool(run: string, name: string, input: unknown): Promise<string> {
  const output = await toolOutput(run, name, input);
  return typeof output === "string" ? output : JSON.stringify(output);
}

/** As executeTool, for frameworks whose tools return more than text: what the tool says as the kit has it, a text or a list of parts. */
export async function toolOutput(run: string, name: string, input: unknown): Promise<string | Json[]> {
  const id = `d${waiting.size}-${Math.random().toString(36).slice(2)}`;
  send({ id, method: "tool/execute", params: { run, call: { name, input: input ?? null } } });
  const { result, error } = await new Promise<Json>((resolve) => waiting.set(id, resolve));
  if (error) throw new ToolThrew(error["message"]);
  if (result.is_error) throw new ToolThrew(String(result.output));
  return result.output ?? JSON.stringify(result.data);
}

/** Serves the kit until it closes its end. */
export function serve(methods: Methods): void {
  console.log = console.error; // nothing but messages may stand on stdout
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => void receive(methods, JSON.parse(line)));
  lines.on("close", () => process.exit(0));
}

async function receive(methods: Methods, { id, method, params, ...answer }: Json): Promise<void> {
  if (method === undefined) {
    waiting.get(id)?.(answer);
    waiting.delete(id);
    return;
  }
  const known = Object.hasOwn(methods, method);
  if (id === undefined) return void (known && methods[method]!(params));
  if (!known) return send({ id, error: { code: -32601, message: `no method ${method}` } });
  try {
    send({ id, result: await methods[method]!(params) });
  } catch (error) {
    send({ id, error: { code: -32603, message: String((error as Error).stack) } });
  }
}

function send(message: Json): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
