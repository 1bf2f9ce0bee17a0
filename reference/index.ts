// What `import … from "agent-loop-spec"` gives.

export { agentLoop, resume, type AgentWithTools, type Run, type RunSetup } from "./agent-loop.ts";
export { realClock, virtualClock, type Clock, type VirtualClock } from "./clock.ts";
export { ToolError } from "./core/execute-tool-calls.ts";
export type {
  ExecutableCall,
  InvokeModel,
  ModelCall,
  Provider,
  StreamEvent,
  ToolContext,
  ToolOutput,
} from "./core/ports.ts";
export { initSession, SPEC_VERSION } from "./core/session.ts";
export { stopTable } from "./core/stop-table.ts";
export { defineTool, type DefinedTool, type FromSchema, type StandardSchema } from "./define-tool.ts";
export { repairSession, type Change } from "./repair.ts";
export { checkSession, type SessionProblem } from "./session-rules.ts";
export type * from "./types.ts";
export type { StopCondition } from "./stop-conditions.ts";
export { validateInput } from "./validate-input.ts";
