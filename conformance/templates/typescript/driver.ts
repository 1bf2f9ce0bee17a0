// The driver of my-loop: lets the conformance kit run the loop, over stdin and stdout. Needs Node 22.18 or later.
//
//   npx agent-loop-spec driver check --driver .       the protocol, message by message
//   npx agent-loop-spec test --driver . --case loop/  the first cases
//   npx agent-loop-spec explain LOOP-7                what a requirement says, and which cases test it

import { createInterface } from "node:readline";

type Json = Record<string, any>;

const initialize = {
  protocol: 1,
  implementation: { name: "my-loop", version: "0.1.0", language: "typescript" },
  seams: ["generic"], // the kit is the model; the providers come later
  features: [], // what the loop has beyond the core: npx agent-loop-spec list features
  reports: ["session", "result"], // add "events" when the loop tells them, with send({ method: "event", … })
};

interface Ports {
  /** `{messages, tools}` to `{messages, stop_reason, …}`, or KitError if the call fails. */
  invokeModel(request: Json): Promise<Json>;
  /** `{id, name, input}` to `{output, is_error?}`, or KitError if the tool throws. */
  executeTool(call: Json): Promise<Json>;
}

/**
 * The loop. Returns `{session, result}`, as RunResponse in schemas/driver.schema.json.
 * @param params `{session, agents, agent, options?}`, as RunParams in that file
 */
async function runLoop(params: Json, ports: Ports): Promise<Json> {
  throw new Error(
    `the loop is not written yet; write it in runLoop of driver.ts: invoke the model, append what it answers, ` +
      `execute its calls, and so on until there are none; spec/loop/loop.md says how, spec/loop/results.md what to return`,
  );
}

/** The kit answered with an error; `data` says what failed: ModelErrorData or ToolErrorData. */
class KitError extends Error {
  readonly data: Json;
  constructor(error: Json) {
    super(error["message"]);
    this.data = error["data"] ?? {};
  }
}

const methods: Record<string, (params: Json) => unknown> = {
  initialize: () => initialize,
  run: (params) =>
    runLoop(params, {
      invokeModel: (request) => ask("model/invoke", { run: params["run"], request }),
      executeTool: (call) => ask("tool/execute", { run: params["run"], call }),
    }),
  shutdown: () => ({}),
};

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let asked = 0;

/** Asks the kit. As long as one run at a time is enough, the next line is the answer. */
async function ask(method: string, params: Json): Promise<Json> {
  send({ id: `d${(asked += 1)}`, method, params });
  const { value, done } = await lines.next();
  if (done) process.exit(1);
  const answer = JSON.parse(value);
  if (answer.error) throw new KitError(answer.error);
  return answer.result;
}

/** One message, one line, and nothing else on stdout: what the loop prints goes to stderr. */
function send(message: Json): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function answer({ id, method, params }: Json): Promise<void> {
  if (id === undefined) return; // a notification that this driver does not know
  if (!Object.hasOwn(methods, method)) return send({ id, error: { code: -32601, message: `no method ${method}` } });
  try {
    send({ id, result: await methods[method]!(params) });
  } catch (error) {
    send({ id, error: { code: -32603, message: String((error as Error).stack) } });
  }
}

console.log = console.error;
for await (const line of { [Symbol.asyncIterator]: () => lines }) await answer(JSON.parse(line));
