// Runs a driver that is code in this process: the messages of the driver protocol as they are, without a process around it.

import type {
  BarrierParams,
  CancelParams,
  ClockAdvanceParams,
  EventParams,
  GuardrailCheckParams,
  GuardrailCheckResult,
  HookFireParams,
  HookFireResult,
  InitializeParams,
  InitializeResult,
  InstructionsEvaluateParams,
  InstructionsEvaluateResult,
  JournalAppendParams,
  JournalAppendResult,
  JournalReadParams,
  JournalReadResult,
  ModelErrorData,
  ModelInvokeParams,
  ModelInvokeResult,
  NextMessageParams,
  RecoverParams,
  ResumeParams,
  RunParams,
  RunResponse,
  SteerParams,
  StopParams,
  SwitchModelParams,
  ToolAbortParams,
  ToolErrorData,
  ToolExecuteParams,
  ToolExecuteResult,
  ToolProgressParams,
  ToolsEvaluateParams,
  ToolsEvaluateResult,
  WireRunParams,
} from "../../../schemas/types.ts";
import type { DriverEnd, OpenDriver, ProcessListener } from "./types.ts";

/** The requests of a driver, and their results. */
interface Requests {
  "tool/execute": [ToolExecuteParams, ToolExecuteResult];
  "model/invoke": [ModelInvokeParams, ModelInvokeResult];
  "hook/fire": [HookFireParams, HookFireResult];
  "guardrail/check": [GuardrailCheckParams, GuardrailCheckResult];
  "instructions/evaluate": [InstructionsEvaluateParams, InstructionsEvaluateResult];
  "tools/evaluate": [ToolsEvaluateParams, ToolsEvaluateResult];
  "journal/read": [JournalReadParams, JournalReadResult];
  "journal/append": [JournalAppendParams, JournalAppendResult];
}

/** The notifications of a driver. */
interface Notifications {
  event: EventParams;
  "tool/abort": ToolAbortParams;
}

/** The kit, as a driver sees it. */
export interface Kit {
  /** @throws KitError if the kit answers with an error: a tool that throws, a model call that fails */
  request<Method extends keyof Requests>(method: Method, params: Requests[Method][0]): Promise<Requests[Method][1]>;
  notify<Method extends keyof Notifications>(method: Method, params: Notifications[Method]): void;
}

type Later<Value> = Value | Promise<Value>;

/** A driver: what it does with each message of the kit. What it throws is its answer, as an error. */
export interface DriverMethods {
  initialize(params: InitializeParams): Later<InitializeResult>;
  run(params: RunParams): Later<RunResponse>;
  /** What is sent as `run` with `after`. Only a driver that declares `next_message` is sent it. */
  nextMessage?(params: NextMessageParams): Later<RunResponse>;
  /** What is sent as `run` with `input` alone. Only a driver of level wire is sent it, and needs no `run`. */
  wireRun?(params: WireRunParams): Later<RunResponse>;
  resume?(params: ResumeParams): Later<RunResponse>;
  recover?(params: RecoverParams): Later<RunResponse>;
  /** Answers when nothing is left to be done without the kit. */
  barrier?(params: BarrierParams): Later<object>;
  "clock/advance"?(params: ClockAdvanceParams): Later<object>;
  /** Absent: there is nothing to end. */
  shutdown?(): Later<object>;
  cancel?(params: CancelParams): void;
  stop?(params: StopParams): void;
  steer?(params: SteerParams): void;
  switch_model?(params: SwitchModelParams): void;
  "tool/progress"?(params: ToolProgressParams): void;
}

/** Makes a driver; once more where the one before has failed. */
export type MakeDriver = (kit: Kit) => Later<DriverMethods>;

/** The kit answered with an error. */
export class KitError extends Error {
  override readonly name = "KitError";
  /** Says what failed. */
  readonly data: Partial<ToolErrorData & ModelErrorData>;
  constructor(message: string, data: KitError["data"] = {}) {
    super(message);
    this.data = data;
  }
}

/** Wraps driver code in this process as a driver that can be started. */
export function inProcess(make: MakeDriver): OpenDriver {
  return (listener) => new InProcess(make, listener);
}

interface Message {
  id?: string | number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string; data?: KitError["data"] };
}

const methodNotFound = -32601;
const applicationError = -32000;

/** By which name the parameters of `run` are taken. */
function runMethod(params: object): keyof DriverMethods {
  if ("after" in params) return "nextMessage";
  return "input" in params ? "wireRun" : "run";
}

class InProcess implements DriverEnd {
  readonly pid = undefined;
  /** What the driver writes goes to the terminal of this process. */
  readonly stderr = "";
  readonly silence = "";
  readonly #listener: ProcessListener;
  readonly #driver: Promise<DriverMethods>;
  readonly #waiting = new Map<string, PromiseWithResolvers<never>>();
  #lastId = 0;
  #hasEnded = false;

  constructor(make: MakeDriver, listener: ProcessListener) {
    this.#listener = listener;
    const kit: Kit = {
      request: (method, params) => this.#ask(method, params),
      notify: (method, params) => this.#send({ method, params }),
    };
    this.#driver = Promise.resolve(kit).then(make);
    this.#driver.catch((error: unknown) => this.#cannotBeMade(error));
  }

  write(line: string): void {
    if (this.#hasEnded) return;
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) this.#settle(message);
    else
      this.#driver.then((driver) => this.#call(driver, message as Message & { method: string })).catch(() => undefined);
  }

  async stop(): Promise<undefined> {
    this.#hasEnded = true;
  }

  /** Code in this process cannot be killed; its messages are ignored from now on. */
  async kill(): Promise<void> {
    this.#hasEnded = true;
  }

  async #call(driver: DriverMethods, { id, method, params }: Message & { method: string }): Promise<void> {
    const answer = (body: object) => id !== undefined && this.#send({ id, ...body });
    const known = driver as unknown as Record<string, unknown>;
    const named = method === "run" ? runMethod(params as object) : method;
    const handle = known[named] ?? (method === "shutdown" ? () => ({}) : undefined);
    if (typeof handle !== "function") {
      answer({ error: { code: methodNotFound, message: `Unknown method ${method}` } });
      return;
    }
    try {
      answer({ result: (await handle.call(driver, params)) as unknown });
    } catch (thrown) {
      answer({ error: { code: applicationError, message: String(thrown) } });
    }
  }

  #ask(method: string, params: unknown): Promise<never> {
    const id = `d${(this.#lastId += 1)}`;
    const answer = Promise.withResolvers<never>();
    this.#waiting.set(id, answer);
    this.#send({ id, method, params });
    return answer.promise;
  }

  #settle({ id, result, error }: Message): void {
    const answer = this.#waiting.get(String(id));
    this.#waiting.delete(String(id));
    if (error) answer?.reject(new KitError(error.message, error.data));
    else answer?.resolve(result as never);
  }

  /** As text, so that the two sides share no objects; and asynchronously, so that an answer never interrupts its receiver. */
  #send(message: object): void {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message });
    queueMicrotask(() => {
      if (!this.#hasEnded) this.#listener.line(line);
    });
  }

  #cannotBeMade(error: unknown): void {
    const spawnError = `could not be made: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    this.#listener.exit({ code: null, signal: null, spawnError, halfLine: "" });
  }
}
