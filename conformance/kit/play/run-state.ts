// Where one run stands: what was seen of it, what went wrong, whether it is over, and its signs of life.

import type { Failure, InitializeResult } from "../../../schemas/types.ts";
import { Gates } from "./actions.ts";
import { beginObservation } from "../observed/begin-observation.ts";
import type { GenericRequest, ProviderCodec } from "../wire/codec.ts";
import type { ProviderExchange, Reply } from "../wire/provider-types.ts";
import type { FilledCase } from "../suite/fill-case.ts";
import type { Observation } from "../observed/observation.ts";
import type { ProviderServer } from "../wire/provider-server.ts";
import type { RpcConnection } from "../driver/rpc.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { takesBarrier } from "../suite/variant.ts";
import type { Variant } from "../suite/variant.ts";
import { WireTraffic } from "../wire/in-flight.ts";

/** What one run needs. */
export interface CaseRunInput {
  /** Names the run, for the driver and in paths. */
  run: string;
  filled: FilledCase;
  script: ScriptStep[];
  variant: Variant;
  driver: InitializeResult;
  connection: Pick<RpcConnection, "request" | "notify">;
  /** The id of the session that the run begins with. */
  sessionId: string;
  /** What the driver has to send as its API key. */
  apiKey: string;
  /** How streams are cut into pieces: see `cutterOf`. Absent: not at all. */
  split?: number;
  /** The process of the driver, where it is this run's alone and can be ended. */
  process?: { endProcess(): Promise<void> };
  /** The process of the driver at this moment. Absent: it is none of its own, or not known. */
  pid?(): number | undefined;
  /** At which moment the process is ended, counted from 1. Absent: only where an action ends it. */
  endsAt?: number;
  /** Both present on the wire. */
  codec?: ProviderCodec;
  server?: ProviderServer;
}

/** The model on the wire of a run that goes on with a further user message. */
export interface NextModel {
  answer(generic: GenericRequest): Reply;
  refused(exchange: ProviderExchange): void;
}

/** One run as it is at this moment. */
export class RunState {
  readonly input: CaseRunInput;
  readonly seen: Observation;
  readonly gates = new Gates();
  readonly traffic = new WireTraffic();
  /** Whether it can be known that the driver is done with everything: it can be asked, or is watched. */
  readonly hasBarrier: boolean;
  /** Settles when the run has been answered for the last time, or was given up. */
  readonly over: Promise<void>;
  /** Rejects with an error outside of any awaited call. */
  readonly broken: Promise<never>;
  /** How many processes of the driver were ended: what was meant for one of them is not sent to the next. */
  life = 0;
  /** Counts everything that was observed. */
  clock = 0;
  isOver = false;
  /** The case has cancelled the run. */
  isCancelled = false;
  /** The driver has received the cancel, so starting anything now is wrong. */
  hasReceivedCancel = false;
  /** How far the case has moved the clock, in milliseconds. */
  elapsedMs = 0;
  /** Called with every sign of life of the run. */
  onActivity: () => void = () => undefined;
  /** How many requests of the wire the kit has read and not answered whole. */
  serving: () => number = () => 0;
  /** Ends the process of the driver: what is being appended to the journal is lost, or kept. */
  endProcess: (how: "before" | "after") => Promise<void> = () => Promise.reject(new Error("the case has no journal"));
  /** The requirement that is broken where a call is executed again; undefined if none is. */
  repetition: (id: string, name: string) => string | undefined = () => "TOOL-12";
  /** Starts the second run. */
  onRunAgain: () => void = () => undefined;
  /** Starts a run on another session, in which this is said. */
  onRunBeside: (said: string) => void = () => undefined;
  /** Answers the requests on the wire, once the run has ended and the user says the next thing. */
  nextModel: NextModel | undefined;
  #sign = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<never>();

  constructor(input: CaseRunInput) {
    this.input = input;
    this.seen = beginObservation(input);
    this.hasBarrier = takesBarrier(input.driver) || isWireDriver(input.driver);
    this.over = this.#over.promise;
    this.broken = this.#broken.promise;
    this.broken.catch(() => undefined);
  }

  /** Notes a sign of life. */
  tick(): void {
    this.clock += 1;
    this.#sign.resolve();
    this.#sign = Promise.withResolvers();
    this.onActivity();
  }

  /** Settles with the next sign of life, or with the end of the run. */
  async nextSign(): Promise<void> {
    await Promise.race([this.#sign.promise, this.over]);
  }

  /** Notes what was wrong. */
  fail(failures: Failure[]): void {
    this.seen.failures.push(...failures);
  }

  /** Ends the run with an error outside of any awaited call. */
  break(error: unknown): void {
    this.#broken.reject(error);
  }

  /** The run was answered for the last time, or given up. */
  end(): void {
    this.isOver = true;
    this.#over.resolve();
  }

  /** Whether the case moves the clock itself. */
  get usesClock(): boolean {
    const { actions = [] } = this.input.filled.case;
    return actions.some(({ do: act }) => typeof act === "object" && act.advance_ms !== undefined);
  }
}
