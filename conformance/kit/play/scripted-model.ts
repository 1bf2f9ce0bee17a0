// The scripted model of a case: assigns each request to a run, checks that it is allowed, and picks the entry that answers it.

import { isExtension } from "../base/extension-name.ts";
import type { Failure } from "../../../schemas/types.ts";
import { checkGuardedRequest } from "../checks/guardrails.ts";
import { checkEvaluated } from "../checks/instructions.ts";
import type { ScriptedResponse } from "../wire/codec.ts";
import { counted } from "../base/plural.ts";
import { underDeclaredNames } from "../suite/declared-names.ts";
import { breach } from "../base/failures.ts";
import { followUpOf, isToGoOn } from "../observed/follow-up.ts";
import { withinBounds } from "../observed/within-bounds.ts";
import type { GivenAnswer, Observation, ObservedRequest, Subrun } from "../observed/observation.ts";
import { offeredTools } from "../observed/output-tool.ts";
import { lostAgain, mayAskAgain, mostLosses } from "./after-loss.ts";
import { checkToolsEvaluated } from "./dynamic-tools.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import type { RunContext } from "./run-context.ts";
import { modelOf } from "../suite/script.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { askingRun } from "../observed/subruns.ts";

/** A request of the model, and what the case has for it. */
export interface ModelCall {
  /** The run that asks: that of the case, or that of a subagent. */
  run: Observation;
  /** Which request of the case it is, from 1. */
  number: number;
  /** The index of the model entry that answers it, if there is one. */
  entry?: number;
  /** It asks for a summary. */
  isSummary: boolean;
}

type SaidStep = Extract<ScriptStep, { kind: "response" }>;

/** How often a loop may ask again after a cut. */
const mostAsked = 3;

/** The model entries of one run, in the order in which they are asked for. */
export class ScriptedModel {
  readonly #run: RunContext;
  /** How often each agent asked; the run itself under "". */
  readonly #callCounts = new Map<string, number>();

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** The process that had been given more answers has ended: the next request gets the one after these. */
  rewind(answers: number): void {
    const { script } = this.#run.input;
    const own = this.#entriesOf("");
    let requested = 0; // what failed was asked for, and is no answer
    for (let left = answers; left > 0 && requested < own.length; requested += 1)
      if (script[own[requested]!]?.kind === "response") left -= 1;
    this.#callCounts.set("", requested);
  }

  /** Takes a request that can be read: finds whose it is, and what answers it. */
  assign(request: ObservedRequest): ModelCall {
    const { seen, input } = this.#run;
    const { model } = input.filled.case;
    const run = askingRun(seen, request);
    const agent = "agent" in run ? (run as Subrun).agent : "";
    const count = this.#callCounts.get(agent) ?? 0;
    this.#callCounts.set(agent, count + 1);
    const own = this.#entriesOf(agent);
    const entry = own[count] ?? (model.at(-1)?.repeat && !mayAskAgain(input) ? own.at(-1) : undefined);
    const isSummary = entry !== undefined && model[entry]!.summary === true;
    const number = this.record({ ...request, ...(isSummary && { summary: true as const }) }, run);
    return { run, number, ...(entry !== undefined && { entry }), isSummary };
  }

  /** The indexes of the entries that answer an agent; the run itself is "". */
  #entriesOf(agent: string): number[] {
    const { model } = this.#run.input.filled.case;
    return model.flatMap((entry, index) => ((entry.agent ?? "") === agent ? [index] : []));
  }

  /** Keeps a request, and checks whether any may come now. Returns which one it is, from 1. */
  record(request: ObservedRequest, run: Observation): number {
    const { seen, actions, isOver, hasReceivedCancel } = this.#run;
    seen.requests.push(request);
    if (run !== seen) run.requests.push(request);
    const number = ++actions.sightings.requests;
    const evaluated = [...checkEvaluated(seen, number), ...checkToolsEvaluated(seen, number)];
    this.#run.fail([...checkGuardedRequest(run, number), ...evaluated]);
    if (hasReceivedCancel) this.#run.fail([breach("CANCEL-2", `model request ${number} arrived after the cancel`)]);
    else if (isOver) this.#run.fail([breach("LOOP-28", `model request ${number} arrived after the result`)]);
    return number;
  }

  /**
   * The answer to a request, when everything that the case does at that moment is done.
   * @param tools what the request declared
   */
  async next(
    { run, number, entry = -1 }: ModelCall,
    tools: readonly { name: string }[],
  ): Promise<ScriptStep | undefined> {
    const { input, seen } = this.#run;
    await this.#run.fire();
    const step = input.script[entry] ?? this.#afterCut(number) ?? this.#afterLoss(number);
    if (!step) {
      if (mayAskAgain(input)) return undefined;
      for (const one of [seen, run]) one.disturbed = true;
      const answers = `the case has only ${counted(input.script.length, "answer")}`;
      const why = run === seen ? answers : `the case has no further answer for the agent ${(run as Subrun).agent}`;
      const message = `the model was called ${counted(number, "time")}, but ${why}`;
      this.#run.fail([{ code: "unmatched_request", message, expected: input.script.length, received: number }]);
      return undefined;
    }
    if (step.kind !== "response") return step;
    const called = underDeclaredNames(step.response, offeredTools(run), tools);
    this.#run.fail(this.#undeclared(input.variant.seam === "generic" ? step.response : called, run, tools));
    return step;
  }

  /**
   * What the model says to a loop of level wire that asks again after a text was cut off, where the spec's own loop would have ended:
   * which of the two a loop does is observed, and no fault.
   */
  #afterCut(number: number): ScriptStep | undefined {
    const { driver, filled, script } = this.#run.input;
    const isCut = filled.case.expect.status === "max_tokens";
    if (!isWireDriver(driver) || !isCut || number > script.length + mostAsked) return undefined;
    const usage = {
      input_tokens: 211,
      output_tokens: 7,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
    };
    const text = { parts: [{ text: "That was all." }], stop_reason: "end_turn" as const, usage };
    return {
      kind: "response",
      response: { ...text, model: modelOf(driver, this.#run.input.variant.seam), id: `more-${number}` },
    };
  }

  /** Whether a loop asks again after an answer that was lost is its own affair, as long as it ends at some time. */
  #afterLoss(number: number): ScriptStep | undefined {
    const { input, seen } = this.#run;
    if (!mayAskAgain(input)) return undefined;
    seen.askedAfterLoss += 1;
    return number <= input.script.length + mostLosses ? lostAgain(input.script.at(-1)!, number) : undefined;
  }

  /** The model can only call tools that the request declared. */
  #undeclared({ parts }: ScriptedResponse, run: Observation, tools: readonly { name: string }[]): Failure[] {
    const own = new Set(offeredTools(run).map(({ name }) => name));
    const declared = new Set(tools.map(({ name }) => name));
    const called = parts.flatMap((part) => ("tool_call" in part ? [part.tool_call.name] : []));
    return called
      .filter((name) => own.has(name) && !declared.has(name))
      .map((name) => {
        const message = `the model is about to call ${name}, but the request did not declare it`;
        return breach("LOOP-4", message, { expected: name, received: [...declared] });
      });
  }

  /** Keeps an answer that the model gave whole: `messages` are what a correct adapter makes of it. */
  answered({ response, summary }: SaidStep, messages: GivenAnswer["messages"], run: Observation): void {
    if (summary) return void run.summaries.push({ response });
    const kept = withinBounds(messages, run.filled.case);
    if (!kept) {
      run.disturbed = true;
      return run.expected.respondOpenly();
    }
    run.answers.push({
      response,
      messages,
      stopReason: isExtension(response.stop_reason) ? "other" : response.stop_reason,
    });
    run.expected.respond(kept, followUpOf(response, run.filled.case.given.options));
    if (isToGoOn(response)) run.expected.paused();
    if ("within" in run) answeredBy(run as Subrun);
  }

  /** Keeps that a request got no answer, or not all of it. */
  failed(step: ScriptStep, run: Observation): void {
    if (step.kind === "fault" && step.summary) return void run.summaries.push({});
    run.disturbed = true;
    run.expected.callFailed();
  }
}

/** The text of a subagent that has nothing more to do is the result of its call. What another ending becomes is the loop's affair. */
function answeredBy(run: Subrun): void {
  const { messages, stopReason } = run.answers.at(-1)!;
  if (messages.some((message) => message.type === "tool_call") || stopReason === "pause") return;
  run.hasEnded = true;
  if (stopReason !== "end_turn") return;
  const output = messages.flatMap((message) => (message.role === "assistant" ? [message.content] : [])).join("");
  run.within.expected.answered(run.path.at(-1)!, { output });
}
