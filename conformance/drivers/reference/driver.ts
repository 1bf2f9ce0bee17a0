// Puts the reference under the kit's control: the driver protocol of spec/driver-protocol.md around `agentLoop`.

import { setImmediate } from "node:timers/promises";

import {
  agentLoop,
  resume,
  ToolError,
  virtualClock,
  type AgentWithTools,
  type InvokeModel,
  type Provider,
  type Run,
  type VirtualClock,
} from "../../../reference/index.ts";
import type {
  Agent,
  InitializeResult,
  ModelAccess,
  ResumeParams,
  RunParams,
  RunResponse,
  SteerParams,
  ToolExecuteResult,
} from "../../../reference/types.ts";
import { RpcError, serve, type Peer } from "./json-rpc.ts";

interface Current {
  run: Run;
  clock: VirtualClock;
}

const handshake: InitializeResult = {
  protocol: 1,
  implementation: { name: "reference", version: "0.1.0", language: "typescript" },
  concurrency: 16,
  seams: ["generic", ...providersWithSdk()],
  transports: ["json", "sse"],
  features: [
    "cancel",
    "stop",
    "parallel",
    "scheduling",
    "timeouts",
    "clock.virtual",
    "external_tools",
    "pause",
    "streaming",
    "limits",
    "continuation",
    "stop_conditions",
    "final_results",
    "retry",
    "fallback",
    "steering",
  ],
};

const runs = new Map<string, Current>();

/** The SDKs are optional: a provider whose SDK is not installed is not declared. */
function providersWithSdk(): InitializeResult["seams"] {
  const anthropic = isInstalled("@anthropic-ai/sdk") ? (["anthropic-messages"] as const) : [];
  const openai = isInstalled("openai") ? (["openai-chat", "openai-responses"] as const) : [];
  return [...anthropic, ...openai];
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

const kit: Peer = serve({
  initialize: async () => handshake,
  run: ({ session, agent, options = {}, ...params }: RunParams) =>
    conduct(params, (setup) => agentLoop({ ...setup, session, agent, options })),
  resume: ({ snapshot, decisions, ...params }: ResumeParams) =>
    conduct(params, (setup) => resume({ ...setup, snapshot, decisions })),
  barrier: async () => settled(),
  "clock/advance": async ({ run, ms }: { run: string; ms: number }) => {
    runs.get(run)?.clock.advance(ms);
    return settled();
  },
  cancel: async ({ run }: { run: string }) => runs.get(run)?.run.cancel(),
  stop: async ({ run }: { run: string }) => runs.get(run)?.run.stop(),
  steer: async ({ run, content }: SteerParams) => runs.get(run)?.run.steer(content),
  shutdown: async () => {
    setImmediate().then(() => process.exit(0));
    return {};
  },
});

type Conducted = Pick<RunParams, "run" | "agents" | "model" | "clock">;

interface Setup {
  provider: Provider;
  agents: Record<string, AgentWithTools>;
  clock?: VirtualClock;
}

async function conduct(params: Conducted, begin: (setup: Setup) => Run): Promise<RunResponse> {
  const clock = virtualClock();
  const provider = await providerFor(params.run, params.model);
  const agents = withHandlers(params.run, params.agents);
  const run = begin({ provider, agents, ...(params.clock === "virtual" && { clock }) });
  runs.set(params.run, { run, clock });
  for await (const event of run) kit.notify("event", { run: params.run, event });
  runs.delete(params.run);
  return { result: await run.result, session: await run.session };
}

/** Everything that can be done without the kit is done once the event loop has nothing left but its answers. */
async function settled(): Promise<object> {
  for (let round = 0; round < 3; round += 1) await setImmediate();
  return {};
}

function withHandlers(run: string, agents: Record<string, Agent>): Record<string, AgentWithTools> {
  const handled = ({ tools = [], ...agent }: Agent): AgentWithTools => ({
    ...agent,
    tools: tools.map((tool) => (tool.external ? tool : { ...tool, execute: askKit(run) })),
  });
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, handled(agent)]));
}

function askKit(run: string): NonNullable<NonNullable<AgentWithTools["tools"]>[number]["execute"]> {
  return async (_input, { call, signal }) => {
    signal.addEventListener("abort", () => kit.notify("tool/abort", { run, id: call.id }), { once: true });
    try {
      return await kit.request<ToolExecuteResult>("tool/execute", { run, call });
    } catch (error) {
      if (error instanceof RpcError && error.data?.thrown) {
        throw new ToolError(error.message, { fatal: error.data.fatal === true });
      }
      throw error;
    }
  };
}

async function providerFor(run: string, access: ModelAccess): Promise<Provider> {
  if (access.seam === "generic") return { name: "generic", invokeModel: genericModel(run) };
  const { base_url, api_key, model, transport } = access;
  const settings = { base_url, api_key, model, transport };
  if (access.seam === "anthropic-messages") {
    const { anthropicMessages } = await import("../../../reference/providers/anthropic-messages.ts");
    return anthropicMessages(settings);
  }
  if (access.seam === "openai-responses") {
    const { openaiResponses } = await import("../../../reference/providers/openai-responses.ts");
    return openaiResponses(settings);
  }
  const { openaiChat } = await import("../../../reference/providers/openai-chat.ts");
  return openaiChat(settings);
}

function genericModel(run: string): InvokeModel {
  return async (request) => {
    try {
      return await kit.request("model/invoke", { run, request });
    } catch (failure) {
      if (!(failure instanceof RpcError) || !failure.data?.error) throw failure;
      const { error, partial = [] } = failure.data;
      const stop_reason = error.kind === "stream_interrupted" ? "interrupted" : "error";
      return { messages: partial, stop_reason, error };
    }
  };
}
