// The processes of the driver in which cases are played that end them: one case at a time.

import { MortalDriver } from "../driver/mortal.ts";
import { DriverSession } from "../driver/session.ts";
import type { SessionListener } from "../driver/session.ts";
import type { InitializeResult } from "../../../schemas/types.ts";
import { changedIntroduction } from "../driver/check-handshake.ts";
import { StartError } from "../driver/errors.ts";
import { assuming } from "../driver/restarts.ts";
import type { DriverStart } from "../driver/types.ts";

/** A session with a driver whose process can be ended. */
export interface OwnProcess {
  session: DriverSession;
  process: { endProcess(): Promise<void> };
  /** Whether another case was played in it before. */
  isUsed: boolean;
}

/** How a driver is started. */
export interface OwnProcessOptions {
  command: DriverStart;
  /** How long it may take, in milliseconds. */
  startMs: number;
  /** Features that count as declared although they are not. */
  assume: readonly string[];
  listener: SessionListener;
}

/** To start a driver takes longer than to play most cases: a process that is left alive after a case is there for the next one. */
export class OwnProcesses {
  readonly #options: OwnProcessOptions;
  readonly #idle: OwnProcess[] = [];
  #isOver = false;

  constructor(options: OwnProcessOptions) {
    this.#options = options;
  }

  /**
   * A process in which nothing else is played until it is given back.
   * @param first what the driver said of itself when it was started first
   * @throws StartError if it does not get there, or is another driver now
   */
  async take(first: InitializeResult): Promise<OwnProcess> {
    const left = this.#idle.pop();
    if (!left) return await this.start(first);
    if (!left.session.failure) return left;
    // It has ended meanwhile, and the case before it has been reported already.
    await left.session.stop();
    return await this.take(first);
  }

  /**
   * A process in which nothing was played.
   * @param first what the driver said of itself when it was started first
   * @throws StartError if it does not get there, or is another driver now
   */
  async start(first: InitializeResult): Promise<OwnProcess> {
    const { command, startMs, assume, listener } = this.#options;
    let process: MortalDriver | undefined;
    const open = (received: ConstructorParameters<typeof MortalDriver>[1]) =>
      (process = new MortalDriver(command, received));
    const session = await DriverSession.start(open, startMs, listener);
    session.handshake = assuming(session.handshake, assume);
    const changed = changedIntroduction(first, session.handshake);
    if (changed !== undefined) {
      await session.stop();
      throw new StartError(changed);
    }
    return { session, process: process!, isUsed: false };
  }

  /** Keeps a process for the next case, unless it can no longer be used, or there is none. */
  async giveBack(own: OwnProcess): Promise<void> {
    own.isUsed = true;
    if (own.session.failure || this.#isOver) await own.session.stop();
    else this.#idle.push(own);
  }

  /** Ends those that were given back, and the others as soon as they are. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#idle.splice(0).map(({ session }) => session.stop()));
  }
}
