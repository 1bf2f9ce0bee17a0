// Writes a conversation as an ATIF trajectory: a step for each response, with the results of its calls.

import type { Message, Part } from "../../../../schemas/types.ts";
import type { Trajectory, TrajectoryStep } from "./atif.ts";
import type { Conversation, Converted } from "./conversation.ts";

/** Losses name the message by its place in the session. */
export function writeAtif({ session, model, tools }: Conversation): Converted<Trajectory> {
  const writing = new Writing();
  for (const [at, message] of session.messages.entries()) writing.add(message, at);
  const { steps, losses } = writing;
  if (tools.length > 0) losses.push("the definitions of the tools have no place in ATIF-v1.4");
  const agent = {
    name: "agent-loop",
    version: session.spec_version,
    ...(model !== undefined && { model_name: model }),
  };
  return { value: { schema_version: "ATIF-v1.4", session_id: session.id, agent, steps }, losses };
}

class Writing {
  readonly steps: TrajectoryStep[] = [];
  readonly losses: string[] = [];
  /** The step of the response that is being written, until its results or somebody else's message come. */
  #open: TrajectoryStep | undefined;
  #answered = false;

  add(message: Message, at: number): void {
    const lose = (what: string) => void this.losses.push(`/messages/${at}: ${what}`);
    switch (message.type) {
      case "tool_result":
        return this.#result(message, lose);
      case "thinking": {
        const step = this.#response(message);
        if (message.content === "") lose("sealed thinking has no place in ATIF");
        else step.reasoning_content = joined(step.reasoning_content, message.content, "\n\n");
        if (message.opaque !== undefined && message.content !== "")
          lose("the seal of the thinking has no place in ATIF");
        return;
      }
      case "tool_call": {
        const { id, name, input } = message;
        if (input === null) lose("arguments that are no JSON object became {}");
        (this.#response(message).tool_calls ??= []).push({
          tool_call_id: id,
          function_name: name,
          arguments: input ?? {},
        });
        return;
      }
      case "provider_item":
        this.#response(message);
        return lose(`what only ${message.provider} understands has no place in ATIF`);
      default:
        return message.role === "assistant" ? this.#text(message, lose) : this.#plainMessage(message, lose);
    }
  }

  #plainMessage(message: Message & { role: "user" | "system" }, lose: (what: string) => void): void {
    this.#open = undefined;
    this.#step({ source: message.role, message: textOf(message.content, lose) });
  }

  #text(message: Message & { role: "assistant" }, lose: (what: string) => void): void {
    const step = this.#response(message);
    if (step.tool_calls) lose("text behind a call is written before it");
    step.message = joined(step.message as string, message.content, "");
  }

  #result(message: Message & { type: "tool_result" }, lose: (what: string) => void): void {
    const step = this.#open ?? this.#step({ source: "agent", message: "" });
    if (message.is_error) lose("that the result is an error has no place in ATIF");
    this.#answered = true;
    const result = { source_call_id: message.id, content: textOf(message.output, lose) };
    (step.observation ??= { results: [] }).results.push(result);
  }

  /** The step of the response that a message belongs to: what follows results begins a new one. */
  #response({ meta, opaque }: { meta?: { model?: string }; opaque?: { model?: string } }): TrajectoryStep {
    if (!this.#open || this.#answered) {
      const model = meta?.model ?? opaque?.model;
      this.#open = this.#step({ source: "agent", ...(model !== undefined && { model_name: model }), message: "" });
      this.#answered = false;
    }
    return this.#open;
  }

  #step(step: Omit<TrajectoryStep, "step_id">): TrajectoryStep {
    const numbered = { step_id: this.steps.length + 1, ...step } as TrajectoryStep;
    this.steps.push(numbered);
    return numbered;
  }
}

function textOf(content: string | Part[], lose: (what: string) => void): string {
  if (typeof content === "string") return content;
  const others = content.filter(({ type }) => type !== "text");
  for (const { type } of others) lose(`a part of type ${type} has no place in ATIF-v1.4`);
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function joined(before: string | undefined, text: string, between: string): string {
  return before === undefined || before === "" ? text : `${before}${between}${text}`;
}
