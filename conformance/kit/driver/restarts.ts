// Restarts a driver in a run of the suite after each failure, up to the limit.

import { DriverSession } from "./session.ts";
import type { SessionListener } from "./session.ts";
import type { DriverStart } from "./types.ts";
import type { InitializeResult } from "../../../schemas/types.ts";
import { changedIntroduction } from "./check-handshake.ts";
import { StartError } from "./errors.ts";
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

/** Starts a driver, and restarts it after it has died. */
export class Restarts {
  readonly #options: RestartOptions;
  readonly #limit = new RestartLimit();
  #session: DriverSession | undefined;
  /** What the driver said of itself when it was started first. */
  #first: InitializeResult | undefined;
  #starting: Promise<DriverSession> | undefined;
  /** Pending stops of failed sessions: a process that ignores signals may outlive its successor. */
  readonly #ends: Promise<void>[] = [];
  /** Why it is not restarted any more. */
  #over: Error | undefined;

  constructor(options: RestartOptions) {
    this.#options = options;
  }

  /**
   * The live session; a new one if the last one died.
   * @throws StartError if it does not start, or the last failure once the limit is reached
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

  /** Ends the driver, even while it is being started. */
  async stop(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await Promise.all([...this.#ends, this.#session?.stop()]);
  }

  async #start(): Promise<DriverSession> {
    const { command, startMs, assume = [], listener } = this.#options;
    try {
      const session = await DriverSession.start(command, startMs, listener);
      const { handshake } = session;
      this.#first ??= handshake;
      const changed = changedIntroduction(this.#first, handshake);
      if (changed !== undefined) {
        await session.stop();
        throw new StartError(changed);
      }
      session.handshake = assuming(handshake, assume);
      return (this.#session = session);
    } catch (error) {
      this.#over = error as Error;
      throw error;
    }
  }
}

/** An introduction in which features count as declared that are not. */
export function assuming(handshake: InitializeResult, features: readonly string[]): InitializeResult {
  return features.length === 0 ? handshake : { ...handshake, features: [...(handshake.features ?? []), ...features] };
}
