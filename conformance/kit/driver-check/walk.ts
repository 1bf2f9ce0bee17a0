// Walks through the driver protocol with a driver, message by message, and reports the result of each step.

import { commandLine } from "../base/cli-name.ts";
import type { InitializeResult } from "../../../schemas/types.ts";
import { readCatalogue } from "../suite/catalogue.ts";
import { Dialogue, Unexpected } from "./dialogue.ts";
import type { Timing } from "./dialogue.ts";
import type { NamedDriver } from "../driver/command.ts";
import { afterRuns, apart, beforeRuns, runs, shakeHands } from "./steps.ts";
import type { Step } from "./steps.ts";
import { wireSteps } from "./wire-steps.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { startProviderServer } from "../wire/provider-server.ts";
import { wrongIntroduction } from "../driver/check-handshake.ts";
import type { WrongIntroduction } from "../driver/check-handshake.ts";
import { emptyClaims } from "../run/manifest-claims.ts";
import { packageRoot } from "../base/package-root.ts";

/** The result of a step. */
export interface StepOutcome {
  name: string;
  /** The requirement that the step is about, if there is one. */
  requirement?: string;
  verdict: "ok" | "wrong" | "skipped";
  /** How the driver introduced itself, or why the step was skipped. */
  note?: string;
  expected?: string;
  actual?: string;
  /** What both said in this step, as lines. */
  transcript: string[];
}

/** Walks through the protocol. Ends after the first step that leaves nothing to learn; the driver is ended in any case. */
export async function* walkProtocol(driver: NamedDriver, timing: Timing): AsyncGenerator<StepOutcome> {
  const handshake = yield* converse(driver, timing);
  if (!handshake) return;
  const dialogue = new Dialogue(driver.command, timing);
  try {
    for (const step of apart) yield await take(step, dialogue, handshake);
  } finally {
    await dialogue.stop();
  }
}

/** Returns how the driver introduced itself, if it did. */
async function* converse(
  driver: NamedDriver,
  timing: Timing,
): AsyncGenerator<StepOutcome, InitializeResult | undefined> {
  const dialogue = new Dialogue(driver.command, timing);
  try {
    let handshake: InitializeResult | undefined;
    const greeting = { name: "initialize", requirement: "DRIVER-1" };
    const greeted = await attempt(greeting, dialogue, async () => (handshake = await shakeHands(dialogue)));
    yield { ...greeted, ...(handshake && { note: introduction(handshake) }) };
    if (!handshake) return undefined;
    const catalogue = readCatalogue(packageRoot());
    const wrong = wrongIntroduction(handshake, catalogue, driver.manifest);
    if (wrong) yield badIntroduction(wrong);
    for (const claim of emptyClaims(driver, { catalogue })) yield badManifest(claim);
    for (const step of beforeRuns) yield await take(step, dialogue, handshake);
    yield* isWireDriver(handshake) ? converseOnTheWire(dialogue, handshake) : converseInRuns(dialogue, handshake);
    const { whyClosed } = dialogue;
    for (const step of afterRuns)
      yield whyClosed === undefined ? await take(step, dialogue, handshake) : leaveOut([step], whyClosed);
    return handshake;
  } finally {
    await dialogue.stop();
  }
}

/** Where the first run fails, or one is left open, what follows would teach nothing new. */
async function* converseInRuns(dialogue: Dialogue, handshake: InitializeResult): AsyncGenerator<StepOutcome> {
  if (!handshake.seams.includes("generic"))
    return yield leaveOut(runs, `it does not speak the generic seam; its runs are tested with: ${commandLine} test`);
  yield* takeInTurn(runs, dialogue, handshake);
}

/** The kit is the provider, too. */
async function* converseOnTheWire(dialogue: Dialogue, handshake: InitializeResult): AsyncGenerator<StepOutcome> {
  const server = await startProviderServer();
  try {
    yield* takeInTurn(wireSteps(handshake, server), dialogue, handshake);
  } finally {
    await server.stop();
  }
}

async function* takeInTurn(runs: Step[], dialogue: Dialogue, handshake: InitializeResult): AsyncGenerator<StepOutcome> {
  for (const [index, step] of runs.entries()) {
    const note = step.skip?.(handshake);
    const outcome = note === undefined ? await take(step, dialogue, handshake) : leaveOut([step], note);
    yield outcome;
    const rest = runs.slice(index + 1);
    if (outcome.verdict !== "wrong" || rest.length === 0) continue;
    if (index === 0) return yield leaveOut(rest, "the simplest run already fails");
    if (dialogue.whyClosed !== undefined) return yield leaveOut(rest, dialogue.whyClosed);
  }
}

function leaveOut(steps: Step[], note: string): StepOutcome {
  const [first] = steps as [Step];
  const name = steps.length === 1 ? first.name : `${steps.length} steps with runs`;
  return { name, requirement: first.requirement, verdict: "skipped", note, transcript: [] };
}

async function take(step: Step, dialogue: Dialogue, handshake: InitializeResult): Promise<StepOutcome> {
  return await attempt(step, dialogue, () => step.play(dialogue, handshake));
}

async function attempt(
  { name, requirement }: Pick<Step, "name" | "requirement">,
  dialogue: Dialogue,
  play: () => Promise<unknown>,
): Promise<StepOutcome> {
  const begin = dialogue.transcript.length;
  const transcript = () => dialogue.transcript.slice(begin);
  try {
    await play();
    return { name, requirement, verdict: "ok", transcript: transcript() };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    const { expected, message: actual, requirement: broken = requirement } = error;
    return { name, requirement: broken, verdict: "wrong", expected, actual, transcript: transcript() };
  }
}

function badIntroduction({ requirement, message }: WrongIntroduction): StepOutcome {
  const expected = "names that the spec defines, consistent with agent-loop.json";
  return { name: "introduction", requirement, verdict: "wrong", expected, actual: message, transcript: [] };
}

function badManifest(claim: string): StepOutcome {
  const expected = "existing profiles, and a readable list of known failures";
  return { name: "agent-loop.json", verdict: "wrong", expected, actual: `it ${claim}`, transcript: [] };
}

function introduction({ protocol, implementation, seams, features = [], level, verbs = [] }: InitializeResult): string {
  const { name, version, language } = implementation;
  const offered = ["level wire", ...verbs].join(", ");
  const declared = features.length === 0 ? "no features" : features.join(", ");
  const has = level === "wire" ? offered : declared;
  return `protocol ${protocol}, ${name} ${version} (${language}); ${seams.join(", ")}; ${has}`;
}
