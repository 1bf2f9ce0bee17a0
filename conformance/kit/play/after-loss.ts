// What a loop of level wire receives that asks again after an answer was lost: it is lost again, a few times.

import type { Message } from "../../../schemas/types.ts";
import { usualId } from "../wire/shared/faults.ts";
import type { ScriptedPart, ScriptedResponse } from "../wire/codec.ts";
import { isStreamType } from "../wire/transports-by-type.ts";
import type { CaseRunInput } from "./run-state.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import { modelOf } from "../suite/script.ts";
import { isWireDriver } from "../suite/wire-driver.ts";

/** How often the same answer is lost again. */
export const mostLosses = 3;

/** Reasoning is sent only with something behind it, which the loop finds for itself. @see RESPONSES-4 */
const followsAnyItem: Message = { role: "assistant", content: "(lost)" };

const uncounted = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** What a stream has that the provider has ended, well or badly. */
const ending =
  /"type":"message_stop"|"finish_reason":"|"type":"response\.(?:completed|incomplete|failed)"|"error":[{"]|"type":"error"/;

/** Whether a loop may ask again where the case has nothing more to say: what it asked for last never came to its end. */
export function mayAskAgain({ driver, script }: Pick<CaseRunInput, "driver" | "script">): boolean {
  const last = script.at(-1);
  return isWireDriver(driver) && last !== undefined && isLost(last);
}

/**
 * The answer that is lost again.
 * @param number which request of the run it answers: a provider gives a new id to each response, and a model to each call that it makes
 */
export function lostAgain(step: ScriptStep, number: number): ScriptStep {
  const anew = (parts: readonly ScriptedPart[]): ScriptedPart[] =>
    parts.map((part) =>
      "tool_call" in part && part.tool_call.id
        ? { ...part, tool_call: { ...part.tool_call, id: `${part.tool_call.id}n${number}` } }
        : part,
    );
  switch (step.kind) {
    case "response":
      return {
        ...step,
        response: { ...step.response, id: `${step.response.id}n${number}`, parts: anew(step.response.parts) },
      };
    case "fault":
      return { ...step, fault: { ...step.fault, id: lostId(number), after: anew(step.fault.after) } };
    case "wire":
      return {
        kind: "fault",
        fault: { kind: "stream_interrupted", message: "connection lost", id: lostId(number), after: [] },
      };
  }
}

/**
 * What had come whole of the answers that were lost or cancelled, where it may go back as it was: items of the Responses API that were
 * done, for example. What most providers had begun has no such end.
 * @see SESSION-31
 */
export function wholeItemsOfLost({ driver, script, codec }: CaseRunInput): Message[] {
  if (!isWireDriver(driver) || !codec?.leeway.keepsItemsOfLost) return [];
  const model = modelOf(driver, codec.provider);
  const ids = [usualId, ...Array.from({ length: script.length + mostLosses }, (_, at) => lostId(at + 1))];
  const begun = script.flatMap((step): ScriptedResponse[] => {
    if (step.kind === "response") return [step.response];
    if (step.kind === "wire") return [];
    return ids.map((id) => ({ id, model, parts: step.fault.after, stop_reason: "end_turn", usage: uncounted }));
  });
  return begun.flatMap((response) => [...codec.readResponse(response), followsAnyItem]);
}

function lostId(number: number): string {
  return `lost-${number}`;
}

/** Whether the connection goes, or the bytes stop, before an answer ends. */
function isLost(step: ScriptStep): boolean {
  switch (step.kind) {
    case "response":
      return step.cut !== undefined;
    case "fault":
      return step.fault.kind === "stream_interrupted";
    case "wire":
      return isStream(step.answer) && !ending.test(step.answer.writes.map(({ text }) => text).join(""));
  }
}

function isStream({ status, headers }: Extract<ScriptStep, { kind: "wire" }>["answer"]): boolean {
  return status === 200 && Object.values(headers).some(isStreamType);
}
