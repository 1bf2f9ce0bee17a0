// What `import … from "agent-loop-spec"` gives.

export { agentLoop, recover, resume, takeTurn, type Run } from "./run/run.ts";
export type { TurnSetup } from "./run/take-turn.ts";
export * from "./run/parts.ts";
export { RunError } from "./run/run-error.ts";
export type { RunSetup } from "./run/setup.ts";
export { standardPlugins } from "./run/plugin-names.ts";
export type {
  Plugin,
  Points,
  RunContext,
  Boundary,
  Verdict as BoundaryVerdict,
  Settle,
  RunTool,
} from "./plugins/plugin.ts";
export type { AgentWithTools } from "./tools/agents.ts";
export { onlyDeltas, onlyMessages, onlyText, type CoreMessage, type Delta } from "./events/filters.ts";
export { realClock, virtualClock, type Clock, type VirtualClock } from "./support/clock.ts";
export { ToolError } from "./core/execute-tool-calls.ts";
export type {
  ExecutableCall,
  InvokeModel,
  ModelCall,
  Provider,
  StreamEvent,
  ToolContext,
  ToolOutput,
  ToolReturn,
} from "./core/ports.ts";
export type { Approve } from "./plugins/tools/permissions.ts";
export type { Approval } from "./state/tool-results.ts";
export type { MakeInstructions, MakeTools, ToldInTurn, TurnInfo } from "./tools/turn-info.ts";
export type { Guardrail } from "./plugins/guardrails.ts";
export type { Hook, HookAt, HookCallAt, HookReplyAt } from "./plugins/hooks/hook-types.ts";
export type { CompactionStrategy, CompactionTask, Replacement } from "./plugins/compaction/strategy.ts";
export type { Classify } from "./plugins/tools/permissions.ts";
export type { Watch, Watcher } from "./events/watchers.ts";
export { subagentTool, type SubagentDefinition } from "./run/subagent-tool.ts";
export { SupersededError, type AppendPosition, type Journal } from "./state/journal-records.ts";
export { streamInput } from "./patterns/stream-input.ts";
export { toolResult } from "./tools/tool-output.ts";
export { defineTool, type DefinedTool, type FromSchema } from "./tools/define-tool.ts";
export { outputFormat, type TypedFormat } from "./tools/output-format.ts";
export type { StandardSchema } from "./tools/standard-schema.ts";
export { repairSession, type Change } from "./state/repair-session.ts";
export { checkSession, type SessionProblem } from "./state/check-session.ts";
export { forkSession, readSession, spliceSession, type Input } from "./state/edit-session.ts";
export type * from "../schemas/types.ts";
export type { LockSession, ReleaseSession } from "./plugins/turns/session-lock.ts";
export type { StopCondition } from "./plugins/turns/stop-conditions.ts";
export { validateInput } from "./tools/validate-input.ts";
