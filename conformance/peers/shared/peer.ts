// What the drivers of peers in JavaScript share: conversations by run, cancelling, and tools that heed their signal. The protocol is
// the kit.ts that `agent-loop init --for framework` writes, used in its place.

import { serve, toolOutput } from "../../templates/framework/typescript/kit.ts";

/** Where the model is, as the kit says it. */
export interface ModelAccess {
  seam: "anthropic-messages" | "gemini" | "openai-chat" | "openai-responses";
  transport: "json" | "sse";
  base_url: string;
  api_key: string;
  model: string;
}

/** A piece of what a tool says. */
export interface Part {
  type: "text" | "image" | "document";
  text?: string;
  media_type?: string;
  /** In base64. */
  data?: string;
  url?: string;
}

/** What a conversation begins with. */
export interface Beginning {
  tools: { name: string; description: string; input_schema: Record<string, unknown> }[];
  instructions: string | undefined;
  /** How often the model may be asked. */
  limit: number;
  model: ModelAccess;
  /** Has the kit execute a tool, for whatever run the conversation is at. Returns a text, or parts. Throws what the tool throws. With a signal: gives up when it aborts. */
  execute(name: string, input: unknown, signal?: AbortSignal): Promise<string | Part[]>;
}

/** How a run ended for the caller of the framework. */
export interface Ending {
  ended: "completed" | "limit" | "refused" | "cut_off" | "cancelled" | "error";
  text?: string;
  error?: string;
}

/** Says something to the conversation that it belongs to; what it throws has ended the run as `error`, or as `cancelled` after a cancel. */
export type Say = (input: string, signal: AbortSignal) => Promise<Ending>;

/** What the driver answers to `initialize`, but for what is the same for every peer. */
export interface Peer {
  name: string;
  version: string;
  seams: ModelAccess["seam"][];
  transports?: ModelAccess["transport"][];
  verbs?: ("after" | "cancel" | "limit")[];
}

interface RunParams extends Omit<Beginning, "execute"> {
  run: string;
  after?: string;
  input: string;
}

/** The models by their real names, because frameworks behave by the name. */
const realNames = {
  "anthropic-messages": "claude-sonnet-4-5",
  gemini: "gemini-3-flash-preview",
  "openai-chat": "gpt-4.1",
  "openai-responses": "gpt-5",
};

/** Serves the kit. `begin` makes a conversation of the framework, and returns what says something to it. */
export function servePeer(peer: Peer, begin: (given: Beginning) => Say): void {
  const { name, version, seams, transports = ["json", "sse"], verbs = ["after", "cancel", "limit"] } = peer;
  const conversations = new Map<string, { say: Say; at: { run: string } }>();
  const cancels = new Map<string, AbortController>();

  const initialize = () => {
    const implementation = { name, version, language: "typescript" };
    const models = Object.fromEntries(seams.map((seam) => [seam, realNames[seam]]));
    return { protocol: 1, implementation, level: "wire", seams, transports, verbs, models, concurrency: 8 };
  };
  const run = async ({ run, after, input, limit = 20, tools = [], ...rest }: RunParams): Promise<Ending> => {
    const conversation = conversations.get(after ?? "") ?? began(begin, { ...rest, limit, tools });
    conversations.set(run, conversation);
    conversation.at.run = run;
    const cancel = new AbortController();
    cancels.set(run, cancel);
    try {
      const ending = await conversation.say(input, cancel.signal);
      return cancel.signal.aborted ? { ...ending, ended: "cancelled" } : ending;
    } catch (error) {
      return { ended: cancel.signal.aborted ? "cancelled" : "error", error: String(error) };
    }
  };
  const cancel = (params: { run: string }) => cancels.get(params.run)?.abort();
  serve({ initialize, run, cancel, shutdown: () => ({}) });
}

function began(begin: (given: Beginning) => Say, given: Omit<Beginning, "execute">) {
  const at = { run: "" };
  const execute: Beginning["execute"] = (name, input, signal) =>
    heeding(toolOutput(at.run, name, input) as Promise<string | Part[]>, signal);
  const tools = given.tools.map((tool) => ({ ...tool, description: tool.description ?? "" }));
  return { say: begin({ ...given, tools, execute }), at };
}

/** As `fetch` would: what is waited for is given up when the signal aborts. */
function heeding<T>(output: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return output;
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([output, aborted]);
}
