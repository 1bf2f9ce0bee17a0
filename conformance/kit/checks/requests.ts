// Checks each model request against what a correct loop has to send at that moment.

import type { Agent, Failure, InitializeResult, Message } from "../../../schemas/types.ts";
import type { GenericRequest, ProviderCodec } from "../wire/codec.ts";
import { codecs } from "../wire/codecs.ts";
import { madeInstructions } from "./instructions.ts";
import { askedModel } from "../observed/asked-model.ts";
import { doubtfulIds, essentialMessages, isHalfAnswer } from "./by-containment.ts";
import { checkCompacted, compactionOf } from "./compaction.ts";
import { breach } from "../base/failures.ts";
import { agentsOf, firstAgent } from "../suite/case-agents.ts";
import { leadingSystem } from "../observed/leading-system.ts";
import { matchData } from "../base/matcher.ts";
import type { Mismatch } from "../base/matcher.ts";
import type { Observation, ObservedRequest } from "../observed/observation.ts";
import { withoutOutputTool } from "../observed/output-tool.ts";
import { callsAsMade, inOrderOfCalls } from "./result-order.ts";
import { brokenStrings } from "../wire/shared/json.ts";
import { alignIds } from "../wire/shared/normal-form.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import { wellFormed } from "../base/well-formed.ts";
import { toolsNow } from "../observed/tools-now.ts";

/** A request as the loop makes it, on the generic seam. */
type GenericSeamRequest = Pick<ObservedRequest, "messages" | "tools" | "settings">;

/** What was wrong with one request on the generic seam. `number` counts the requests from 1. */
export function checkGenericRequest(request: GenericSeamRequest, number: number, seen: Observation): Failure[] {
  const expected = [...instructions(seen), ...seen.expected.request(request.messages)];
  return [
    ...checkPairing(request.messages, number),
    ...checkInstructions(leadingSystem(request.messages), leadingSystem(expected), number, seen),
    ...compareMessages(expected, inOrderOfCalls(request.messages), number, seen, false),
    ...checkTools(request.tools, number, seen),
    ...checkSettings(request.settings, number, seen),
  ];
}

/** What was wrong with one request on the wire, beyond the provider's rules. */
export function checkWireRequest(
  written: GenericRequest,
  codec: ProviderCodec,
  number: number,
  seen: Observation,
): Failure[] {
  const isWire = isWireDriver(seen.driver);
  // Elsewhere a request with half a letter is refused before it comes here.
  const request = codec.leeway.takesHalfLetters ? wellFormed(written) : written;
  const whole = [...instructions(seen), ...seen.expected.request(request.messages)];
  const expected = codec.normalize(whole, { provider: codec.provider, model: askedModel(request.model, seen) });
  // Another order of results is found as such, where it matters, and not once more in all that follows from it.
  const messages = inOrderOfCalls(isWire ? callsAsMade(request.messages, expected.messages) : request.messages);
  const [wanted, sent] = isWire
    ? essentialMessages(expected.messages, messages, codec.provider, seen)
    : [expected.messages, messages];
  const received = alignIds(wanted, sent);
  return [
    ...checkPairing(isWire ? messages : request.messages, number),
    ...checkInstructions(request.system, expected.system, number, seen),
    ...compareMessages(wanted, received, number, seen, true),
    ...checkTools(request.tools, number, seen),
  ];
}

/** Half of a surrogate pair where the provider takes it: against a loop of level wire nothing is held that the provider takes. */
export function checkLetters(
  { system, messages, tools }: Pick<GenericRequest, "system" | "messages" | "tools">,
  { leeway }: Pick<ProviderCodec, "leeway">,
  driver: InitializeResult,
  number: number,
): Failure[] {
  if (!leeway.takesHalfLetters || isWireDriver(driver)) return [];
  const [path, ...others] = brokenStrings([{ at: "", value: { system, messages, tools } }]);
  if (path === undefined) return [];
  const message = `model request ${number} has half of a surrogate pair in ${[path, ...others].join(", ")}`;
  return [breach("PROVIDER-12", message, { path: `/${path.replaceAll(".", "/")}` })];
}

/** What was wrong with a request for a summary: how it is asked for is the loop's affair. @see COMPACT-15 */
export function checkSummaryRequest(
  request: Pick<ObservedRequest, "system" | "messages">,
  number: number,
  seen: Observation,
): Failure[] {
  const { instructions } = seen.filled.case.given.options?.compaction ?? {};
  const requestText = JSON.stringify([request.system, request.messages]);
  const hasInstructions = instructions === undefined || requestText.includes(JSON.stringify(instructions).slice(1, -1));
  const message = `model request ${number} asks for a summary without the instructions for it`;
  return [
    ...checkPairing(request.messages, number),
    ...(hasInstructions ? [] : [breach("COMPACT-15", message, { expected: instructions, received: request.messages })]),
  ];
}

/** Each call is answered once, directly after its response, in order; the last response of a request included. */
export function checkPairing(messages: readonly Message[], number: number): Failure[] {
  const where = `model request ${number}`;
  const open: string[] = [];
  let answering = false;
  for (const [index, message] of messages.entries()) {
    const path = `/messages/${index}`;
    if (message.type === "tool_result") {
      answering = true;
      if (!open.includes(message.id))
        return [
          breach("SESSION-6", `${where}: the result of ${message.id} answers no open call`, {
            path,
            received: message,
          }),
        ];
      if (open[0] !== message.id)
        return [
          breach("SESSION-7", `${where}: the result of ${message.id} comes before that of ${open[0]}`, {
            path,
            expected: open,
            received: message.id,
          }),
        ];
      open.shift();
      continue;
    }
    const response =
      message.type === "tool_call" ||
      message.type === "thinking" ||
      message.type === "provider_item" ||
      message.role === "assistant";
    if (open.length > 0 && (answering || !response)) {
      return [
        breach("SESSION-6", `${where}: no result of ${open.join(", ")} comes before this message`, {
          path,
          expected: open,
          received: message,
        }),
      ];
    }
    answering = false;
    if (message.type === "tool_call") open.push(message.id);
  }
  return open.length === 0
    ? []
    : [
        breach("SESSION-6", `${where}: the model was asked before ${open.join(", ")} had a result`, {
          expected: open,
          received: messages.slice(-3),
        }),
      ];
}

/** The agent that has to be asked now. */
function activeAgent(seen: Observation): Agent | undefined {
  return agentsOf(seen.filled.case.given)[seen.expected.after.agent];
}

/** The requirement of what an agent is sent, unless the agent became active by a handoff. */
function unlessHandedOver(requirement: string, seen: Observation): string {
  return seen.expected.after.agent === firstAgent(seen.filled.case.given) ? requirement : "LOOP-67";
}

function instructions(seen: Observation): Message[] {
  const text = seen.filled.case.given.dynamic_instructions ? madeInstructions(seen) : activeAgent(seen)?.instructions;
  return text ? [{ role: "system", content: text }] : [];
}

function checkInstructions(
  received: string | undefined,
  expected: string | undefined,
  number: number,
  seen: Observation,
): Failure[] {
  if (received === expected) return [];
  if (seen.filled.case.given.dynamic_instructions) {
    const message = `model request ${number} does not carry the instructions that were made for it`;
    return [breach("LOOP-74", message, { path: "/system", expected, received })];
  }
  const isSession = activeAgent(seen)?.instructions === undefined;
  const requirement = unlessHandedOver(isSession ? "PROVIDER-4" : "LOOP-2", seen);
  return [
    breach(requirement, `model request ${number}: the system text is different`, {
      path: "/system",
      expected,
      received,
    }),
  ];
}

function compareMessages(
  expected: Message[],
  received: Message[],
  number: number,
  seen: Observation,
  exact: boolean,
): Failure[] {
  const compared = seen.expected.isOpen ? received.slice(0, expected.length) : received;
  const withoutSystem = (messages: Message[]) =>
    messages.slice(
      Math.max(
        messages.findIndex((message) => message.role !== "system"),
        0,
      ),
    );
  // The leading system messages were compared as one text.
  const mismatches = exact
    ? matchData(expected, compared, "", true)
    : matchData(withoutSystem(expected), withoutSystem(compared));
  const compaction = mismatches.length > 0 ? compactionOf(seen, seen.expected.messages(received), !exact) : undefined;
  if (compaction)
    return checkCompacted(withoutSystem(expected), withoutSystem(compared), `model request ${number}`, compaction);
  return mismatches.slice(0, 5).map((mismatch) => {
    const what = `model request ${number} does not carry exactly the messages so far: /messages${mismatch.path} ${mismatch.message}`;
    return breach(brokenBy(mismatch, expected, received, seen), what, {
      path: `/messages${mismatch.path}`,
      expected: mismatch.expected,
      received: mismatch.received,
    });
  });
}

/** Which requirement a difference in the messages breaks. */
function brokenBy(
  { path, received }: Mismatch,
  expected: readonly Message[],
  all: readonly Message[],
  seen: Observation,
): string {
  const [, index = "", field] = path.split("/");
  const wanted = expected[Number(index)];
  const actual = all[Number(index)];
  if ((received as { status?: unknown } | undefined)?.status === "incomplete") return "SESSION-13";
  if (isHalfAnswer(actual, seen)) return "SESSION-13";
  if (wanted?.type === "thinking" && actual?.type === "thinking") return "PROVIDER-7";
  if (wanted?.type === "tool_result" && actual?.type === "tool_result" && field === "output") return "TOOL-13";
  if (wanted?.type === "tool_result" && actual?.type === "tool_result" && field === "is_error") return "TOOL-17";
  return doubtfulIds(seen) ?? "LOOP-1";
}

/** @see LOOP-4 LOOP-79 */
function checkTools(received: ObservedRequest["tools"], number: number, seen: Observation): Failure[] {
  const isMade = seen.filled.case.given.dynamic_tools !== undefined;
  const { seam } = seen.variant;
  const declared = seam === "generic" ? toolsNow(seen) : wellFormed(toolsNow(seen)); // [PROVIDER-12]
  const expected = declared.map(({ name, description, input_schema }) => ({
    // A name that the provider does not allow may be sent as another one.
    ...((seam === "generic" || codecs[seam].leeway.toolName.test(name)) && { name }),
    ...(description !== undefined && { description }),
    input_schema,
  }));
  const { others, failures } = withoutOutputTool(received, number, seen);
  const differing = matchData(expected, others)
    .slice(0, 3)
    .map(({ path, expected: wanted, received: actual, message }) =>
      breach(
        isMade ? "LOOP-79" : unlessHandedOver("LOOP-4", seen),
        `model request ${number}: /tools${path} ${message}`,
        {
          path: `/tools${path}`,
          expected: wanted,
          received: actual,
        },
      ),
    );
  return [...failures, ...differing];
}

/** How settings are rendered on the wire is up to the adapter. @see LOOP-71 PROVIDER-28 */
function checkSettings(received: ObservedRequest["settings"], number: number, seen: Observation): Failure[] {
  if (!seen.driver.features?.includes("settings")) return [];
  const expected = activeAgent(seen)?.settings ?? {};
  return matchData(expected, received ?? {}, "", true)
    .slice(0, 3)
    .map(({ path, expected: wanted, received: actual, message }) =>
      breach("LOOP-71", `model request ${number}: /settings${path} ${message}`, {
        path: `/settings${path}`,
        expected: wanted,
        received: actual,
      }),
    );
}
