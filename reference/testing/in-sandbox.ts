// Runs the static entry in a context that has the language, AbortController and URL, and nothing else: node --experimental-vm-modules in-sandbox.ts

import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import vm, { type Context, type Module } from "node:vm";

const given: Record<string, unknown> = { AbortController, URL };
const context: Context = vm.createContext(given, { codeGeneration: { strings: false, wasm: false } });
const modules = new Map<string, Promise<Module>>();

/** A module of the sandbox. Nobody answers `import()`, so that it throws. */
function load(url: string): Promise<Module> {
  let module = modules.get(url);
  if (!module) modules.set(url, (module = read(url)));
  return module;
}

async function read(url: string): Promise<Module> {
  const written = await readFile(fileURLToPath(url), "utf8");
  const source = url.endsWith(".ts") ? stripTypeScriptTypes(written) : written;
  return new vm.SourceTextModule(source, { identifier: url, context });
}

const play = `
  import { agentLoop, fold, pendingCalls, recover, resume, step, plainPoints, initSession, initState } from "${new URL("../static.ts", import.meta.url)}";

  const clock = { now: () => 0, sleep: () => new Promise(() => {}) };
  const input_schema = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
  const records = [];
  const journal = { read: async () => records, append: async (added) => void records.push(...added) };
  const call = (id, input) => ({ type: "tool_call", id, name: "pay", input });
  const model = (...responses) => ({ name: "scripted", invokeModel: async () => responses.shift() });
  const use = (...messages) => ({ messages, stop_reason: "tool_use" });
  const text = { messages: [{ role: "assistant", content: "Paid." }], stop_reason: "end_turn" };
  const tools = [{ name: "pay", input_schema, execute: async ({ to }) => "paid " + to }];
  const options = { permissions: { rules: [{ effect: "ask", match: "pay" }] }, deadline_ms: 1000 };
  const setup = { tools, clock, journal, options, context: { account: { id: 7 } } };

  const first = await agentLoop({ ...setup, provider: model(use(call("a", {}), call("", { to: "Ünn" }))), input: "Pay." }).result;
  const pending = await pendingCalls(first.snapshot);
  const decisions = pending.map(({ id, input_hash }) => ({ id, action: "approve", input_hash }));
  const died = records.length;
  const second = await resume({ ...setup, provider: model(text), snapshot: first.snapshot, decisions }).result;
  records.splice(died + 1);
  const third = await recover({ ...setup, provider: model(text) }).result;

  const ports = { ...plainPoints, agents: { main: { name: "main" } }, emit() {}, signal: new AbortController().signal, validateInput: async () => [], invokeModel: async () => text };
  let state = initState(initSession({ id: "s", user: "Hello." }), "main");
  const phases = [];
  for (; state.phase !== "done"; state = await step(state, ports)) phases.push(state.phase);

  export const played = JSON.stringify({
    statuses: [first, second, third].map(({ status, error }) => error?.message ?? status),
    outcomes: second.steps[0].outcomes,
    hash: pending[0].input_hash.length,
    phases,
    phase: fold(records).state.phase,
    missing: ["structuredClone", "crypto", "TextEncoder", "setTimeout", "Buffer", "process"].filter((name) => globalThis[name] === undefined),
  });
`;
const entry = new vm.SourceTextModule(play, { identifier: import.meta.url, context });
const resolve = (specifier: string, from: string) =>
  specifier.startsWith(".") ? new URL(specifier, from).href : import.meta.resolve(specifier);
await entry.link((specifier, { identifier }) => load(resolve(specifier, identifier)));
await entry.evaluate();
process.stdout.write((entry.namespace as unknown as { played: string }).played);
