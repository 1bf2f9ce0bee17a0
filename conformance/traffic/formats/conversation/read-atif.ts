// Reads an ATIF trajectory as a conversation.

import { repairSession } from "../../../../reference/state/repair-session.ts";
import type { Message } from "../../../../schemas/types.ts";
import type { Trajectory, TrajectoryPart, TrajectoryResult, TrajectoryStep } from "./atif.ts";
import type { Conversation, Converted } from "./conversation.ts";

/** What is read of a step; the rest of it is counted as lost. */
const readFields = new Set([
  "step_id",
  "source",
  "message",
  "model_name",
  "reasoning_content",
  "tool_calls",
  "observation",
]);

/** The session is valid: calls without a result get one, as a repair gives it. */
export function readAtif({ session_id, agent, steps, ...rest }: Trajectory): Converted<Conversation> {
  const losses: string[] = [];
  const messages = steps.flatMap((step, at) => stepMessages(step, (what) => void losses.push(`/steps/${at}: ${what}`)));
  const beside = Object.keys(rest).filter((name) => name !== "schema_version");
  if (beside.length > 0) losses.push(`not read: ${beside.join(", ")}`);
  const unread = [...new Set(steps.flatMap((step) => Object.keys(step).filter((name) => !readFields.has(name))))];
  if (unread.length > 0) losses.push(`not read of the steps: ${unread.join(", ")}`);
  const { session, changes } = repairSession({ spec_version: "1.0", id: session_id ?? "trajectory", messages });
  losses.push(...changes.map(({ pointer, message }) => `${pointer}: ${message}`));
  const model = agent?.model_name;
  return { value: { session, tools: [], ...(model !== undefined && { model }) }, losses };
}

type Lose = (what: string) => void;

function stepMessages(step: TrajectoryStep, lose: Lose): Message[] {
  const { source, message, reasoning_content, tool_calls = [], observation } = step;
  const text = textOf(message, lose);
  if (source !== "agent") {
    if (observation) lose("what a step that is no response observed is not read");
    return [{ role: source, content: text }];
  }
  const calls = tool_calls.map(({ tool_call_id, function_name, arguments: input }): Message => ({
    type: "tool_call",
    id: tool_call_id,
    name: function_name,
    input,
  }));
  return [
    ...(reasoning_content ? [{ type: "thinking", content: reasoning_content } as const] : []),
    ...(text === "" ? [] : [{ role: "assistant", content: text } as const]),
    ...calls,
    ...resultMessages(
      observation?.results ?? [],
      tool_calls.map(({ tool_call_id }) => tool_call_id),
      lose,
    ),
  ];
}

/** A result that names no call answers the first call that none names, if there is one. */
function resultMessages(results: readonly TrajectoryResult[], calls: readonly string[], lose: Lose): Message[] {
  const named = new Set(results.map(({ source_call_id }) => source_call_id));
  const unnamed = calls.filter((id) => !named.has(id));
  return results.flatMap(({ source_call_id, content, ...more }) => {
    const id = source_call_id ?? unnamed.shift();
    if (Object.keys(more).length > 0) lose(`not read of a result: ${Object.keys(more).join(", ")}`);
    if (id !== undefined) return [{ type: "tool_result", id, output: textOf(content ?? "", lose) } as const];
    lose("a result belongs to no call");
    return [];
  });
}

function textOf(content: string | TrajectoryPart[], lose: Lose): string {
  if (typeof content === "string") return content;
  for (const { type } of content.filter((part) => part.type !== "text")) lose(`a part of type ${type} is not read`);
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
