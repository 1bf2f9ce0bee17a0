// Exchanges messages with a driver one at a time and keeps the transcript, for `driver check`.

import { DriverProcess, describeExit } from "../driver/process.ts";
import { withStderr } from "../driver/errors.ts";
import { TimeLimit, comesBefore } from "../driver/time-limit.ts";
import type { DriverCommand, DriverExit } from "../driver/types.ts";
import { driverNotifications } from "../base/protocol.ts";
import type { DriverNotification } from "../base/protocol.ts";
import { describeProblems, validate } from "../base/validate.ts";
import type { SchemaType } from "../base/validate.ts";

/** A message of JSON-RPC. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: { code?: unknown; message?: unknown; data?: unknown };
}

/** The driver's message was not the expected one. */
export class Unexpected extends Error {
  override readonly name = "Unexpected";
  readonly expected: string;
  /** The requirement that it breaks, if that is another than the one in question. */
  readonly requirement: string | undefined;
  constructor(expected: string, actual: string, requirement?: string) {
    super(actual);
    this.expected = expected;
    this.requirement = requirement;
  }
}

/** How long a driver may take, in milliseconds. */
export interface Timing {
  /** To answer. */
  silentMs: number;
  /** To answer the first time. */
  startMs: number;
}

/** A conversation with one driver process. */
export class Dialogue {
  readonly #process: DriverProcess;
  readonly #received: Message[] = [];
  readonly #timeoutMs: number;
  /** How long the driver may take to start, in milliseconds. */
  readonly startMs: number;
  #wrong: { actual: string; requirement?: string } | undefined;
  #wake: () => void = () => undefined;
  #lastId = 0;
  /** The requests whose answers have not been read. */
  readonly #owed = new Map<unknown, string>();
  /** The notifications that came. */
  readonly notifications = new Set<unknown>();
  /** What was said, as lines. */
  transcript: string[] = [];

  constructor(command: DriverCommand, { silentMs, startMs }: Timing) {
    this.#timeoutMs = silentMs;
    this.startMs = startMs;
    this.#process = new DriverProcess(command, {
      line: (line) => this.#receive(line),
      unreadable: (why, line) => this.#endUnread(why, line),
      exit: (exit) => this.#end({ actual: withStderr(`the driver ${describeExit(exit)}`, this.#process.stderr) }),
    });
  }

  /** The id of the next request. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Why the driver can take no more requests, if it cannot. */
  get whyClosed(): string | undefined {
    if (this.#wrong !== undefined) return "the driver can take no more requests";
    return [...this.#owed.values()].includes("run") ? "the driver is still in a run" : undefined;
  }

  /** Sends a message; returns the id if it is a request. */
  ask(method: string, params: object): number {
    const id = ++this.#lastId;
    this.#owed.set(id, method);
    this.#send({ id, method, params });
    return id;
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Answers a request of the driver. */
  answer({ id }: Message, answer: { result: unknown } | { error: object }): void {
    this.#send({ id, ...answer });
  }

  /**
   * The next message that is no notification.
   * @param expected what it should be, for the error
   * @param ms how long it may take; absent: the silence timeout
   * @throws Unexpected if none comes
   */
  async next(expected: string, ms = this.#timeoutMs): Promise<Message> {
    const limit = new TimeLimit(ms);
    for (;;) {
      const message = this.#received.shift();
      if (message && "method" in message && !("id" in message)) this.#checkNotification(message);
      else if (message) {
        if (!("method" in message)) this.#owed.delete(message.id);
        return message;
      } else if (this.#wrong !== undefined) throw new Unexpected(expected, this.#wrong.actual, this.#wrong.requirement);
      else if (!(await this.#receivesBefore(limit))) throw new Unexpected(expected, this.#silence(ms));
    }
  }

  /**
   * The result of a request.
   * @throws Unexpected if the next message is anything else, or not valid
   */
  async result(id: number, type: SchemaType, what: string, ms?: number): Promise<unknown> {
    const expected = `the answer to ${what}, with a result`;
    const message = await this.next(expected, ms);
    if ("method" in message) throw new Unexpected(expected, shown(message));
    if (message.id !== id)
      throw new Unexpected(
        expected,
        `an answer to "id":${shown(message.id)}, and the request has "id":${id}: ${shown(message)}`,
      );
    if ("error" in message) throw new Unexpected(expected, `the error ${shown(message.error)}`);
    const problems = validate(type, message.result);
    if (problems.length > 0) throw new Unexpected(`a valid ${type}`, describeProblems(problems));
    return message.result;
  }

  /**
   * A request of the driver.
   * @throws Unexpected if the next message is anything else, or not valid
   */
  async request(method: string, type: SchemaType): Promise<Message> {
    const expected = `the request ${method}`;
    const message = await this.next(expected);
    if (message.method !== method)
      throw new Unexpected(expected, "error" in message ? `the error ${shown(message.error)}` : shown(message));
    const problems = validate(type, message.params);
    if (problems.length > 0) throw new Unexpected(`valid ${type}`, describeProblems(problems));
    return message;
  }

  /** Closes stdin; whether the process ends. */
  async endsWithoutInput(ms: number): Promise<boolean> {
    this.transcript.push("kit   closes stdin");
    return await this.#process.endsWithoutInput(ms);
  }

  /** How the process has ended; absent while it runs. */
  get exit(): DriverExit | undefined {
    return this.#process.exit;
  }

  /** Ends the driver, whatever it does. */
  async stop(): Promise<void> {
    await this.#process.kill();
  }

  #send(message: object): void {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.transcript.push(`kit → ${line}`);
    this.#process.write(line);
  }

  #receive(line: string): void {
    this.transcript.push(`drv → ${line}`);
    if (this.#wrong !== undefined) return;
    try {
      const message = JSON.parse(line) as Message & { jsonrpc?: unknown };
      if (message?.jsonrpc === "2.0") this.#received.push(message);
      else this.#endUnread('a line that is no message of JSON-RPC 2.0, an object with "jsonrpc":"2.0"', line);
    } catch {
      this.#endUnread("a line that is not JSON", line);
    }
    this.#wake();
  }

  /** Only the first error counts. */
  #end(why: { actual: string; requirement?: string }): void {
    this.#wrong ??= why;
    this.#wake();
  }

  #endUnread(why: string, line: string): void {
    const advice = "each line on stdout is exactly one message; logs go to stderr";
    this.#end({ actual: `${why}: ${line}\n${advice}`, requirement: "DRIVER-3" });
  }

  #receivesBefore(limit: TimeLimit): Promise<boolean> {
    const { promise: message, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return comesBefore(message, limit, this.#process.pid);
  }

  #checkNotification({ method, params }: Message): void {
    const type = driverNotifications[method as DriverNotification] as SchemaType | undefined;
    const known = Object.keys(driverNotifications).join(" or ");
    if (!type) throw new Unexpected(`of notifications only ${known}`, shown(method));
    this.notifications.add(method);
    const problems = validate(type, params);
    if (problems.length > 0) throw new Unexpected(`valid ${type} in ${shown(method)}`, describeProblems(problems));
  }

  #silence(ms: number): string {
    return `nothing within ${Math.round(ms)} ms${this.#process.silence}`;
  }
}

function shown(value: unknown): string {
  const { code, message } = (value ?? {}) as { code?: unknown; message?: unknown };
  const text =
    typeof message === "string" && code !== undefined ? `${String(code)}: ${message}` : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
