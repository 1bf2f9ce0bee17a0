// Speaks JSON-RPC 2.0 in lines with a driver, validates every message in both directions, and says what is wrong with a bad one.

import { DriverError, ProtocolError, notJson } from "./errors.ts";
import { isTooDeep, maxLevels } from "../base/nesting.ts";
import { driverNotifications, driverRequests, kitNotifications, kitRequests, paramsOf } from "../base/protocol.ts";
import type { DriverNotification, DriverRequest, KitNotification, KitRequest } from "../base/protocol.ts";
import { describeProblems, validate } from "../base/validate.ts";
import { firstRunOf } from "./run-names.ts";
import type { SchemaType } from "../base/validate.ts";

/** Answers one request of the driver; only the first answer is sent. */
export interface Reply {
  result(value: unknown): void;
  error(message: string, data?: unknown): void;
}

/** Receives the messages of the driver. */
export interface RpcListener {
  request(method: DriverRequest, params: unknown, reply: Reply): void;
  notification(method: DriverNotification, params: unknown): void;
  /** A message that breaks the protocol. The connection survives if the error names a run; otherwise it is unusable. */
  protocolError(error: ProtocolError): void;
}

interface Waiting {
  method: KitRequest;
  run: string | undefined;
  answer: Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** JSON-RPC's code for an error that the application made. */
const applicationError = -32000;

/** One end of a conversation in JSON-RPC, over any pair of line streams. */
export class RpcConnection {
  readonly #write: (line: string) => void;
  readonly #listener: RpcListener;
  readonly #waiting = new Map<number, Waiting>();
  readonly #answered = new Set<number>();
  /** The ids of the driver's requests that the kit has not answered. */
  readonly #openRequests = new Set<string | number>();
  #lastId = 0;
  #closed: Error | undefined;

  constructor(write: (line: string) => void, listener: RpcListener) {
    this.#write = write;
    this.#listener = listener;
  }

  /**
   * Asks the driver.
   * @throws DriverError if it answers with an error, ProtocolError if its answer is not valid, or the error of `close`
   */
  async request(method: KitRequest, params: Record<string, unknown>): Promise<unknown> {
    assertValid(paramsOf(method, params), params, method);
    if (this.#closed) throw this.#closed;
    const id = ++this.#lastId;
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { method, run: runOf(params), answer, resolve, reject });
    this.#send({ id, method, params });
    return await answer;
  }

  /** Sends the driver a notification. */
  notify(method: KitNotification, params: Record<string, unknown>): void {
    assertValid(kitNotifications[method], params, method);
    if (!this.#closed) this.#send({ method, params });
  }

  /** The requests about a run, and about those that the kit started beside or after it, that the driver has not answered. */
  unanswered(run: string): KitRequest[] {
    return this.#about(run).map(({ method }) => method);
  }

  /** Settles when the driver has answered all of these, whatever it answered, or the conversation has ended. */
  async settled(run: string): Promise<void> {
    await Promise.allSettled(this.#about(run).map(({ answer }) => answer));
  }

  #about(run: string): Waiting[] {
    return [...this.#waiting.values()].filter(({ run: named }) => named !== undefined && firstRunOf(named) === run);
  }

  /** Ends the conversation: everything that waits for an answer fails with this error. */
  close(error: Error): void {
    if (this.#closed) return;
    this.#closed = error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  /** Takes one line of the driver, without its line break. */
  receive(line: string): void {
    if (this.#closed) return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#broken(notJson(line), line);
    }
    if (line.length > maxLevels && isTooDeep(message))
      return this.#broken(`this message is nested deeper than ${maxLevels} levels`, line);
    if (!isObject(message) || message["jsonrpc"] !== "2.0") {
      return this.#broken('this line is no JSON-RPC 2.0 message; expected an object with "jsonrpc":"2.0"', line);
    }
    if (typeof message["method"] === "string") return this.#receiveCall(message, message["method"], line);
    if ("result" in message || "error" in message) return this.#receiveAnswer(message, line);
    this.#broken("this message has neither a method nor a result nor an error", line);
  }

  #receiveCall(message: Record<string, unknown>, method: string, line: string): void {
    const params = message["params"] ?? {};
    const id = message["id"];
    const isRequest = "id" in message;
    const known = isRequest ? Object.hasOwn(driverRequests, method) : Object.hasOwn(driverNotifications, method);
    if (!known) {
      const list = Object.keys(isRequest ? driverRequests : driverNotifications).join(", ");
      if (isRequest) this.#send({ id, error: { code: -32601, message: `unknown method ${method}` } });
      return this.#broken(
        `the driver sent the unknown ${isRequest ? "request" : "notification"} ${method}; known: ${list}`,
        line,
        runOf(params),
      );
    }
    if (isRequest && typeof id !== "string" && typeof id !== "number") {
      return this.#broken(`the id of request ${method} is neither a string nor a number`, line, runOf(params));
    }
    const type = isRequest
      ? driverRequests[method as DriverRequest].params
      : driverNotifications[method as DriverNotification];
    const problems = validate(type, params);
    if (problems.length > 0) {
      if (isRequest)
        this.#send({
          id,
          error: { code: -32602, message: `invalid parameters of ${method}: ${describeProblems(problems)}` },
        });
      return this.#broken(
        `the parameters of ${method} are not valid ${type}: ${describeProblems(problems)}`,
        line,
        runOf(params),
      );
    }
    if (!isRequest) return this.#listener.notification(method as DriverNotification, params);
    if (this.#openRequests.has(id as string | number)) {
      const why = `has the id ${JSON.stringify(id)} of a request that the kit has not answered yet; each has an id of its own`;
      return this.#broken(`the request ${method} ${why}`, line, runOf(params));
    }
    this.#listener.request(
      method as DriverRequest,
      params,
      this.#reply(id as string | number, method as DriverRequest),
    );
  }

  #receiveAnswer(message: Record<string, unknown>, line: string): void {
    const id = message["id"];
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (!waiting) {
      const again = typeof id === "number" && this.#answered.has(id);
      const never = `this answers request ${JSON.stringify(id)}, which the kit never sent`;
      const isText = typeof id === "string" && this.#waiting.has(Number(id));
      const hint = isText
        ? `; it sent the number ${id}, and an id comes back as it was`
        : errorDetail(message["error"]);
      return this.#broken(again ? `request ${id} was answered twice` : never + hint, line);
    }
    this.#waiting.delete(id as number);
    this.#answered.add(id as number);
    const refuse = (why: string) =>
      waiting.reject(new ProtocolError(`the answer to ${waiting.method} ${why}`, line, waiting.run));
    if ("error" in message) {
      const { error } = message;
      if (isRpcError(error)) return waiting.reject(new DriverError(waiting.method, error));
      return refuse('has an error that is none of JSON-RPC; expected {"code": a whole number, "message": a text}');
    }
    const type = kitRequests[waiting.method].result;
    const problems = validate(type, message["result"]);
    if (problems.length === 0) return waiting.resolve(message["result"]);
    refuse(`is not a valid ${type}: ${describeProblems(problems)}`);
  }

  #reply(id: string | number, method: DriverRequest): Reply {
    let open = true;
    this.#openRequests.add(id);
    const send = (answer: Record<string, unknown>) => {
      if (open && !this.#closed) this.#send({ id, ...answer });
      if (open) this.#openRequests.delete(id);
      open = false;
    };
    const schemas: { result: SchemaType; errorData?: SchemaType } = driverRequests[method];
    return {
      result: (value) => {
        assertValid(schemas.result, value, method);
        send({ result: value });
      },
      error: (text, data) => {
        if (data !== undefined && schemas.errorData) assertValid(schemas.errorData, data, method);
        send({ error: { code: applicationError, message: text, ...(data !== undefined && { data }) } });
      },
    };
  }

  #send(message: Record<string, unknown>): void {
    this.#write(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #broken(message: string, line: string, run?: string): void {
    this.#listener.protocolError(new ProtocolError(message, line, run));
  }
}

/** What the kit sends must be valid too; if it is not, the kit or the case is at fault, never the driver. */
function assertValid(type: SchemaType, value: unknown, method: string): void {
  const problems = validate(type, value);
  if (problems.length > 0)
    throw new Error(`the kit made an invalid ${type} for ${method}: ${describeProblems(problems)}`);
}

function runOf(params: unknown): string | undefined {
  return isObject(params) && typeof params["run"] === "string" ? params["run"] : undefined;
}

/** What an error says that answers no request, as of a driver that cannot read a line. */
function errorDetail(error: unknown): string {
  return isRpcError(error) ? `; it says: ${error.message}` : "";
}

function isRpcError(error: unknown): error is { code: number; message: string } {
  return isObject(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
