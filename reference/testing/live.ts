// Plays one scenario to its end: runs it, resumes it while it is suspended, then continues its session in one more run.

import { agentLoop, resume, type Run } from "../run/run.ts";
import type { State } from "../core/ports.ts";
import { SPEC_VERSION } from "../core/session.ts";
import type { RunSetup } from "../run/setup.ts";
import type { Journal } from "../state/journal-records.ts";
import type { LoopEvent, PendingCall, ResumeDecision, RunResult, Session, Snapshot } from "../../schemas/types.ts";
import { watchStates } from "./record-states.ts";
import type { Resumption, Scenario } from "./scenario.ts";
import { World } from "./scripted-world.ts";

/** One call of `agentLoop` or `resume`, as observed from outside. */
export interface Segment {
  kind: "run" | "refused" | "resume" | "next";
  /** The input: the JSON of the session or snapshot, before and after the run. */
  before: string;
  after: string;
  begun: Session;
  events: LoopEvent[];
  result: RunResult;
  session: Session;
  /** Where the segment began in the records of the world. */
  from: { asked: number; executions: number; moment: number };
  /** The tick of `run_end`. */
  ended: number;
  /** Whether it was cancelled because it made no progress. */
  abandoned: boolean;
}

export interface Life {
  world: World;
  segments: Segment[];
}

/** What a test injects into, and observes of, a life. */
export interface Witness {
  /** The signal of the runs. */
  signal?: AbortSignal;
  /** The journal of the runs. */
  journal?: Journal;
  state?(state: State, segment: Segment["kind"]): unknown;
}

/** Idle ticks after which only the clock can advance the run. */
const PATIENCE = 2;
/** Idle ticks after a cancel that mean that the run hangs. */
const DESPAIR = 200;

/** Pending hashes, computed in another thread: besides the clock, the only thing that a scripted run waits for. */
let digesting = 0;
const { subtle } = crypto;
const { digest } = subtle;
subtle.digest = (...args) => {
  digesting += 1;
  return digest.apply(subtle, args).finally(() => (digesting -= 1));
};

const rejections: unknown[] = [];
process.on("unhandledRejection", (reason) => rejections.push(reason));

/** Loads the lazy modules of a first run, because scripted runs must wait for nothing but the clock. */
export async function warmUp(): Promise<void> {
  const { provider, tools } = new World({
    begin: [],
    options: {},
    answers: [
      {
        stop_reason: "tool_use",
        said: ["read", "strict"].map((name) => ({ type: "tool_call", id: name, name, input: { x: 1 } })),
      },
    ],
    acts: [],
    resumptions: [],
    stepwise: false,
  });
  const session: Session = { spec_version: SPEC_VERSION, id: "s", messages: [{ role: "user", content: "Go." }] };
  await agentLoop({ session, provider, tools }).result;
}

/** Plays a scenario. Throws if a run hangs, or a rejection is unhandled. */
export async function live(scenario: Scenario, witness: Witness = {}): Promise<Life> {
  const world = new World(scenario);
  const segments: Segment[] = [];
  const { tools, provider, clock, conditions: stopWhen } = world;
  const setup: RunSetup = {
    provider,
    tools,
    clock,
    stopWhen,
    options: scenario.options,
    random: () => world.random(),
    newId: () => world.newId(),
    ...(witness.signal && { signal: witness.signal }),
    ...(witness.journal && { journal: witness.journal }),
    ...(scenario.instructions !== undefined && { instructions: scenario.instructions }),
  };
  const pass = async (kind: Segment["kind"], begun: Session, input: unknown, start: () => Run) => {
    watchStates(scenario.stepwise && witness.state ? (state) => witness.state!(state, kind) : undefined);
    segments.push(await watch(kind, begun, input, start, world));
  };

  const session: Session = { spec_version: SPEC_VERSION, id: "s", messages: structuredClone(scenario.begin) };
  await pass("run", session, session, () => agentLoop({ ...setup, session }));
  for (const resumption of scenario.resumptions) {
    const { wrongFirst } = resumption;
    const last = segments.at(-1)!;
    if (last.result.status !== "suspended") break;
    const snapshot = JSON.parse(JSON.stringify(last.result.snapshot)) as Snapshot;
    const decisions = last.result.pending!.map((call) => decisionOf(call, resumption));
    const stray: ResumeDecision = { id: "nobody", action: "respond", output: "?" };
    const wrong = wrongFirst === "missing" ? decisions.slice(1) : [...decisions, stray];
    const go = (kind: Segment["kind"], chosen: ResumeDecision[]) =>
      pass(kind, snapshot.session, snapshot, () => resume({ ...setup, snapshot, decisions: chosen }));
    if (wrongFirst) await go("refused", wrong);
    await go("resume", decisions);
  }
  const last = segments.findLast(({ kind }) => kind !== "refused")!;
  if (last.result.status !== "suspended" && last.result.error?.kind !== "invalid_session") {
    const messages = [...last.session.messages, { role: "user" as const, content: "Once more." }];
    const onward: Session = { ...last.session, messages };
    const { condition: _, ...quiet } = scenario;
    const peace = new World({ ...quiet, answers: [], acts: [] });
    const next = { ...setup, provider: peace.provider, clock: peace.clock, options: {}, stopWhen: [] };
    watchStates(undefined);
    segments.push(await watch("next", onward, onward, () => agentLoop({ ...next, session: onward }), peace));
  }
  // Drain what is late: none of it may reach the loop.
  while (world.advance()) await world.turn();
  await world.turn();
  if (rejections.length > 0) throw new Error(`unhandled rejection: ${String(rejections.splice(0)[0])}`);
  return { world, segments };
}

function decisionOf({ id, why, input_hash }: PendingCall, { action, is_error }: Resumption): ResumeDecision {
  if (action === "skip") return { id, action };
  if (why === "approval" && input_hash !== undefined && action !== "respond") {
    const input = { x: 2 };
    return { id, action: action === "deny" ? "deny" : "approve", input_hash, ...(action === "edit" && { input }) };
  }
  return { id, action: "respond", output: `answer to ${id}`, ...(is_error && { is_error }) };
}

async function watch(
  kind: Segment["kind"],
  begun: Session,
  input: unknown,
  start: () => Run,
  world: World,
): Promise<Segment> {
  const before = JSON.stringify(input);
  const from = { asked: world.asked.length, executions: world.executions.length, moment: world.labels.length };
  const run = start();
  world.person = run;
  world.moment(`${kind} called`);
  const events: LoopEvent[] = [];
  let tick = 0;
  const listening = (async () => {
    for await (const event of run) {
      events.push(event);
      if (event.type === "run_end") tick = world.tick;
      world.moment(`event ${event.type}`);
    }
  })();
  let over = false;
  const ended = Promise.all([run.result, run.session, listening]).then((all) => {
    over = true;
    return all;
  });
  const abandoned = await untilOver(() => over, events, world);
  world.person = undefined;
  const [result, session] = await ended;
  return { kind, begun, before, after: JSON.stringify(input), events, result, session, from, ended: tick, abandoned };
}

/** Advances the world until the run is over; moves the clock when the run is idle, and cancels if that does not help. */
async function untilOver(isOver: () => boolean, events: LoopEvent[], world: World): Promise<boolean> {
  let quiet = 0;
  let abandoned = false;
  let seen = 0;
  while (!isOver()) {
    await world.turn();
    const moved = world.labels.length !== seen;
    seen = world.labels.length;
    quiet = moved ? 0 : quiet + 1;
    if (digesting > 0 || quiet <= PATIENCE || isOver() || events.length === 0) continue; // the first run loads its modules
    if (world.advance()) continue;
    if (!abandoned) {
      abandoned = true;
      world.cancelled ??= world.labels.length;
      world.person?.cancel();
    }
    if (quiet > DESPAIR) throw new Error(`the run does not end; the last events: ${JSON.stringify(events.slice(-3))}`);
  }
  return abandoned;
}
