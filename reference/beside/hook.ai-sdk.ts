// Code of the caller before a call: it may forbid it, and give a reason.

import type { ToolApprovalStatus, ToolSet, TypedToolCall } from "ai";

export const onlyNotes = ({ toolCall }: { toolCall: TypedToolCall<ToolSet> }): ToolApprovalStatus =>
  toolCall.toolName === "remove" ? { type: "denied", reason: "The notes are not yours." } : "not-applicable";
