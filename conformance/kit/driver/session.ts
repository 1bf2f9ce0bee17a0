// One session of a driver process: its handshake, its runs in flight, and how they fail when it dies.

import type { InitializeResult } from "../../../schemas/types.ts";
import { DriverCrash, DriverTimeout, ProtocolError, startError, withStderr } from "./errors.ts";
import { DriverProcess, describeExit } from "./process.ts";
import type { DriverEnd, DriverExit, DriverStart, ProcessListener } from "./types.ts";
import { protocolVersion, specVersion } from "../base/protocol.ts";
import type { DriverNotification, DriverRequest } from "../base/protocol.ts";
import { refuseRequest } from "./refuse-request.ts";
import { RpcConnection } from "./rpc.ts";
import type { Reply } from "./rpc.ts";
import { firstRunOf } from "./run-names.ts";
import { heldUpMs } from "./held-up.ts";
import { RunWatch } from "./run-timeout.ts";
import type { RunTimes } from "./run-timeout.ts";
import { TimeLimit, comesBefore } from "./time-limit.ts";

/** Receives what no run in flight is to blame for. */
export interface SessionListener {
  /** A message about a run that had ended, or an exit of the process while nothing was in flight. `run` names the run to blame. */
  lateMessage(run: string, error: Error): void;
  /** The process did not end as it was asked to, which is the fault of no run. `run` names the last that it has played. */
  endedBadly?(run: string, requirement: EndRequirement, error: Error): void;
  /** A process was started; nothing is sent to it until the returned promise settles. */
  started?(pid: number | undefined): Promise<void> | void;
}

/** What a driver breaks that does not end as it is asked to: it says something else, dies instead of answering, or ends with an error. */
export type EndRequirement = "DRIVER-3" | "DRIVER-20" | "DRIVER-35";

/** What a session plays: one run, which talks with the driver through the session until it has its last answer. */
export interface Playable {
  /** Plays the run to its end. */
  play(): Promise<unknown>;
  /** Takes a request of the driver that names the run. */
  request(method: DriverRequest, params: unknown, reply: Reply): void;
  /** Takes a notification of the driver that names the run. */
  notification(method: DriverNotification, params: unknown): void;
  /** Called on every sign of life of the run. */
  set onActivity(listener: () => void);
}

interface Flight {
  run: Playable;
  abort(error: Error): void;
  /** Notes a sign of life of a run that was given up. */
  sign(): void;
  /** Whether the driver has said anything of the run. */
  hasActivity: boolean;
  /** The kit has given it up, and waits until the driver has let go of it. */
  isGivenUp: boolean;
  messages: number;
}

/** The limit of driver messages per run; they are kept until the run is judged. */
const maxMessages = 100_000;
/** How long a driver that ends has to answer `shutdown`, in milliseconds. */
const shutdownMs = 1000;

/** A driver that was started and has introduced itself. */
export class DriverSession {
  readonly #process: DriverEnd;
  readonly #connection: RpcConnection;
  readonly #listener: SessionListener;
  readonly #flights = new Map<string, Flight>();
  readonly #finished = new Set<string>();
  /** Runs that the kit has given up; their late messages are ignored. */
  readonly #abandoned = new Set<string>();
  #lastFinished: string | undefined;
  #failure: Error | undefined;
  #runsInFlight = 0;
  #suspectedRun: string | undefined;
  /** Whether a run that had been given up was in flight when the session failed. */
  #failedAfterGivenUp = false;
  /** Whether the driver has answered a run that the kit had given up. */
  #hasLetGo = false;
  #isStopping = false;
  /** The first thing on stdout, after the driver was asked to end, that is no message. */
  #lastWords: ProtocolError | undefined;
  handshake!: InitializeResult;
  /** How long it took from the start of the process to its handshake, in milliseconds. */
  startMs = 0;

  private constructor(command: DriverStart, listener: SessionListener) {
    this.#listener = listener;
    const processListener: ProcessListener = {
      line: (line) => this.#receive(line),
      unreadable: (why, line) => this.#broken(new ProtocolError(why, line)),
      exit: (exit) => this.#exited(exit),
    };
    this.#process =
      typeof command === "function" ? command(processListener) : new DriverProcess(command, processListener);
    this.#connection = new RpcConnection((line) => this.#process.write(line), {
      request: (method, params, reply) => this.#request(method, params, reply),
      notification: (method, params) => this.#notification(method, params),
      protocolError: (error) => this.#broken(error),
    });
  }

  /**
   * Starts a driver and shakes hands.
   * @param timeoutMs how long it has to answer
   * @throws StartError if it does not get there
   */
  static async start(command: DriverStart, timeoutMs: number, listener: SessionListener): Promise<DriverSession> {
    const begun = performance.now();
    const session = new DriverSession(command, listener);
    await listener.started?.(session.pid);
    try {
      const params = { protocol: protocolVersion, spec: specVersion };
      const answer = session.#connection.request("initialize", params);
      if (!(await comesBefore(answer, new TimeLimit(timeoutMs), session.pid)))
        throw new DriverTimeout(`it did not answer initialize within ${timeoutMs} ms${session.#process.silence}`);
      session.handshake = asDeclared((await answer) as InitializeResult);
      session.startMs = performance.now() - begun;
      return session;
    } catch (error) {
      const cause = session.#failure ?? (error as Error);
      await session.#process.kill();
      throw startError(cause, command, session.#process.stderr);
    }
  }

  /** Why the session is unusable; undefined while it is usable. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Whether a run completed that is not to blame for the session's failure. */
  get hasCompletedRuns(): boolean {
    const isLastToBlame = this.#failure !== undefined && (this.#runsInFlight === 0 || this.#suspectedRun !== undefined);
    return this.#hasLetGo || this.#finished.size > (isLastToBlame ? 1 : 0);
  }

  /** How many runs were in flight when the session failed. */
  get runsInFlight(): number {
    return this.#runsInFlight;
  }

  /** Whether it is known which run is to blame for the failure of the session: one that had broken the protocol before. */
  get failedAfterGivenUp(): boolean {
    return this.#failedAfterGivenUp;
  }

  /** The run that had ended last, where the session failed before the driver had said anything of the only run in flight. */
  get suspectedRun(): string | undefined {
    return this.#suspectedRun;
  }

  /** Absent where the driver is no process of its own. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  get connection(): Pick<RpcConnection, "request" | "notify"> {
    return this.#connection;
  }

  /**
   * Plays a run to its end. One that cannot go on is given up; then it resolves when the driver has answered it, or was ended because it did not.
   * @see KIT-30
   * @throws ProtocolError, DriverError, DriverCrash or DriverTimeout; after a crash, a hang or a message that names no run the session has `failure`
   */
  async play(name: string, run: Playable, times: RunTimes): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const giveUp = (why: string) => {
      const owed = this.#connection.unanswered(name).join(" and ");
      const { silence, stderr } = this.#process;
      this.#fail(new DriverTimeout(withStderr(`${why}; the driver has not answered ${owed}${silence}`, stderr)));
    };
    const watch = new RunWatch(times, giveUp, () => heldUpMs([this.pid, process.pid]));
    const flight: Flight = {
      run,
      abort: aborted.reject,
      hasActivity: false,
      isGivenUp: false,
      messages: 0,
      sign: () => watch.sign(),
    };
    run.onActivity = () => {
      watch.sign();
      flight.hasActivity = true;
    };
    this.#flights.set(name, flight);
    try {
      await Promise.race([run.play(), aborted.promise]);
      this.#finished.add(name);
      this.#lastFinished = name;
    } catch (error) {
      const cause = this.#failure ?? error;
      this.#abandoned.add(name);
      await this.#giveUp(name, flight);
      throw cause;
    } finally {
      watch.end();
      this.#flights.delete(name);
    }
  }

  /** Waits until the driver has answered a run that cannot go on: one that it still plays would hear of the next run as of its own. */
  async #giveUp(name: string, flight: Flight): Promise<void> {
    if (this.#failure) return;
    flight.isGivenUp = true;
    await this.#connection.settled(name);
    this.#hasLetGo ||= this.failure === undefined;
  }

  /** Ends the driver and everything that it left behind. */
  async stop(): Promise<void> {
    if (this.#failure) return this.#process.kill();
    this.#isStopping = true;
    const wasInterrupted = this.#flights.size > 0;
    // What it answers does not matter: the process is ended in any case.
    const answered = this.#connection.request("shutdown", {}).then(
      () => "answered" as const,
      (error: unknown) => (error instanceof DriverCrash ? "died" : "answered"),
    );
    const isInTime = await comesBefore(answered, new TimeLimit(shutdownMs), this.pid);
    const how = isInTime ? await answered : "late";
    const exit = await this.#process.stop();
    this.#connection.close(new DriverCrash("the driver was stopped"));
    if (!wasInterrupted) this.#judgeEnd(how, exit);
  }

  /** Time alone proves nothing here: a driver that is slow to answer, or to end, is ended. @see KIT-41 */
  #judgeEnd(how: "answered" | "died" | "late", exit: DriverExit | undefined): void {
    const run = this.#lastFinished;
    if (run === undefined) return;
    const blame = (requirement: EndRequirement, error: Error) => this.#listener.endedBadly?.(run, requirement, error);
    if (this.#lastWords) blame("DRIVER-3", this.#lastWords);
    if (exit === undefined || (how !== "died" && exit.code === 0)) return;
    const why = withStderr(`the driver ${describeExit(exit)}`, this.#process.stderr);
    blame(how === "died" ? "DRIVER-20" : "DRIVER-35", new DriverCrash(why));
  }

  #receive(line: string): void {
    try {
      this.#connection.receive(line);
    } catch (error) {
      // The kit's own fault: runs in flight fail with it, and the kit continues.
      this.#fail(error as Error);
    }
  }

  /** The run in flight that a message is about; fails it if it has exceeded the limit of messages. */
  #flightOf(run: string): Flight | undefined {
    const flight = this.#flights.get(firstRunOf(run));
    if (flight?.isGivenUp) flight.sign();
    if (flight && ++flight.messages > maxMessages)
      this.#fail(new DriverTimeout(`the run did not end within ${maxMessages} messages of the driver`));
    return flight;
  }

  #request(method: DriverRequest, params: unknown, reply: Reply): void {
    const { run } = params as { run: string };
    const flight = this.#flightOf(run);
    if (flight?.isGivenUp) return refuseRequest(run, method, reply);
    if (flight) return flight.run.request(method, params, reply);
    reply.error(`the run ${run} is not in flight`);
    this.#afterEnd(run, method);
  }

  #notification(method: DriverNotification, params: unknown): void {
    const { run } = params as { run: string };
    const flight = this.#flightOf(run);
    if (flight?.isGivenUp) return;
    // The answer is the last word of a run, however soon after it the kit judges.
    if (flight && method === "event" && !this.#isPlaying(run)) return this.#late(run, method);
    if (flight) return flight.run.notification(method, params);
    this.#afterEnd(run, method);
  }

  /** Whether the driver owes the answer of a run, or of one that is started beside or after it. */
  #isPlaying(run: string): boolean {
    return this.#connection.unanswered(firstRunOf(run)).some((method) => ["run", "resume", "recover"].includes(method));
  }

  #afterEnd(named: string, method: string): void {
    const run = firstRunOf(named);
    if (this.#abandoned.has(run)) return;
    if (!this.#finished.has(run))
      return this.#broken(
        new ProtocolError(
          `${method} names the run ${run}, which the kit never started`,
          JSON.stringify({ method, params: { run } }),
        ),
      );
    this.#late(run, method);
  }

  #late(named: string, method: string): void {
    const run = firstRunOf(named);
    const line = JSON.stringify({ method, params: { run } });
    this.#listener.lateMessage(run, new ProtocolError(`the driver sent ${method}`, line, run));
  }

  #broken(error: ProtocolError): void {
    if (this.#isStopping) this.#lastWords ??= error;
    const run = error.run === undefined ? undefined : firstRunOf(error.run);
    const flight = run === undefined ? undefined : this.#flights.get(run);
    if (flight) return flight.abort(error);
    if (run !== undefined && this.#finished.has(run)) return this.#listener.lateMessage(run, error);
    this.#fail(error);
  }

  #exited(exit: DriverExit): void {
    if (!this.#isStopping)
      this.#fail(new DriverCrash(withStderr(`the driver ${describeExit(exit)}`, this.#process.stderr)));
    this.#connection.close(new DriverCrash(`the driver ${describeExit(exit)}`));
  }

  /** The driver is unusable. Runs in flight fail with this error; if there are none, the run that ended last is to blame. */
  #fail(error: Error): void {
    if (this.#failure || this.#isStopping) return;
    this.#failure = error;
    const flights = [...this.#flights.values()];
    this.#runsInFlight = flights.length;
    this.#failedAfterGivenUp = flights.some(({ isGivenUp }) => isGivenUp);
    if (flights.length === 1 && !this.#failedAfterGivenUp && !flights[0]!.hasActivity && error instanceof DriverCrash)
      this.#suspectedRun = this.#lastFinished;
    if (flights.length === 0 && this.#lastFinished !== undefined) this.#listener.lateMessage(this.#lastFinished, error);
    for (const flight of flights) flight.abort(error);
    this.#connection.close(error);
    void this.#process.kill();
  }
}

/** What a driver declares, said and unsaid: one of level wire reports nothing. */
function asDeclared(handshake: InitializeResult): InitializeResult {
  return handshake.level === "wire" ? { ...handshake, reports: [] } : handshake;
}
