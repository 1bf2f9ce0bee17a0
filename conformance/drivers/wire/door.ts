// Leads a whole driver of this project through the door of level wire, so that its loop is judged as those of others are:
// `node door.ts <folder of the driver>`. It is sent what a user says, and gives one word about the ending.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type {
  InitializeResult,
  Manifest,
  ModelAccess,
  ModelRequest,
  NextMessageParams,
  RunParams,
  RunResponse,
  WireRunParams,
} from "../../../schemas/types.ts";
import type { InvokeModel } from "../../../reference/index.ts";
import { providers } from "../../../reference/providers/registry.ts";

type Access = Exclude<ModelAccess, { seam: "generic" }>;
type Wire = WireRunParams & Partial<NextMessageParams>;

interface Line {
  id?: string | number;
  method?: string;
  params?: never;
  result?: never;
  error?: { code: number; message: string; data?: unknown };
}

/** One end of a conversation in lines. Requests that begin here have ids of their own. */
class End {
  readonly #out: Writable;
  readonly #waiting = new Map<unknown, (line: Line) => void>();
  #sent = 0;

  constructor(input: Readable, out: Writable, receive: (line: Line) => unknown, onClose: () => void) {
    this.#out = out;
    const lines = createInterface({ input });
    lines.on("line", (text) => {
      const line = JSON.parse(text) as Line;
      const waiting = line.method === undefined ? this.#waiting.get(line.id) : undefined;
      if (!waiting) return void receive(line);
      this.#waiting.delete(line.id);
      waiting(line);
    });
    lines.on("close", onClose);
  }

  send(line: object): void {
    this.#out.write(`${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`);
  }

  /** Asks, and gives the whole answer, whether it is a result or an error. */
  ask(method: string, params: unknown): Promise<Line> {
    const id = `w${(this.#sent += 1)}`;
    this.send({ id, method, params });
    return new Promise((answer) => this.#waiting.set(id, answer));
  }
}

const folder = resolve(process.argv[2] ?? ".");
const { command, env } = JSON.parse(readFileSync(join(folder, "agent-loop.json"), "utf8")) as Manifest;
const child = spawn(command[0] === "node" ? process.execPath : command[0]!, command.slice(1), {
  cwd: folder,
  env: { ...process.env, ...env },
  stdio: ["pipe", "pipe", "inherit"],
});
child.on("exit", (code) => process.exit(code ?? 1));
const kit = new End(process.stdin, process.stdout, fromKit, () => child.stdin.end());
const driver = new End(child.stdout, child.stdin, fromDriver, () => undefined);

/** What was begun, by run: a loop without an adapter of its own is given one, and one that cannot continue is given its session. */
const begun = new Map<string, { start: RunParams; access: Access; cancel: AbortController; after?: RunResponse }>();
let handshake: InitializeResult | undefined;

const allTransports = [...new Set(Object.values(providers).flatMap((one) => one.transports))];
const wireProviders = Object.values(providers).map(({ name }) => name);
const has = (feature: string) => handshake?.features?.includes(feature) ?? false;
const isGeneric = () => handshake?.seams.every((seam) => seam === "generic") ?? false;

/** What the kit says: the handshake and runs are translated, a cancel is passed on. */
async function fromKit({ id, method, params }: Line): Promise<void> {
  if (method === "cancel") return cancel(params!);
  if (id === undefined || method === undefined) return;
  if (method === "initialize") return kit.send({ id, ...(await initialize(params)) });
  if (method === "run") return kit.send({ id, ...(await run(params!)) });
  const answer = await driver.ask(method, params);
  kit.send({ ...answer, id });
}

async function initialize(params: unknown): Promise<Partial<Line> | { result: InitializeResult }> {
  const answer = await driver.ask("initialize", params);
  if (answer.error) return { error: answer.error };
  handshake = answer.result! as InitializeResult;
  const { protocol, implementation, concurrency, transports } = handshake;
  return {
    result: {
      protocol,
      implementation,
      level: "wire",
      ...(concurrency !== undefined && { concurrency }),
      seams: isGeneric() ? [...wireProviders] : handshake.seams.filter((seam) => seam !== "generic"),
      transports: isGeneric() ? allTransports : (transports ?? []),
      verbs: ["after", ...(has("cancel") ? (["cancel"] as const) : []), "limit"],
      models: Object.fromEntries(Object.values(providers).map(({ name, exampleModel }) => [name, exampleModel])),
    },
  };
}

async function run(params: Wire): Promise<Partial<Line> | { result: RunResponse }> {
  const access = params.model as Access;
  const start = params.after === undefined ? firstRun(params) : nextRun(params, params.after);
  const current = { start, access, cancel: new AbortController() };
  begun.set(params.run, current);
  const isPassedOn = params.after !== undefined && has("next_message");
  const { result, error } = await driver.ask("run", isPassedOn ? params : start);
  if (error) return { error };
  const response = result! as RunResponse;
  begun.set(params.run, { ...current, after: response });
  return { result: ending(response) };
}

function firstRun({ run, input, tools, instructions, limit, model }: Wire): RunParams {
  return {
    run,
    session: { spec_version: "1.0", id: run, messages: [{ role: "user", content: input }] },
    agents: { main: { name: "main", tools, ...(instructions !== undefined && { instructions }) } },
    agent: "main",
    options: { ...(limit !== undefined && { max_turns: limit }), ...(has("retry") && { max_retries: 0 }) },
    model: isGeneric() ? { seam: "generic" } : model,
  };
}

/** The same once more, with the session that the run before left and what the user says now. */
function nextRun({ run, input }: Wire, after: string): RunParams {
  const before = begun.get(after)!;
  const session = before.after?.session ?? before.start.session;
  const messages = [...session.messages, { role: "user" as const, content: input }];
  return { ...before.start, run, session: { ...session, messages } };
}

/** The word for what a caller of the loop sees in its result. */
function ending({ result }: RunResponse): RunResponse {
  const { status, final_text, error } = result!;
  return {
    ended: words[status] ?? "error",
    ...(final_text !== "" && { text: final_text }),
    ...(error && { error: `${error.kind}: ${error.message}` }),
  };
}

const words: Partial<Record<string, NonNullable<RunResponse["ended"]>>> = {
  completed: "completed",
  max_turns: "limit",
  refused: "refused",
  max_tokens: "cut_off",
  incomplete: "cut_off",
  cancelled: "cancelled",
};

function cancel(params: { run: string }): void {
  begun.get(params.run)?.cancel.abort();
  driver.send({ method: "cancel", params });
}

/** What the driver says: tools are the kit's, events are nobody's, and a model that it lacks is called here. */
async function fromDriver({ id, method, params }: Line): Promise<void> {
  if (id === undefined || method === undefined) return;
  if (method === "model/invoke") return driver.send({ id, ...(await invoke(params!)) });
  const answer = await kit.ask(method, params);
  driver.send({ ...answer, id });
}

async function invoke(params: { run: string; request: ModelRequest }): Promise<object> {
  const { access, cancel } = begun.get(params.run)!;
  const call = { signal: cancel.signal, onStream: () => undefined, warn: () => undefined };
  const { error, ...response } = await adapter(access)(params.request, call);
  if (!error) return { result: response };
  return { error: { code: -32000, message: error.message, data: { error, partial: response.messages } } };
}

function adapter({ seam, base_url, api_key, model, transport }: Access): InvokeModel {
  return providers[seam].create({ base_url, api_key, model, transport }).invokeModel;
}
