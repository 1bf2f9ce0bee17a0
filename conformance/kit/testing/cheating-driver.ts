// A driver for the kit's own tests that tries to look right without keeping the spec; cheats.yaml says how, and what the kit makes of it.
// Usage: node cheating-driver.ts <cheat> [token]; the token only makes the process easy to find.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type {
  InitializeResult,
  LoopEvent,
  Message,
  ModelResponse,
  RunParams,
  RunResponse,
  RunResult,
} from "../../../schemas/types.ts";
import { fakeLoop, fakeRefusal } from "./fake-loop.ts";
import type { FakePorts } from "./fake-loop.ts";
import { ask, behaviour, emit, listen, send } from "./fake-rpc.ts";

type Answer = Required<Pick<RunResponse, "result" | "session">>;

/** A run, and the honest loop that would play it. */
interface Played {
  id: number;
  params: RunParams;
  ports: FakePorts;
  play(changed?: Partial<FakePorts>, params?: RunParams): Promise<Answer>;
}

const nothing = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_write_tokens: null };
const usage = { ...nothing, reasoning_tokens: null };
const isCulprit = ({ session }: RunParams) => JSON.stringify(session).includes("culprit");
const madeUp = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
  raw_stop_reason: "end_turn",
  usage,
  model: "replay",
  provider: "generic",
});

/** What earlier runs left: a cheat keeps what no run may share. */
const answers: Answer[] = [];
let waiting: { honest: Answer; answer(answer: Answer): void } | undefined;
let runs = 0;

/** The answer of a run, changed. */
const answerWith = async (played: Played, change: (answer: Answer) => Partial<Answer>): Promise<Answer> => {
  const honest = await played.play();
  return { ...honest, ...change(honest) };
};
const resultWith = (played: Played, change: (result: RunResult) => Partial<RunResult>) =>
  answerWith(played, ({ result }) => ({ result: { ...result, ...change(result) } }));
const messagesWith = (played: Played, change: (messages: Message[]) => Message[]) =>
  answerWith(played, ({ session }) => ({ session: { ...session, messages: change(session.messages) } }));
const withoutEvents = (played: Played, isLost: (event: LoopEvent) => boolean) =>
  played.play({ emit: (event) => void (isLost(event) || played.ports.emit(event)) });
const asking = (played: Played, change: (method: string, params: never) => Promise<unknown> | undefined) =>
  played.play({ ask: (method, params) => change(method, params as never) ?? played.ports.ask(method, params) });

type Cheat = (played: Played) => Promise<Answer>;

/** By name. Each is an honest loop but for this. */
const cheats: Record<string, Cheat> = {
  "invents the answer": (played) =>
    asking(played, (method) => (method === "model/invoke" ? Promise.resolve(madeUp("Done.")) : undefined)),
  "throws the answer away": (played) =>
    asking(played, (method, params) =>
      method === "model/invoke" ? ask(method, params).then(() => madeUp("Done.")) : undefined,
    ),
  "invents what the tools said": (played) =>
    asking(played, (method) => (method === "tool/execute" ? Promise.resolve({ output: "I see nothing" }) : undefined)),
  "reads the cases for what the tools say": (played) =>
    asking(played, (method) => (method === "tool/execute" ? Promise.resolve({ output: readOutput() }) : undefined)),
  "reads the cases for the answer": (played) =>
    asking(played, (method) => (method === "model/invoke" ? Promise.resolve(madeUp(readText())) : undefined)),
  "executes every call twice": (played) =>
    asking(played, (method, params) =>
      method === "tool/execute" ? ask(method, params).then(() => ask(method, params)) : undefined,
    ),
  "executes with other arguments": (played) =>
    asking(played, (method, params: { call: object }) =>
      method === "tool/execute" ? ask(method, { ...params, call: { ...params.call, input: {} } }) : undefined,
    ),
  "executes what nobody called": async (played) => {
    if (isCulprit(played.params))
      await ask("tool/execute", { run: played.params.run, call: { id: "mine", name: "look", input: {} } }).catch(
        () => {},
      );
    return await played.play();
  },
  "asks the model once more": async (played) => {
    const { run, session } = played.params;
    const honest = await played.play();
    await ask("model/invoke", { run, request: { messages: session.messages, tools: [] } }).catch(() => undefined);
    return honest;
  },
  "asks in another way than it tells": (played) =>
    asking(played, (method, params: { request: { messages: Message[] } }) =>
      method === "model/invoke"
        ? ask(method, { ...params, request: { ...params.request, messages: params.request.messages.slice(-1) } })
        : undefined,
    ),
  "offers the model other tools": (played) =>
    asking(played, (method, params: { request: object }) =>
      method === "model/invoke" ? ask(method, { ...params, request: { ...params.request, tools: [] } }) : undefined,
    ),
  "says what the first run said": async (played) => {
    const honest = await played.play();
    answers.push(honest);
    return answers[0]!;
  },
  "says only the session of the first run": async (played) => {
    const honest = await played.play();
    answers.push(honest);
    return { ...honest, session: answers[0]!.session };
  },
  "keeps messages for the next run": async (played) => {
    const before = answers.at(-1)?.session.messages ?? [];
    const { params } = played;
    const honest = await played.play(
      {},
      { ...params, session: { ...params.session, messages: [...before, ...params.session.messages] } },
    );
    answers.push(honest);
    return honest;
  },
  "answers two runs with one another's answers": async (played) => {
    const honest = await played.play();
    const other = waiting;
    waiting = undefined;
    if (!other) return await new Promise((answer) => (waiting = { honest, answer }));
    other.answer(honest);
    return other.honest;
  },
  "says that nothing was said": (played) => messagesWith(played, () => []),
  "forgets what the user said": (played) => messagesWith(played, (messages) => messages.slice(1)),
  "tells the results in a better order": (played) =>
    messagesWith(played, (messages) =>
      messages.toSorted((one, other) => Number("outcome" in one) - Number("outcome" in other)),
    ),
  "tells a call that was not made": (played) =>
    messagesWith(played, (messages) => [
      ...messages,
      { type: "tool_call", id: "made_up", name: "look", input: {} },
      { type: "tool_result", id: "made_up", output: "I see", outcome: "ok" },
    ]),
  "calls every ending a success": (played) => resultWith(played, () => ({ status: "completed" })),
  "says that it took no turns": (played) => resultWith(played, () => ({ turns: 0, steps: [] })),
  "counts no tool calls": (played) => resultWith(played, () => ({ tool_calls: 0 })),
  "makes the usage small": (played) => resultWith(played, () => ({ usage, usage_by_model: {} })),
  "says another final text": (played) => resultWith(played, () => ({ final_text: "All is well." })),
  "tells no event of a tool": (played) => withoutEvents(played, ({ type }) => type.startsWith("tool_")),
  "never tells the end": (played) => withoutEvents(played, ({ type }) => type === "run_end"),
  "tells of messages that it does not keep": (played) => messagesWith(played, (messages) => messages.slice(0, -1)),
  "tells all events before anything happens": async (played) => {
    const events: LoopEvent[] = [];
    const { session } = played.params;
    await fakeLoop(played.params, {
      ask: (method) => Promise.resolve(method === "model/invoke" ? madeUp("Done.") : { output: "" }),
      emit: (event) => void events.push(event),
    });
    for (const event of events) played.ports.emit(event);
    const honest = await withoutEvents(played, () => true);
    return { ...honest, session: { ...honest.session, id: session.id } };
  },
  "answers before its tools have ended": async (played) => {
    if (!isCulprit(played.params)) return await played.play();
    const { run, session } = played.params;
    const request = { messages: session.messages, tools: played.params.agents[played.params.agent]!.tools ?? [] };
    const { messages } = (await ask("model/invoke", { run, request })) as ModelResponse;
    for (const message of messages)
      if (message.type === "tool_call") {
        const { id, name, input } = message;
        ask("tool/execute", { run, call: { id, name, input } }).catch(() => undefined);
      }
    return await fakeLoop(played.params, {
      ask: (method) => Promise.resolve(method === "model/invoke" ? madeUp("Done.") : { output: "" }),
      emit: played.ports.emit,
    });
  },
  "stalls where it would fail": async (played) => {
    if (isCulprit(played.params)) await Promise.withResolvers<never>().promise;
    return await played.play();
  },
  "crashes where it would fail": async (played) => {
    if (isCulprit(played.params)) process.exit(0);
    return await played.play();
  },
  "is right until nobody looks": async (played) =>
    (runs += 1) > 3 ? await messagesWith(played, (messages) => messages.slice(0, -1)) : await played.play(),
  "refuses what is hard": async (played) => {
    if (isCulprit(played.params)) throw new Error("unsupported: this case does not apply to me");
    return await played.play();
  },
  "says that it cannot say it": async (played) => {
    if (isCulprit(played.params)) return { not_expressible: "two calls" } as unknown as Answer;
    return await played.play();
  },
  "sends what it owes when the run is over": async (played) => {
    const late: LoopEvent[] = [];
    const honest = await played.play({ emit: (event) => void late.push(event) });
    setImmediate(() => late.forEach((event) => played.ports.emit(event)));
    return honest;
  },
};

const casesFolder = fileURLToPath(new URL("./cases", import.meta.url));

/** What a case file says that a tool would say: as a driver finds it that looks for the suite on the disk. */
function readOutput(): string {
  return /output: "([^"]*)"/.exec(readCases())?.[1] ?? "";
}

function readText(): string {
  return /text: "([^"]*)"/.exec(readCases())?.[1] ?? "";
}

function readCases(): string {
  if (!existsSync(casesFolder)) return "";
  return readdirSync(casesFolder)
    .map((name) => readFileSync(`${casesFolder}/${name}`, "utf8"))
    .join("\n");
}

/** What a cheat claims of itself. */
const claims: Record<string, Partial<InitializeResult>> = {
  "claims to do what it does not": { features: ["parallel"], concurrency: 4 },
  "declares nothing that could be tested": { features: [], reports: [], seams: [] },
  "reports nothing": { reports: [] },
  "answers two runs with one another's answers": { concurrency: 2 },
};

const handshake: InitializeResult = {
  protocol: 1,
  implementation: { name: "cheat", version: "1.0.0", language: "typescript" },
  concurrency: 1,
  seams: ["generic"],
  features: [],
  reports: ["session", "result", "events"],
  ...claims[behaviour],
};

async function respond(id: number, params: RunParams): Promise<RunResponse> {
  const ports: FakePorts = { ask, emit: (event) => emit(params.run, event) };
  const loop = Object.hasOwn(params.agents, params.agent) ? fakeLoop : fakeRefusal;
  const play = async (changed: Partial<FakePorts> = {}, given = params) => loop(given, { ...ports, ...changed });
  const answer = await (cheats[behaviour] ?? (() => play()))({ id, params, ports, play });
  return handshake.reports?.length === 0 ? {} : answer;
}

listen((message) => {
  const { id, method, params } = message as { id: number; method: string; params: RunParams };
  if (method === "initialize") send({ id, result: handshake });
  else if (method === "shutdown") {
    send({ id, result: {} });
    process.stdout.write("", () => process.exit(0));
  } else if (method === "run")
    respond(id, params).then(
      (result) => send({ id, result }),
      (error: Error) => send({ id, error: { code: -32000, message: error.message } }),
    );
  else if (method === "barrier") setImmediate(() => send({ id, result: {} }));
  else if (id !== undefined) send({ id, error: { code: -32601, message: `no method ${method}` } });
});
