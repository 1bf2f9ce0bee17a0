// @ts-nocheck: plain JavaScript, so that no build of yours takes it up.
// Puts this loop under the kit's control, over stdin and stdout. Needs Node 22.18 or later, and nothing to be built.
//
//   npx agent-loop-spec test --driver .            everything that it has to keep
//   npx agent-loop-spec driver check --driver .    the protocol, message by message
//   npx agent-loop-spec explain LOOP-7             what a requirement says, and which cases test it

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { createInterface } from "node:readline";

const { name, version, language, features } = JSON.parse(readFileSync(new URL("agent-loop.json", import.meta.url)));
const initialize = {
  protocol: 1,
  implementation: { name, version, language },
  concurrency: 8,
  seams: ["generic"],
  features,
};

// Node runs the sources as they are: modules in TypeScript, also where imports end in .js and where package.json says commonjs.
const here = new URL(".", import.meta.url).href;
registerHooks({
  resolve: (file, context, next) =>
    context.parentURL?.startsWith(here) && file.startsWith(".")
      ? { ...next(file.replace(/\.js$/, ".ts"), context), format: "module-typescript" }
      : next(file, context),
});
const { run, ToolError } = await import("./run.ts");

const methods = {
  initialize: () => initialize,
  run: ({ run: id, session, agents, agent, options }) =>
    run({
      ...{ session, agents, agent, options },
      invokeModel: (request) => ask("model/invoke", { run: id, request }).catch(failedModel),
      executeTool: (call) => ask("tool/execute", { run: id, call }).then(toolReturn, failedTool),
      emit: (event) => send({ method: "event", params: { run: id, event } }),
    }),
  shutdown: () => ({}),
};

/** Any value that a tool returned, as the core takes it: text, or its JSON with the value itself as data. */
function toolReturn({ returned, ...envelope }) {
  if (returned === undefined) return envelope;
  return typeof (returned ??= "") === "string" ? returned : { output: JSON.stringify(returned), data: returned };
}

/** The kit answered with an error; `data` says what failed. */
class KitError extends Error {
  constructor({ message, data = {} }) {
    super(message);
    this.data = data;
  }
}

/** A model call that fails is a response too [LOOP-18]. */
function failedModel(failure) {
  const { error, partial = [] } = failure.data ?? {};
  if (!error) throw failure;
  return { messages: partial, stop_reason: error.kind === "stream_interrupted" ? "interrupted" : "error", error };
}

function failedTool(failure) {
  throw failure.data?.thrown ? new ToolError(failure.message, { fatal: failure.data.fatal === true }) : failure;
}

const waiting = new Map();
let asked = 0;

/** Asks the kit. */
function ask(method, params) {
  const id = `d${(asked += 1)}`;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** One message, one line, and nothing else on stdout: what the loop prints goes to stderr. */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function receive({ id, method, params, result, error }) {
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    return error ? reject(new KitError(error)) : resolve(result);
  }
  if (id === undefined) return; // a notification that this driver does not know
  if (!Object.hasOwn(methods, method)) return send({ id, error: { code: -32601, message: `no method ${method}` } });
  try {
    send({ id, result: await methods[method](params) });
  } catch (failure) {
    send({ id, error: { code: -32603, message: String(failure.stack) } });
  }
}

console.log = console.error;
for await (const line of createInterface({ input: process.stdin })) void receive(JSON.parse(line));
process.exit(0); // nobody asks any more
