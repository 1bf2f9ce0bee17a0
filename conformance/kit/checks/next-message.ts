// Checks what a loop asks its model with the user's next message, after a run that has ended, and what comes of it.

import type { Failure, Message, Part, RunResponse, ToolResultMessage } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { matchData } from "../base/matcher.ts";
import type { Execution, Observation, ObservedRequest } from "../observed/observation.ts";
import { runsOf } from "../observed/subruns.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { isShortened } from "./compaction.ts";
import { checkPairing } from "./requests.ts";
import { inOrderOfCalls } from "./result-order.ts";

/** What the check of a request has to know. */
interface Asked {
  /** What the user has said since the run of the case ended, the last one with this request. */
  said: readonly string[];
  /** What had come whole of answers that were lost or cancelled. */
  wholeOfLost: readonly Message[];
  /** A message of the loop in the form in which the request has it. */
  inForm(messages: Message[]): Message[];
}

type Request = Pick<ObservedRequest, "messages">;

/** Everything that is wrong with the request that carries the user's next message. It is judged by nothing else. */
export function checkNextRequest({ messages }: Request, asked: Asked, seen: Observation): Failure[] {
  return [
    ...checkTakeable(isWireDriver(seen.driver) ? inOrderOfCalls(messages) : messages),
    ...checkUser(messages, asked.said, seen),
    ...checkFinished(messages, seen),
    ...checkSealed(messages, asked, seen),
  ];
}

/**
 * What is wrong with how the driver answered it.
 * @param asked how often the model was asked
 */
export function checkNextAnswer({ result, ended = "completed", error }: RunResponse, asked: number): Failure[] {
  const why = error ?? result?.error?.message;
  const reason = why === undefined ? "" : `: ${why}`;
  if (asked === 0) return [breach("SESSION-26", `the model was not asked with the user's next message${reason}`)];
  if (asked > 1) {
    const message = `the user's next message was answered with one text, but the model was asked ${asked} times`;
    return [breach("SESSION-26", message, { expected: 1, received: asked })];
  }
  const status = result?.status ?? ended;
  if (status === "completed") return [];
  const message = "the model answered the user's next message, but the run did not complete";
  return [breach("SESSION-26", message, { expected: "completed", received: status })];
}

/** What every provider refuses; the rules of one provider are held by the server that plays it. @see SESSION-28 */
function checkTakeable(messages: readonly Message[]): Failure[] {
  const unpaired = checkPairing(messages, 1).map(({ message, path, expected, received }) =>
    breach("SESSION-28", message.replace("model request 1", "the request with the user's next message"), {
      ...(path !== undefined && { path }),
      expected,
      received,
    }),
  );
  const cut = messages.find((message) => "status" in message && message.status === "incomplete");
  if (!cut) return unpaired;
  const message = "the request with the user's next message has a message of a response that was cut off";
  return [...unpaired, breach("SESSION-28", message, { received: cut })];
}

/** @see SESSION-30 */
function checkUser(messages: readonly Message[], said: readonly string[], seen: Observation): Failure[] {
  const wanted = [...(hasSummary(seen) ? [] : userTexts(seen.filled.case.given.messages)), ...said];
  const received = userTexts(messages).join("\n");
  let from = 0;
  for (const text of wanted) {
    const at = received.indexOf(text, from);
    if (at < 0) {
      const message = "the request with the user's next message does not have everything that the user has said";
      return [breach("SESSION-30", message, { expected: wanted, received: userTexts(messages) })];
    }
    from = at + text.length;
  }
  if (messages.at(-1)?.role === "user") return [];
  const message = "the request with the user's next message does not end with it";
  return [breach("SESSION-30", message, { expected: said.at(-1), received: messages.at(-1) })];
}

/** @see SESSION-27 */
function checkFinished(messages: readonly Message[], seen: Observation): Failure[] {
  const results = messages.filter((message) => message.type === "tool_result");
  return finishedExecutions(seen).flatMap((execution) => {
    const texts = outputTexts(execution, seen);
    const named = results.filter(({ id }) => id === execution.id);
    const own = named.length > 0 ? named : results.filter(({ output }) => texts.length > 0 && has(output, texts));
    if (own.length === 1 && (has(own[0]!.output, texts) || isShortForm(own[0]!, execution, seen))) return [];
    const what = `${execution.name} was executed and had ended`;
    const wrong = own.length === 0 ? "has no result of it" : `has ${own.length === 1 ? "another" : "more than one"}`;
    const message = `${what}, but the request with the user's next message ${wrong}`;
    return [breach("SESSION-27", message, { expected: texts, received: own })];
  });
}

/** Whether a result was too large, and is what is left of it. @see COMPACT-18 */
function isShortForm(actual: ToolResultMessage, { id, answer }: Execution, seen: Observation): boolean {
  const { output, isError, thrown } = seen.expected.answerTo(id) ?? answer ?? {};
  if (output === undefined || isError || thrown !== undefined) return false;
  return isShortened({ type: "tool_result", id: actual.id, output }, actual, seen);
}

/** The executions of the run of the case whose results the next message has to have. */
function finishedExecutions(seen: Observation): Execution[] {
  if (hasSummary(seen)) return [];
  // What was executed of a response that never ended is wrong before anybody asks what became of it. [LOOP-19]
  const requested = new Set(seen.expected.calls.map(({ message }) => message.id));
  const isLost = ({ id }: Execution) => isWireDriver(seen.driver) && seen.disturbed && !requested.has(id);
  return runsOf(seen)[0]!.executions.filter((execution) => execution.counts && !isLost(execution));
}

/**
 * What is missing of the work in a request that the provider refuses: a conversation that is lost for another reason has lost it, too.
 * @param body the request as it came: what is refused need not be readable in any other way
 * @see SESSION-27
 */
export function checkForgotten(body: unknown, seen: Observation): Failure[] {
  const sent = JSON.stringify(body);
  return finishedExecutions(seen)
    .filter((execution) => !outputTexts(execution, seen).every((text) => isWritten(text, sent)))
    .map((execution) => {
      const message = `${execution.name} was executed and had ended, but the request with the user's next message has no result of it`;
      return breach("SESSION-27", message, { expected: outputTexts(execution, seen) });
    });
}

/** Whether a text is in a request, as itself or in JSON that somebody has written as text. */
function isWritten(text: string, sent: string): boolean {
  const once = JSON.stringify(text).slice(1, -1);
  return sent.includes(once) || sent.includes(JSON.stringify(once).slice(1, -1));
}

/** @see SESSION-31 */
function checkSealed(messages: readonly Message[], { inForm, wholeOfLost }: Asked, seen: Observation): Failure[] {
  // Of bytes that the kit does not understand it does not know what is sealed in them.
  if (seen.expected.isOpen) return [];
  const { given } = seen.filled.case;
  const known = inForm([...given.messages, ...seen.answers.flatMap((answer) => answer.messages), ...wholeOfLost]);
  const isKnown = (message: Message) => known.some((one) => matchData(one, message).length === 0);
  return messages
    .filter((message) => (message.type === "thinking" || message.type === "provider_item") && !isKnown(message))
    .map((received) => {
      const message = `the request with the user's next message has a ${received.type} that no whole response of the model had so`;
      return breach("SESSION-31", message, { received });
    });
}

/** What a tool said that the model has to hear; empty if it threw, because how that is reported is the loop's affair. */
function outputTexts({ id, answer }: Execution, seen: Observation): string[] {
  const { output, thrown } = seen.expected.answerTo(id) ?? answer ?? {};
  return thrown !== undefined || output === undefined ? [] : textsOf(output).filter((text) => text.trim() !== "");
}

function has(output: string | Part[], texts: readonly string[]): boolean {
  const received = JSON.stringify(output);
  return texts.every((text) => received.includes(JSON.stringify(text).slice(1, -1)));
}

/** A summary stands for what was said and done before it. */
function hasSummary({ summaries }: Observation): boolean {
  return summaries.some(({ response }) => response !== undefined);
}

function userTexts(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === "user" ? textsOf(message.content) : []));
}

function textsOf(content: string | readonly Part[]): string[] {
  return typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}
