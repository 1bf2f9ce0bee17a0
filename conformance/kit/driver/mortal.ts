// A driver whose process the kit can end at any moment: another one takes its place, and the conversation goes on with it.

import type { DriverEnd, DriverExit, DriverStart, ProcessListener } from "./types.ts";
import { DriverProcess, describeExit } from "./process.ts";

interface Message {
  id?: number | string;
  method?: string;
}

/** JSON-RPC's code for an error that the application made. */
const applicationError = -32000;

/**
 * To the rest of the kit it is one driver. Ids of the requests of a driver are marked with its process, so that what was meant for
 * one that has ended never reaches the next.
 */
export class MortalDriver implements DriverEnd {
  readonly #start: DriverStart;
  readonly #listener: ProcessListener;
  #process: DriverEnd;
  /** Which process it is, counted from 1. */
  #life = 0;
  /** What the kit asked and was not answered: the method by the id. */
  readonly #owed = new Map<number | string, string>();
  /** The line with which a process is asked to introduce itself. */
  #greeting = "";
  /** Settles when the process that takes the place of another has introduced itself. */
  #introduced: PromiseWithResolvers<void> | undefined;

  constructor(start: DriverStart, listener: ProcessListener) {
    this.#start = start;
    this.#listener = listener;
    this.#process = this.#begin();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get stderr(): string {
    return this.#process.stderr;
  }

  get silence(): string {
    return this.#process.silence;
  }

  write(line: string): void {
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) return this.#answer(message);
    if (message.method === "initialize") this.#greeting = line;
    if (message.id !== undefined) this.#owed.set(message.id, message.method);
    this.#process.write(line);
  }

  async stop(): Promise<DriverExit | undefined> {
    return await this.#process.stop();
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /**
   * Ends the process at once, as a crash of the machine would, and starts another one. Settles when that has introduced itself;
   * what the kit had asked the first for is then answered with an error, except barriers.
   * @throws Error if the new process ends instead
   */
  async endProcess(): Promise<void> {
    const ended = this.#process;
    const owed = [...this.#owed];
    this.#owed.clear();
    this.#introduced = Promise.withResolvers();
    this.#process = this.#begin();
    await ended.kill();
    this.#process.write(this.#greeting);
    await this.#introduced.promise;
    this.#introduced = undefined;
    const error = { code: applicationError, message: "the kit has ended the process" };
    for (const [id, method] of owed)
      this.#listener.line(
        JSON.stringify({ jsonrpc: "2.0", id, ...(method === "barrier" ? { result: {} } : { error }) }),
      );
  }

  /** Starts a process. Nothing is received any more of the one before. */
  #begin(): DriverEnd {
    const life = ++this.#life;
    const ifAlive = (receive: () => void) => {
      if (life === this.#life) receive();
    };
    const listener: ProcessListener = {
      line: (line) => ifAlive(() => this.#receive(line)),
      unreadable: (why, line) => ifAlive(() => this.#listener.unreadable(why, line)),
      exit: (exit) => ifAlive(() => this.#exited(exit)),
    };
    return typeof this.#start === "function" ? this.#start(listener) : new DriverProcess(this.#start, listener);
  }

  #receive(line: string): void {
    const message = messageIn(line);
    if (message?.id === undefined) return this.#listener.line(line);
    if (message.method !== undefined) {
      const id = `${this.#life}:${JSON.stringify(message.id)}`;
      return this.#listener.line(JSON.stringify({ ...message, id }));
    }
    if (this.#introduced && !this.#owed.has(message.id)) return this.#introduced.resolve();
    this.#owed.delete(message.id);
    this.#listener.line(line);
  }

  /** Hands an answer to the process that asked, if it is alive. */
  #answer(message: Message): void {
    const [life, id] = splitId(String(message.id));
    if (life === this.#life) this.#process.write(JSON.stringify({ ...message, id }));
  }

  #exited(exit: DriverExit): void {
    this.#introduced?.reject(new Error(`the driver could not be started again: it ${describeExit(exit)}`));
    this.#listener.exit(exit);
  }
}

/** The message in a line; undefined if there is none, which is for others to find. */
function messageIn(line: string): Message | undefined {
  try {
    const message = JSON.parse(line) as unknown;
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function splitId(marked: string): [life: number, id: unknown] {
  const at = marked.indexOf(":");
  return [Number(marked.slice(0, at)), JSON.parse(marked.slice(at + 1))];
}
