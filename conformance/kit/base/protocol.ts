// The table of all driver protocol messages and their schemas, from which both directions are validated.

import type { SchemaType } from "./validate.ts";

/** The protocol version that this kit speaks. */
export const protocolVersion = 1;
/** The version of the specification that this kit tests. */
export const specVersion = "1.0-draft";

interface RequestSchemas {
  params: SchemaType;
  /** Other forms that the parameters may have, by the field that tells them. */
  otherwise?: Readonly<Record<string, SchemaType>>;
  result: SchemaType;
  /** The data of an error that answers the request; absent where an error is never part of the protocol. */
  errorData?: SchemaType;
}

/** The requests of the kit. */
export const kitRequests = {
  initialize: { params: "InitializeParams", result: "InitializeResult" },
  run: {
    params: "RunParams",
    otherwise: { after: "NextMessageParams", input: "WireRunParams" },
    result: "RunResponse",
  },
  resume: { params: "ResumeParams", result: "RunResponse" },
  recover: { params: "RecoverParams", result: "RunResponse" },
  barrier: { params: "BarrierParams", result: "Empty" },
  "clock/advance": { params: "ClockAdvanceParams", result: "Empty" },
  shutdown: { params: "Empty", result: "Empty" },
} as const satisfies Record<string, RequestSchemas>;

/** The notifications of the kit. */
export const kitNotifications = {
  cancel: "CancelParams",
  stop: "StopParams",
  steer: "SteerParams",
  switch_model: "SwitchModelParams",
  "tool/progress": "ToolProgressParams",
} as const satisfies Record<string, SchemaType>;

/** The requests of a driver. */
export const driverRequests = {
  "tool/execute": { params: "ToolExecuteParams", result: "ToolExecuteResult", errorData: "ToolErrorData" },
  "model/invoke": { params: "ModelInvokeParams", result: "ModelInvokeResult", errorData: "ModelErrorData" },
  "hook/fire": { params: "HookFireParams", result: "HookFireResult" },
  "guardrail/check": { params: "GuardrailCheckParams", result: "GuardrailCheckResult" },
  "instructions/evaluate": { params: "InstructionsEvaluateParams", result: "InstructionsEvaluateResult" },
  "tools/evaluate": { params: "ToolsEvaluateParams", result: "ToolsEvaluateResult" },
  "journal/read": { params: "JournalReadParams", result: "JournalReadResult" },
  "journal/append": { params: "JournalAppendParams", result: "JournalAppendResult" },
} as const satisfies Record<string, RequestSchemas>;

/** The notifications of a driver. */
export const driverNotifications = { event: "EventParams", "tool/abort": "ToolAbortParams" } as const satisfies Record<
  string,
  SchemaType
>;

/** The schema of the parameters of a request of the kit. */
export function paramsOf(method: KitRequest, params: object): SchemaType {
  const { params: usual, otherwise = {} }: RequestSchemas = kitRequests[method];
  const form = Object.keys(otherwise).find((field) => field in params);
  return form === undefined ? usual : otherwise[form]!;
}

export type KitRequest = keyof typeof kitRequests;
export type KitNotification = keyof typeof kitNotifications;
export type DriverRequest = keyof typeof driverRequests;
export type DriverNotification = keyof typeof driverNotifications;
