// A model that saves long texts, for tests of compaction: its calls, its answers, and the outcome of a run.

import { agentLoop } from "../run/run.ts";
import type { Provider } from "../core/ports.ts";
import { UNKNOWN } from "../core/usage.ts";
import type { RunSetup } from "../run/setup.ts";
import { defineTool } from "../tools/define-tool.ts";
import type {
  LoopEvent,
  Message,
  ModelRequest,
  ModelResponse,
  RunOptions,
  RunResult,
  Session,
} from "../../schemas/types.ts";

export const LONG = "A long text. ".repeat(40).trim();
export const AT = 1_000;

/** A call with long arguments, and the reported token count of its request. */
export const calls = (id: string, tokens: number | null = 2 * AT, input: object = { text: LONG }): ModelResponse => ({
  messages: [{ type: "tool_call", id, name: "save", input } as Message],
  stop_reason: "tool_use",
  usage: { ...UNKNOWN, input_tokens: tokens, output_tokens: 1 },
});
export const says = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
  usage: { ...UNKNOWN, input_tokens: 5, output_tokens: 1 },
});

export type Scripted = Provider & { asked: ModelRequest[] };

export function scripted(...answers: (ModelResponse | (() => Promise<ModelResponse>))[]): Scripted {
  const requests: ModelRequest[] = [];
  const invokeModel: Provider["invokeModel"] = async (request) => {
    requests.push(structuredClone(request));
    const answer = answers.shift()!;
    return typeof answer === "function" ? answer() : answer;
  };
  return { name: "scripted", asked: requests, invokeModel };
}

export const save = defineTool({ name: "save", input_schema: { type: "object" }, execute: () => "saved" });
export const fails = defineTool({
  name: "save",
  input_schema: { type: "object" },
  execute: () => {
    throw new Error("disk full");
  },
});
export const start: Session = { spec_version: "1.0", id: "s", messages: [{ role: "user", content: "Go." }] };

export interface Outcome {
  result: RunResult;
  messages: Message[];
  events: LoopEvent[];
}

export async function run(
  provider: Provider,
  compaction: RunOptions["compaction"],
  { options, session = start, ...rest }: Partial<RunSetup> & { session?: Session } = {},
): Promise<Outcome> {
  const under = agentLoop({
    provider,
    tools: [save],
    ...rest,
    session,
    options: { compaction, ...options } as RunOptions,
  });
  const events: LoopEvent[] = [];
  for await (const event of under) events.push(event);
  return { result: await under.result, messages: (await under.session).messages, events };
}

export const warnings = ({ events }: Outcome) => events.flatMap((event) => (event.type === "warning" ? [event] : []));
export const replacements = ({ events }: Outcome) =>
  events.flatMap((event) => (event.type === "compaction" ? [event] : []));
