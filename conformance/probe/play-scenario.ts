// Plays one scenario to one program: what each request is answered with, when the program is interrupted, and how it is continued.

import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProbeScenario, ProbeStep } from "../../schemas/types.ts";
import type { WireResponse } from "../kit/wire/codec.ts";
import { hosts } from "../kit/wire/hosts.ts";
import { baseUrlOf, baseUrlVariables, dummyKey } from "../traffic/record/environment.ts";
import { providerUpstreams } from "../traffic/record/routes.ts";
import { answerOf, closingAnswer, NotApplicable } from "./answers.ts";
import type { Answer, AnswerContext } from "./answers.ts";
import { filled, filledCommand } from "./agent-files.ts";
import type { FoundAgent, Placeholders } from "./agent-files.ts";
import { ModelServer } from "./model-server.ts";
import type { ConversationRequest, Played, SeenExchange } from "./model-server.ts";
import { Program } from "./program.ts";
import type { ProgramEnd } from "./program.ts";

/** A request of the conversation, and what it was answered with. */
export interface PlayedRequest extends ConversationRequest {
  /** The turn of the user that it belongs to, counted from 1. */
  turn: number;
  /** Which step of the scenario answered it, counted from 1; absent: the text that ends a turn. */
  step?: number;
  answer: Answer;
  seen: SeenExchange;
}

/** Everything that was seen of one scenario. */
export interface ScenarioRun {
  scenario: ProbeScenario;
  requests: PlayedRequest[];
  exchanges: readonly SeenExchange[];
  /** How each turn ended. */
  ends: ProgramEnd[];
  /** Where marks would be. */
  folder: string;
  /** Why the scenario cannot be played to this program. */
  notApplicable?: string;
  /** The words of the command of the first turn, in one of which the user says something. */
  words: readonly string[];
  /** The names of the variables that pointed the program at the server. */
  variables: string[];
  /** The interrupt was sent. */
  interrupted: boolean;
  durationMs: number;
}

/** How a scenario is played. */
export interface PlayOptions {
  agent: FoundAgent;
  scenario: ProbeScenario;
  /** An empty folder, in which the program gets its own. */
  folder: string;
  timeoutMs: number;
  /** Variables of the caller that the program gets. */
  passed: Readonly<Record<string, string>>;
  /** Answers in place of the scenario's steps. */
  answers?: Answering;
  /** A request that began the program's conversation before: what cannot be said to it needs no start of the program. */
  known?: ConversationRequest;
}

/** What answers the requests of a conversation; nothing where the turn is to end. */
export type Answering = (request: ConversationRequest, context: AnswerContext) => Answer | undefined;

const firstPrompt = "Use your tools to look around in this folder, then say that you have finished.";
/** What the model says at the end of the n-th turn: found again where the conversation goes on. */
export const closingText = (turn: number) => `Turn ${turn} is FINISHED.`;
const promptOf = (turn: number) =>
  turn === 1 ? firstPrompt : `This is turn ${turn}: go on, then say that you have finished.`;

/**
 * How long an answer or a tool is under way before the interrupt comes. People and supervisors do not hit the first millisecond, and
 * what a program is just writing down in it would make the verdict one of luck.
 */
const underWayMs = 2000;

/**
 * How long a program has what came of an answer, before it learns that the connection is lost. Networks fall silent before they fail;
 * and whether a program executes what is not whole must not depend on which of two events it receives first.
 */
const lostAfterMs = 1500;

/** A slow program on a busy machine has more time: half of what it took to ask for the first time, and no more than this. */
const mostSlownessMs = 8000;

/** How long a program has to heed an interrupt, before it is ended. */
const patienceMs = 8000;

/** Plays a scenario from the start of the program to its end. */
export async function playScenario(options: PlayOptions): Promise<ScenarioRun> {
  const { scenario, folder, agent } = options;
  const began = performance.now();
  const places = { work: join(folder, "work"), home: join(folder, "home"), temporary: join(folder, "tmp") };
  await Promise.all(Object.values(places).map((path) => mkdir(path, { recursive: true })));
  const stage = new Play(options, places.work);
  const server = await ModelServer.start({
    withoutTools: agent.without_tools === true,
    ...(agent.beside && { beside: agent.beside }),
    play: (request) => stage.play(request, server),
  });
  const base = baseUrlVariables(server.origin, providerUpstreams);
  const ends: ProgramEnd[] = [];
  let firstWords: string[] = [];
  try {
    const turns = scenario.turns ?? (scenario.interrupt ? 2 : 1);
    if (turns > 1 && !agent.continue)
      stage.refuse("the program has no way to continue; give it with --continue, or in its file");
    if (options.known) stage.rehearse(options.known);
    for (let turn = 1; stage.notApplicable === undefined && turn <= turns; turn++) {
      const words = turn === 1 ? agent.command : agent.continue!;
      const placeholders: Placeholders = {
        ...Object.fromEntries(providerUpstreams.map((upstream) => [upstream.name, baseUrlOf(server.origin, upstream)])),
        origin: server.origin,
        work: places.work,
        home: places.home,
        key: dummyKey,
        ...(agent.built !== undefined && { built: agent.built }),
        prompt: turn === 1 ? (agent.prompt ?? firstPrompt) : promptOf(turn),
      };
      if (turn === 1) await writeFiles(agent, placeholders);
      const command = filledCommand(words, agent, placeholders);
      if (turn === 1) firstWords = command;
      const program = new Program({
        command,
        folder: places.work,
        environment: environmentOf(options, places, placeholders, base),
        timeoutMs: options.timeoutMs,
      });
      stage.begin(turn, program);
      ends.push(await program.ended);
      if (ends.at(-1)!.timedOut) break;
    }
  } finally {
    stage.end();
    await server.stop();
  }
  return {
    scenario,
    requests: stage.requests,
    exchanges: server.exchanges,
    ends,
    folder: places.work,
    words: firstWords,
    variables: Object.keys(base),
    interrupted: stage.interrupted,
    durationMs: performance.now() - began,
    ...(stage.notApplicable !== undefined && { notApplicable: stage.notApplicable }),
  };
}

/** The part of the model in one scenario. */
class Play {
  readonly #options: PlayOptions;
  readonly #steps: ProbeStep[];
  readonly #work: string;
  readonly #over = new AbortController();
  #turn = 1;
  #began = 0;
  #slownessMs: number | undefined;
  #program: Program | undefined;
  #taken = 0;
  #calls = 0;
  readonly requests: PlayedRequest[] = [];
  notApplicable: string | undefined;
  interrupted = false;

  constructor(options: PlayOptions, work: string) {
    this.#options = options;
    this.#work = work;
    this.#steps = options.scenario.model.flatMap((step) => Array.from({ length: step.times ?? 1 }, () => step));
  }

  begin(turn: number, program: Program): void {
    this.#turn = turn;
    this.#program = program;
    if (turn === 1) this.#began = performance.now();
  }

  end(): void {
    this.#over.abort();
  }

  refuse(reason: string): void {
    this.notApplicable ??= reason;
  }

  /** Finds out whether every step can be said to a program that begins like this. */
  rehearse(request: ConversationRequest): void {
    try {
      for (const step of this.#options.answers ? [] : this.#steps) answerOf(step, this.#contextOf(request));
    } catch (error) {
      if (!(error instanceof NotApplicable)) throw error;
      this.refuse(error.message);
    }
  }

  play(request: ConversationRequest, server: ModelServer): Played {
    this.#slownessMs ??= Math.min(mostSlownessMs, (performance.now() - this.#began) / 2);
    const step = this.#options.answers ? undefined : this.#nextStep();
    const answer = this.#answer(request, step);
    this.#calls += answer.calls.length;
    const seen = server.exchanges.at(-1)!;
    this.requests.push({ ...request, turn: this.#turn, answer, seen, ...(step && { step: this.#taken }) });
    return { wire: answer.wire, ...this.#paceOf(answer), ...(step && this.#interruptions(answer)) };
  }

  /** When the pieces of an answer come. */
  #paceOf({ pauseMs, wire }: Answer): Pick<Played, "afterWrite"> {
    if (pauseMs !== undefined) return { afterWrite: () => this.#wait(pauseMs) };
    if (wire.reset !== true) return {};
    return {
      afterWrite: (count) =>
        count === wire.writes.length ? this.#wait(lostAfterMs + (this.#slownessMs ?? 0)) : undefined,
    };
  }

  /** Waits, but no longer than the scenario takes. */
  async #wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#over.signal }).catch(() => {});
  }

  /** Before an interrupt the model follows its script; what comes after it ends the turn. */
  #nextStep(): ProbeStep | undefined {
    if (this.notApplicable !== undefined || (this.interrupted && this.#turn > 1)) return undefined;
    const step = this.#steps[this.#taken];
    if (step) this.#taken += 1;
    return step;
  }

  #contextOf(request: ConversationRequest): AnswerContext {
    const { roles, safe } = this.#options.agent;
    return {
      ...request,
      tools: request.generic.tools,
      model: request.generic.model,
      answers: this.requests.length,
      calls: this.#calls,
      markOf: (call) => join(this.#work, `probe-mark-${call}`),
      ...(roles && { roles }),
      ...(safe && { safe }),
    };
  }

  #answer(request: ConversationRequest, step: ProbeStep | undefined): Answer {
    const context = this.#contextOf(request);
    try {
      const answer = step ? answerOf(step, context) : this.#options.answers?.(request, context);
      return answer ?? closingAnswer(context, closingText(this.#turn));
    } catch (error) {
      if (!(error instanceof NotApplicable)) throw error;
      this.refuse(error.message);
      return closingAnswer(context, closingText(this.#turn));
    }
  }

  /** What is to happen while the answer is written: nothing, unless this is the moment of the interrupt. */
  #interruptions({ calls, wire }: Answer): Pick<Played, "afterWrite" | "beforeEnd"> {
    const { interrupt } = this.#options.scenario;
    if (!interrupt || this.interrupted) return {};
    const program = this.#program;
    const signal = () => {
      // Who has ended meanwhile was not interrupted.
      if (this.interrupted || program?.isRunning !== true) return;
      this.interrupted = true;
      program.signal(interrupt.signal);
      const unheeded = setTimeout(() => program.kill(), patienceMs);
      this.#over.signal.addEventListener("abort", () => clearTimeout(unheeded));
      void program.ended.then(() => clearTimeout(unheeded));
    };
    if (interrupt.during === "tool") {
      const [call] = calls.flatMap(({ mark }) => mark ?? []);
      if (call !== undefined) void this.#whenThere(call, () => void this.#later(signal));
      return {};
    }
    const half = halfOf(wire);
    // The rest is never sent: the program is gone before, or gives up waiting.
    const hold = async (count: number) => {
      if (count < half) return;
      await this.#later(signal);
      await once(this.#over.signal);
    };
    return half === 0 ? { beforeEnd: () => hold(0) } : { afterWrite: hold };
  }

  /** Calls back when what is under way has been so for a while. */
  async #later(callback: () => void): Promise<void> {
    await this.#wait(underWayMs + (this.#slownessMs ?? 0));
    if (!this.#over.signal.aborted) callback();
  }

  /** Calls back when a file is there. The program that makes it is another process, and says nothing. */
  async #whenThere(file: string, callback: () => void): Promise<void> {
    while (!this.#over.signal.aborted) {
      if (existsSync(file)) return callback();
      await sleep(20);
    }
  }
}

/** After how many writes half of an answer is sent; 0 for one that is a single write. */
function halfOf({ writes }: WireResponse): number {
  return Math.floor(writes.length / 2);
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function writeFiles({ files = {} }: FoundAgent, placeholders: Placeholders): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = filled(path, placeholders);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, filled(text, placeholders));
  }
}

/** Nothing of the caller but what lets programs start at all, and what was named. @see PROBE-3 */
function environmentOf(
  { agent, passed }: PlayOptions,
  { home, temporary }: { home: string; temporary: string },
  placeholders: Placeholders,
  base: Readonly<Record<string, string>>,
): Record<string, string> {
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  const keys = Object.fromEntries(hosts.flatMap(({ keyVariables }) => keyVariables.map((name) => [name, dummyKey])));
  const own = Object.entries(agent.env ?? {}).map(([name, text]) => [name, filled(text, placeholders)]);
  const local = { NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" };
  const handedOn = (agent.pass ?? []).flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...{ PATH, LANG, TERM: "dumb", HOME: home, TMPDIR: temporary, ...local, ...keys, ...base },
    ...(Object.fromEntries(handedOn) as Record<string, string>),
    ...passed,
    ...(Object.fromEntries(own) as Record<string, string>),
  };
}
