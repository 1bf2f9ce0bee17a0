// Says which schema each validated type stands for; the validators are generated from this list.

const own = {
  Session: "session.schema.json",
  Message: "message.schema.json",
  Part: "part.schema.json",
  Tool: "tool.schema.json",
  Agent: "agent.schema.json",
  Event: "event.schema.json",
  ExtensionEvent: "extension.schema.json#/$defs/ExtensionEvent",
  RunOptions: "run-options.schema.json",
  RunResult: "run-result.schema.json",
  Snapshot: "snapshot.schema.json",
  JournalRecord: "journal.schema.json",
  Usage: "usage.schema.json",
  LoopError: "error.schema.json",
  PriceTable: "price-table.schema.json",
  Permissions: "permissions.schema.json",
  ResumeDecision: "decision.schema.json",
  ModelRequest: "model.schema.json#/$defs/ModelRequest",
  ModelResponse: "model.schema.json#/$defs/ModelResponse",
  Fixture: "fixture.schema.json",
  Case: "case.schema.json",
  Expectation: "expectation.schema.json",
  ReportLine: "report.schema.json",
  KnownFailures: "known-failures.schema.json",
  Manifest: "manifest.schema.json",
  ProbeScenario: "probe-scenario.schema.json",
  AgentProgram: "agent-program.schema.json",
  Peer: "peer.schema.json",
  Matrix: "matrix.schema.json",
  TrackStage: "track-stage.schema.json",
  TrackProgress: "track-progress.schema.json",
  TrackScore: "track-score.schema.json",
} as const;

/** The messages of the driver protocol, one definition each. */
export const driverMessages = [
  "InitializeParams",
  "InitializeResult",
  "RunParams",
  "NextMessageParams",
  "WireRunParams",
  "RunResponse",
  "ResumeParams",
  "RecoverParams",
  "BarrierParams",
  "ClockAdvanceParams",
  "CancelParams",
  "StopParams",
  "SteerParams",
  "ToolProgressParams",
  "SwitchModelParams",
  "Empty",
  "ToolExecuteParams",
  "ToolExecuteResult",
  "ToolErrorData",
  "ToolAbortParams",
  "ModelInvokeParams",
  "ModelInvokeResult",
  "ModelErrorData",
  "HookFireParams",
  "HookFireResult",
  "GuardrailCheckParams",
  "GuardrailCheckResult",
  "InstructionsEvaluateParams",
  "InstructionsEvaluateResult",
  "ToolsEvaluateParams",
  "ToolsEvaluateResult",
  "JournalReadParams",
  "JournalReadResult",
  "JournalAppendParams",
  "JournalAppendResult",
  "EventParams",
] as const;

type DriverMessage = (typeof driverMessages)[number];

/** The types that `validate` knows. */
export type SchemaType = keyof typeof own | DriverMessage;

/** Where the schema of each type is, as a `$ref` below `schemas/`. */
export const schemaRefs: Readonly<Record<SchemaType, string>> = {
  ...own,
  ...(Object.fromEntries(driverMessages.map((name) => [name, `driver.schema.json#/$defs/${name}`])) as Record<
    DriverMessage,
    string
  >),
};
