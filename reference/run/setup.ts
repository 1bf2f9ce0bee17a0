// The setup, source, controls and outcome of a run.

import type {
  Message,
  ModelSettings,
  ResumeDecision,
  RunOptions,
  RunResult,
  RunStartEvent,
  Session,
  Snapshot,
  TraceContext,
} from "../../schemas/types.ts";
import type { EventBody, ExecutableCall, Provider } from "../core/ports.ts";
import type { Watch } from "../events/watchers.ts";
import type { CompactionSetup } from "../plugins/compaction/compaction.ts";
import type { GuardrailSetup } from "../plugins/guardrails.ts";
import type { HookSetup } from "../plugins/hooks/hooks.ts";
import type { JournalSetup } from "../plugins/journal.ts";
import type { RetrySetup } from "../plugins/model/retry.ts";
import type { IdSetup } from "../plugins/model/unique-call-ids.ts";
import type { ChildHandle, Inbox, Plugin } from "../plugins/plugin.ts";
import type { PermissionSetup } from "../plugins/tools/permissions.ts";
import type { SessionLockSetup } from "../plugins/turns/session-lock.ts";
import type { StopSetup } from "../plugins/turns/stop-conditions.ts";
import type { Journal } from "../state/journal-records.ts";
import type { Clock } from "../support/clock.ts";
import type { AgentWithTools } from "../tools/agents.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { TypedFormat } from "../tools/output-format.ts";
import type { MakeInstructions, MakeTools } from "../tools/turn-info.ts";

/** What a run needs, whether it starts or resumes. Either `agents` and `agent`, or the fields of a single agent. */
export interface RunSetup<Output = unknown>
  extends
    SessionLockSetup,
    StopSetup,
    GuardrailSetup,
    HookSetup,
    PermissionSetup,
    CompactionSetup,
    JournalSetup,
    RetrySetup,
    IdSetup {
  provider: Provider;
  agents?: Record<string, AgentWithTools>;
  /** The active agent. Default: the only one. */
  agent?: string;
  instructions?: string | MakeInstructions;
  model?: string;
  settings?: ModelSettings;
  tools?: DefinedTool[] | MakeTools;
  options?: RunOptions & { output_format?: TypedFormat<Output> };
  /** The context variables: a JSON object, which is copied. @see TOOL-32 */
  context?: Record<string, unknown>;
  /**
   * Your plug-ins, outermost first. By default they stand between the standard plug-ins `hooks` and `dynamic-instructions`.
   * Subagents inherit them.
   */
  use?: readonly Plugin[];
  /** Observers of the run and of its subagents: telemetry, a debugger. A run without watchers pays nothing for them. */
  watch?: Watch[];
  /** The trace that the run belongs to. It is passed to tools and subagents. @see TOOL-36 */
  trace?: TraceContext;
  /** The call that started the run, if it is the run of a subagent. @see EVENT-21 */
  parent?: NonNullable<RunStartEvent["parent"]>;
  /** Cancels the run when it aborts. */
  signal?: AbortSignal;
  /**
   * Whether an error is yours and not the run's, such as one with which an engine gives the run up. Where a tool, a hook, a guardrail,
   * a provider, a journal or any other function of the setup throws one, the run has no result: nothing more of it is executed,
   * emitted or written, its tools are signalled to stop, and `result`, `session` and the events reject with the error. Subagents
   * inherit it.
   */
  rethrow?: (error: unknown) => boolean;
  clock?: Clock;
}

/** Where a run starts: on a session, at a suspension, or where the process of a run ended. */
export type RunSource =
  | { session: Session }
  | { snapshot: Snapshot; decisions: ResumeDecision[] }
  | { journal: Journal };

/** The connections of a run to its caller. */
export interface Controls {
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  inbox: Inbox & { steering: Message[] };
  emit(event: EventBody): void;
  /** The trace context for the tool of a call. Absent: no tool has one. */
  traceOf?(call: ExecutableCall): TraceContext | undefined;
  /** Starts another run. */
  start(source: RunSource, setup: RunSetup): ChildHandle;
}

/** The result of a run, and the session after it. */
export interface RunOutcome {
  result: RunResult;
  session: Session;
}
