// Says which of several defensible behaviours a run showed: those that its case asks for, and those that any run can show.

import type { Message, ObservedBehaviour } from "../../../schemas/types.ts";
import { behavioursShown } from "./expectations.ts";
import type { Observation } from "../observed/observation.ts";
import { reports } from "../suite/variant.ts";

/** What shows a behaviour in any run: the choice that was made, or undefined where there was no occasion. */
const shownIn: Readonly<Record<string, (seen: Observation) => string | undefined>> = {
  open_calls: openCalls,
  refusal: refusalWord,
  system_text: systemText,
  tool_output: toolOutput,
  unsaid_usage: unsaidUsage,
  invalid_session: invalidSession,
};

/** The policies of which any run can show something; the others are shown by cases that ask for them. */
export const anywhere: readonly string[] = Object.keys(shownIn);

/**
 * The behaviours that a run showed, each once. Nobody declares them, and none is a fault: what must not happen is a requirement.
 * @see KIT-33
 */
export function behavioursIn(seen: Observation): ObservedBehaviour[] {
  // Where the kit had to force the run on, or a case says more of its tools than a text, nothing is typical.
  if (seen.failures.some(({ code }) => code === "stuck")) return [];
  const shown = Object.entries(shownIn).flatMap(([policy, choiceIn]) => {
    const choice = choiceIn(seen);
    return choice === undefined ? [] : [{ policy, choice }];
  });
  const named = behavioursShown(seen);
  return [...named, ...shown.filter(({ policy }) => named.every((one) => one.policy !== policy))];
}

/** Of the calls of whole responses that nobody executed: whether the request with the user's next message has them. */
function openCalls({ expected, executions, nextRequests: [first], answers }: Observation): string | undefined {
  if (!first || expected.isOpen) return undefined;
  const executed = new Set(executions.map(({ id }) => id));
  const open = expected.calls.filter(({ message }) => !executed.has(message.id));
  // What a loop that renames calls has made of them, the kit cannot tell.
  if (open.length === 0 || answers.length === 0) return undefined;
  const names = callsIn(first.messages).map(({ name }) => name);
  const executedNames = executions.map(({ name }) => name);
  const left = names.filter((name) => !executedNames.includes(name));
  return left.length > 0 ? "answered" : "left_out";
}

function callsIn(messages: readonly Message[]) {
  return messages.filter((message) => message.type === "tool_call");
}

function refusalWord({ ended, answers, results, driver }: Observation): string | undefined {
  const { stopReason } = answers.at(-1) ?? {};
  if (stopReason !== "refusal" && stopReason !== "content_filter") return undefined;
  const status = reports(driver, "result.status") ? results.at(-1)?.result?.status : undefined;
  const word = ended ?? status;
  if (word === "refused") return "own_word";
  return word === "error" ? "as_error" : undefined;
}

function systemText({ filled, requests, disturbed }: Observation): string | undefined {
  const { given } = filled.case;
  const { messages, instructions, agents, dynamic_instructions: made } = given;
  if (agents || made || disturbed || requests.length === 0) return undefined;
  if (messages.some(({ role }) => role === "system")) return undefined;
  const texts = requests.map(({ system }) => system);
  if (texts.every((text) => text === (instructions || undefined))) return "as_given";
  return texts.every((text) => text?.includes(instructions ?? "")) ? "extended" : undefined;
}

/** Of a text that a tool said and that is not empty: whether the next requests have it so. */
function toolOutput({ executions, requests }: Observation): string | undefined {
  const outputs = executions.flatMap(({ answer }) =>
    typeof answer?.output === "string" && answer.output.trim() !== "" && !answer.isError ? [answer.output] : [],
  );
  const received = (requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.type === "tool_result" && typeof message.output === "string" ? [message.output] : [],
  );
  if (outputs.length === 0 || received.length === 0) return undefined;
  if (outputs.some((text) => received.includes(text))) return "as_it_is";
  return outputs.some((text) => received.some((output) => output.includes(text))) ? "wrapped" : undefined;
}

function unsaidUsage({ driver, answers, results, disturbed }: Observation): string | undefined {
  const isUnsaid = answers.every(({ response }) => response !== undefined && response.usage.cache_read_tokens === null);
  // Of an answer that was cut off, the number may have come before.
  if (disturbed || answers.length === 0 || !isUnsaid || !reports(driver, "result.usage")) return undefined;
  const reported = results.at(-1)?.result?.usage?.cache_read_tokens;
  if (reported === null) return "null";
  return reported === 0 ? "zero" : undefined;
}

/** Of a session with a call that nothing answers. A driver that cannot be given one is not asked. */
function invalidSession({ filled, requests, results }: Observation): string | undefined {
  const { messages } = filled.case.given;
  const answered = new Set(messages.map((message) => message.type === "tool_result" && message.id));
  const open = callsIn(messages).filter((call) => call.status !== "incomplete" && !answered.has(call.id));
  if (open.length === 0) return undefined;
  const [first] = requests;
  if (!first) return results.length > 0 ? "refused" : undefined;
  const sent = new Set(first.messages.map((message) => message.type === "tool_result" && message.id));
  return callsIn(first.messages).every(({ id }) => sent.has(id)) ? "repaired" : "sent";
}
