// One of the two drivers of a relay: its process, and what goes between it and the relay.

import type {
  BarrierParams,
  ClockAdvanceParams,
  InitializeParams,
  InitializeResult,
  RecoverParams,
  ResumeParams,
  RunParams,
  RunResponse,
} from "../../../schemas/types.ts";
import { DriverCrash, DriverError, ProtocolError } from "../driver/errors.ts";
import { DriverProcess, describeExit } from "../driver/process.ts";
import type { DriverEnd, ProcessListener } from "../driver/types.ts";
import type { DriverNotification, DriverRequest, KitNotification } from "../base/protocol.ts";
import { RpcConnection } from "../driver/rpc.ts";
import type { Reply } from "../driver/rpc.ts";
import type { TestedDriver } from "../run/types.ts";

/** Receives the requests of the driver, its notifications, and its failure. */
export interface RelayListener extends Pick<ProcessListener, "unreadable" | "exit"> {
  /** Takes a request of the driver. @returns false if it names no leg that is under way */
  request(method: DriverRequest, params: { run: string }, reply: Reply): boolean;
  /** Takes a notification of the driver. */
  notification(method: DriverNotification, params: { run: string }): void;
}

/** A driver that is one half of a relay. */
export class RelayDriver {
  readonly name: string;
  readonly #listener: RelayListener;
  readonly #process: DriverEnd;
  readonly #connection: RpcConnection;

  constructor({ name, command }: Pick<TestedDriver, "name" | "command">, listener: RelayListener) {
    this.name = name;
    this.#listener = listener;
    const processListener: ProcessListener = {
      line: (line) => this.#connection.receive(line),
      unreadable: (why, line) => this.#broken(new ProtocolError(why, line)),
      exit: (exit) => {
        const spawnError = `${name} ${describeExit(exit)}`;
        listener.exit({ code: null, signal: null, spawnError, halfLine: "" });
        this.#connection.close(new DriverCrash(`the driver ${spawnError}`));
      },
    };
    this.#process =
      typeof command === "function" ? command(processListener) : new DriverProcess(command, processListener);
    this.#connection = new RpcConnection((line) => this.#process.write(line), {
      request: (method, params, reply) => {
        const { run } = params as { run: string };
        if (listener.request(method, params as { run: string }, reply)) return;
        reply.error(`the run ${run} is not in flight`);
        this.#broken(new ProtocolError(`${method} came outside of the run that it names`, JSON.stringify(params), run));
      },
      notification: (method, params) => listener.notification(method, params as { run: string }),
      protocolError: (error) => this.#broken(error),
    });
  }

  /** The end of its stderr. */
  get stderr(): string {
    return this.#process.stderr;
  }

  initialize(params: InitializeParams): Promise<InitializeResult> {
    return this.#ask("initialize", { ...params });
  }

  /** @throws Error if it answers with an error */
  run(params: RunParams): Promise<RunResponse> {
    return this.#ask("run", { ...params });
  }

  /** @throws Error if it answers with an error */
  resume(params: ResumeParams): Promise<RunResponse> {
    return this.#ask("resume", { ...params });
  }

  /** @throws Error if it answers with an error */
  recover(params: RecoverParams): Promise<RunResponse> {
    return this.#ask("recover", { ...params });
  }

  /** Answers when nothing is left to be done without the kit. */
  async barrier(params: BarrierParams): Promise<void> {
    await this.#ask("barrier", { ...params });
  }

  async advance(params: ClockAdvanceParams): Promise<void> {
    await this.#ask("clock/advance", { ...params });
  }

  notify(method: KitNotification, params: { run: string }): void {
    this.#connection.notify(method, params);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }

  async #ask<Answer>(
    method: "initialize" | "run" | "resume" | "recover" | "barrier" | "clock/advance",
    params: Record<string, unknown>,
  ): Promise<Answer> {
    try {
      return (await this.#connection.request(method, params)) as Answer;
    } catch (error) {
      if (error instanceof ProtocolError) this.#broken(error);
      throw error instanceof DriverError ? new Error(`${this.name}: ${error.message}`) : error;
    }
  }

  #broken({ message, line }: ProtocolError): void {
    this.#listener.unreadable(`${this.name}: ${message}`, line);
  }
}
