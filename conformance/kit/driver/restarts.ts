// The lives of one driver in a run of the suite: a new one after each that failed, until there is no sense in another.

import { DriverSession } from "./session.ts";
import type { SessionListener } from "./session.ts";
import type { DriverStart } from "./types.ts";
import { RestartLimit } from "./restart-limit.ts";

/** How a driver is started. */
export interface RestartOptions {
  command: DriverStart;
  /** How long it may take, in milliseconds. */
  startMs: number;
  /** Features that count as declared although they are not. */
  assume?: readonly string[];
  listener: SessionListener;
}

/** Starts a driver, and starts it again where it has died. */
export class Restarts {
  readonly #options: RestartOptions;
  readonly #limit = new RestartLimit();
  #session: DriverSession | undefined;
  #starting: Promise<DriverSession> | undefined;
  /** The ends of those that have failed: a process that does not listen may outlive the next one. */
  readonly #ends: Promise<void>[] = [];
  /** Why it is not started any more. */
  #over: Error | undefined;

  constructor(options: RestartOptions) {
    this.#options = options;
  }

  /**
   * The living session; a new one where the last one died.
   * @throws StartError if it does not start, or the last failure if it died too often
   */
  current(): Promise<DriverSession> {
    if (this.#session && !this.#session.failure) return Promise.resolve(this.#session);
    const failed = this.#starting ? undefined : this.#session;
    if (failed) this.#over ??= this.#limit.reachedAfter(failed);
    if (this.#over) return Promise.reject(this.#over);
    if (failed) this.#ends.push(failed.stop());
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** Ends the driver, also where it is being started. */
  async stop(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await Promise.all([...this.#ends, this.#session?.stop()]);
  }

  async #start(): Promise<DriverSession> {
    const { command, startMs, assume = [], listener } = this.#options;
    try {
      const session = await DriverSession.start(command, startMs, listener);
      const { handshake } = session;
      if (assume.length > 0) session.handshake = { ...handshake, features: [...(handshake.features ?? []), ...assume] };
      return (this.#session = session);
    } catch (error) {
      this.#over = error as Error;
      throw error;
    }
  }
}
