// Logs what a run does, one readable line per event, for debugging.

import type { LoopEvent, LoopError, Message } from "../../schemas/types.ts";
import type { Watch } from "./watchers.ts";

/** The maximum length of a message, arguments or output in a line, in characters. */
const SHOWN = 120;

/**
 * A watcher that logs each event synchronously: what is requested, decided, executed and stored. A line begins with the
 * session, which distinguishes the runs of subagents; deltas are omitted, because the whole messages follow.
 * @param write Default: standard error
 */
export function debug(write: (line: string) => void = console.error): Watch {
  return () => {
    let session = "";
    return {
      onEvent(event) {
        if (event.type === "run_start") session = event.session_id;
        const line = inWords(event);
        if (line !== undefined) write(`${session}: ${line}`);
      },
    };
  };
}

/** An event in words, or undefined if other events already say the same. */
export function inWords(event: LoopEvent): string | undefined {
  switch (event.type) {
    case "run_start": {
      const { agent, provider = "", model = "its own model", resumed, tools = [], limits = {} } = event;
      const how = resumed ? "resumes" : "begins";
      return `${agent} ${how} with ${provider} (${model}), tools ${listed(tools)}, limits ${JSON.stringify(limits)}`;
    }
    case "turn_start":
      return `turn ${event.turn}${event.resumed ? " resumes" : ""}`;
    case "attempt_start":
      return `  asks ${event.model ?? "the model"}, attempt ${event.attempt}`;
    case "attempt_end":
      return `  stopped for ${event.stop_reason}${because(event.error)}`;
    case "wait_start":
      return `  waits ${event.wait_ms} ms`;
    case "fallback":
      return `  falls back to ${event.model}${because(event.error)}`;
    case "message":
      return `  stores ${described(event.message)}`;
    case "tool_start":
      return `  runs ${event.name} (${event.id}) ${shortened(event.input)}`;
    case "tool_progress":
      return `  receives progress from ${event.name} (${event.id}) ${shortened(event.progress)}`;
    case "tool_end":
      return `  ends ${event.name} (${event.id}): ${event.outcome}`;
    case "tool_late_result":
      return `  ignores the late result of ${event.name} (${event.id})`;
    case "handoff":
      return `  hands over from ${event.from} to ${event.to ?? "nobody"}`;
    case "switch_model":
      return `switches to ${event.model}`;
    case "compaction":
      return `compacts from ${event.before_tokens} to ${event.after_tokens} tokens by ${event.strategy}`;
    case "amendment":
      return `marks the messages ${event.from} to ${event.to}`;
    case "limit":
      return `reaches ${event.limit}`;
    case "warning":
      return `warns: ${event.message}`;
    case "run_end": {
      const { status, turns, error } = event.result;
      return `ends with status ${status} after turn ${turns}${because(error)}`;
    }
    default:
      return undefined;
  }
}

function described(message: Message): string {
  if (message.type === "tool_call") return `call ${message.name} (${message.id}) ${shortened(message.input)}`;
  if (message.type === "tool_result") {
    const { id, outcome = "ok", synthetic, output } = message;
    return `result of ${id}, ${outcome}${synthetic ? ", made up" : ""}: ${shortened(output)}`;
  }
  const who = message.role ?? message.type;
  return `${who}: ${shortened("content" in message ? message.content : message)}`;
}

function shortened(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function because(error: LoopError | undefined): string {
  return error ? `, because of ${error.kind}: ${error.message}` : "";
}

function listed(names: string[]): string {
  return names.length > 0 ? names.join(", ") : "none";
}
