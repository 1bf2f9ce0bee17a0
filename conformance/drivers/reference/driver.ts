// Puts the reference under the kit's control: the driver protocol of spec/kit/driver-protocol.md around `agentLoop`.

import { setImmediate } from "node:timers/promises";

import {
  agentLoop,
  recover,
  resume,
  ToolError,
  toolResult,
  virtualClock,
  type AgentWithTools,
  type DefinedTool,
  type Guardrail,
  type Hook,
  type InvokeModel,
  SupersededError,
  type Journal,
  type MakeInstructions,
  type Provider,
  type Run,
  type ToldInTurn,
  type ToolContext,
  type VirtualClock,
} from "../../../reference/index.ts";
import type {
  Agent,
  GuardrailCheckResult,
  GuardrailFilter,
  HookCall,
  HookFilter,
  HookFireResult,
  InitializeResult,
  InstructionsEvaluateResult,
  JournalAppendResult,
  JournalReadResult,
  ModelAccess,
  NextMessageParams,
  RecoverParams,
  ResumeParams,
  RunParams,
  RunResponse,
  SteerParams,
  SwitchModelParams,
  Tool,
  ToolExecuteResult,
  ToolProgressParams,
  ToolsEvaluateResult,
  TraceContext,
} from "../../../schemas/types.ts";
import { beside, doneBeside, isAnythingBeside } from "./beside.ts";
import { declaredProviders } from "./declared-providers.ts";
import { RpcError, serve, type Peer } from "./json-rpc.ts";
import { connectMcpServers } from "./mcp-servers.ts";

interface Current {
  run: Run;
  clock: VirtualClock;
  /** Where running tools say how far they are, by the ids of their calls. */
  progress: Map<string, ToolContext["progress"]>;
}

const handshake: InitializeResult = {
  protocol: 1,
  implementation: { name: "reference", version: "0.1.0", language: "typescript" },
  concurrency: 16,
  seams: ["generic", ...providersWithSdk()],
  transports: [...new Set(Object.values(declaredProviders).flatMap(({ transports }) => transports))],
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
    "idle_timeout",
    "bounds",
    "model_timeout",
    "fallback",
    "steering",
    "budget",
    "switch_model",
    "tool_choice",
    "structured_output",
    "output_tool",
    "context",
    "handoff",
    "tool_data",
    "tool_progress",
    "report",
    "settings",
    "session_lock",
    "runs_at_once",
    "next_message",
    "journal",
    "tool_drift",
    "server_state",
    "permissions",
    "approval",
    "eager_batch",
    "hooks",
    "guardrails",
    "compaction",
    "dynamic_instructions",
    "dynamic_tools",
    ...(isInstalled("@modelcontextprotocol/client") ? ["mcp_tools"] : []),
    "subagents",
    "trace",
    "run_metadata",
  ],
};

const runs = new Map<string, Current>();
/** What the runs that have ended were started with, and what they came to. */
const ended = new Map<string, { start: RunParams; came: Required<Pick<RunResponse, "result" | "session">> }>();

/** The SDKs are optional: a provider whose SDK is not installed is not declared. */
function providersWithSdk(): InitializeResult["seams"] {
  const names = Object.keys(declaredProviders) as (keyof typeof declaredProviders)[];
  return names.filter((name) => {
    const { sdk } = declaredProviders[name];
    return sdk === undefined || isInstalled(sdk);
  });
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
  run: async (asked: RunParams | NextMessageParams) => {
    const start = "after" in asked ? nextRun(asked) : asked;
    const { session, agent, options = {}, context, ...params } = start;
    const came = await conduct(params, (setup) =>
      agentLoop({ ...setup, session, agent, options, ...(context && { context }) }),
    );
    ended.set(start.run, { start, came });
    return came;
  },
  resume: async ({ snapshot, decisions, options, ...params }: ResumeParams) => {
    const came = await conduct(params, (setup) =>
      resume({ ...setup, snapshot, decisions, ...(options && { options }) }),
    );
    const before = ended.get(params.run);
    if (before) before.came = came;
    return came;
  },
  recover: (params: RecoverParams) =>
    conduct({ ...params, journal: true }, ({ journal, ...setup }) => recover({ ...setup, journal: journal! })),
  barrier: async () => settled(),
  "clock/advance": async ({ run, ms }: { run: string; ms: number }) => {
    runs.get(run)?.clock.advance(ms);
    return settled();
  },
  cancel: async ({ run }: { run: string }) => runs.get(run)?.run.cancel(),
  stop: async ({ run }: { run: string }) => runs.get(run)?.run.stop(),
  steer: async ({ run, content }: SteerParams) => runs.get(run)?.run.steer(content),
  switch_model: async ({ run, model }: SwitchModelParams) => runs.get(run)?.run.switchModel(model),
  "tool/progress": async ({ run, id, progress }: ToolProgressParams) => runs.get(run)?.progress.get(id)?.(progress),
  shutdown: async () => {
    setImmediate().then(() => process.exit(0));
    return {};
  },
});

/** The run in which the user says the next thing: all is as before, and the session is what the loop made of it. [DRIVER-23] */
function nextRun({ run, after, input, model }: NextMessageParams): RunParams {
  const before = ended.get(after);
  if (!before) throw new Error(`no run ${after} has ended`);
  const { start, came } = before;
  const { agent, context } = came.result;
  const messages = [...came.session.messages, { role: "user" as const, content: input }];
  const session = { ...came.session, messages };
  return { ...start, run, model, session, agent, ...(context && { context }) };
}

type Conducted = Pick<ResumeParams, "clock_ms"> &
  Pick<
    RunParams,
    | "run"
    | "agents"
    | "model"
    | "clock"
    | "hooks"
    | "guardrails"
    | "dynamic_instructions"
    | "dynamic_tools"
    | "mcp_servers"
    | "trace"
    | "journal"
  >;

interface Setup {
  provider: Provider;
  agents: Record<string, AgentWithTools>;
  hooks: Hook[];
  guardrails: Guardrail[];
  clock?: VirtualClock;
  trace?: TraceContext;
  journal?: Journal;
}

async function conduct(
  params: Conducted,
  begin: (setup: Setup) => Run,
): Promise<Required<Pick<RunResponse, "result" | "session">>> {
  const clock = virtualClock(params.clock_ms);
  await beside(loaded(params.model));
  const provider = await beside(providerFor(params.run, params.model));
  const progress: Current["progress"] = new Map();
  await using servers = await connectMcpServers(params.mcp_servers);
  const agents = servers.addTo(withHandlers(params, progress));
  const hooks = (params.hooks ?? []).map((filter, index) => askedOfKit(params.run, filter, index));
  const guardrails = (params.guardrails ?? []).map((filter, index) => checkedByKit(params.run, filter, index));
  const common = {
    provider,
    agents,
    hooks,
    guardrails,
    ...(params.trace && { trace: params.trace }),
    ...(params.journal && { journal: journalOfKit(params.run) }),
  };
  const run = begin({ ...common, ...(params.clock === "virtual" && { clock }) });
  runs.set(params.run, { run, clock, progress });
  for await (const event of run) kit.notify("event", { run: params.run, event });
  runs.delete(params.run);
  return { result: await run.result, session: await run.session };
}

/** Loads what the loop would load with its first call, for which nobody waits. */
async function loaded({ seam }: ModelAccess): Promise<void> {
  const sdk = seam === "generic" ? undefined : declaredProviders[seam].sdk;
  await Promise.all(["@cfworker/json-schema", ...(sdk === undefined ? [] : [sdk])].map((name) => import(name)));
}

/** Everything that can be done without the kit is done once the event loop has nothing left but its answers. [DRIVER-9] */
async function settled(): Promise<object> {
  do {
    await doneBeside();
    for (let round = 0; round < 3; round += 1) await setImmediate();
  } while (isAnythingBeside());
  return {};
}

function withHandlers(
  { run, agents, dynamic_instructions, dynamic_tools }: Conducted,
  progress: Current["progress"],
): Record<string, AgentWithTools> {
  const withHandler = (tool: Tool): DefinedTool =>
    tool.external || tool.agent !== undefined ? tool : { ...tool, execute: askKit(run, progress) };
  const handled = ({ tools = [], ...agent }: Agent): AgentWithTools => ({
    ...agent,
    ...(dynamic_instructions && { instructions: madeByKit(run) }),
    tools: dynamic_tools
      ? async (told) => (await evaluate<ToolsEvaluateResult>("tools/evaluate", run, told)).tools.map(withHandler)
      : tools.map(withHandler),
  });
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, handled(agent)]));
}

/** The kit is the store of the journal; the loop knows how many records it has. [DRIVER-31] [DRIVER-32] */
function journalOfKit(run: string): Journal {
  return {
    read: async () => (await kit.request<JournalReadResult>("journal/read", { run })).records,
    append: async (records, at) => {
      const { answer } = await kit.request<JournalAppendResult>("journal/append", { run, ...at, records });
      if (answer === "taken") throw new SupersededError();
      if (answer === "failed") throw new Error("the disk of the kit is full");
    },
  };
}

/** Of a hook that the kit has, only the kit knows the point. */
function askedOfKit(run: string, filter: HookFilter, hook: number): Hook {
  const ask = (call: HookCall) => kit.request<HookFireResult>("hook/fire", { run, hook, call });
  return { ...filter, run: ask } as Hook;
}

function checkedByKit(run: string, filter: GuardrailFilter, guardrail: number): Guardrail {
  return {
    ...filter,
    check: (check) => kit.request<GuardrailCheckResult>("guardrail/check", { run, guardrail, check }),
  };
}

function madeByKit(run: string): MakeInstructions {
  return async (told) => (await evaluate<InstructionsEvaluateResult>("instructions/evaluate", run, told)).text;
}

/** Asks a function of the kit that is asked anew in every turn. */
function evaluate<Made>(method: string, run: string, { agent, turn, context }: ToldInTurn): Promise<Made> {
  return kit.request<Made>(method, { run, agent, turn, ...(Object.keys(context).length > 0 && { context }) });
}

type Execute = NonNullable<DefinedTool["execute"]>;

function askKit(run: string, running: Current["progress"]): Execute {
  return async (_input, { call, signal, context, trace, metrics, progress }) => {
    signal.addEventListener("abort", () => kit.notify("tool/abort", { run, id: call.id }), { once: true });
    running.set(call.id, progress);
    try {
      const params = { run, call, ...(Object.keys(context).length > 0 && { context }), ...(trace && { trace }) };
      const { metrics: measured, ...answer } = await kit.request<ToolExecuteResult>("tool/execute", params);
      Object.assign(metrics, measured);
      scribble(context);
      return "returned" in answer ? answer.returned : toolResult(answer);
    } catch (error) {
      if (error instanceof RpcError && error.data?.thrown) {
        throw new ToolError(error.message, { fatal: error.data.fatal === true });
      }
      throw error;
    }
  };
}

/** The adapters are loaded with the first run that has one: processes that the kit ends have none. */
async function providerFor(run: string, access: ModelAccess): Promise<Provider> {
  if (access.seam === "generic") return { name: "generic", invokeModel: genericModel(run) };
  const { providers } = await import("../../../reference/providers/registry.ts");
  const { base_url, api_key, model, transport } = access;
  const { conversation } = access;
  return providers[access.seam].create({ base_url, api_key, model, transport, ...(conversation && { conversation }) });
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

/** Tools may do to their copy of the context variables what they want; nobody may see it. @see TOOL-35 */
function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const entry of Object.values(value)) scribble(entry);
  if (!Array.isArray(value)) (value as Record<string, unknown>)["touched"] = true;
}
