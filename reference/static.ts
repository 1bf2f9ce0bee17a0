// What `import … from "agent-loop-spec/static"` gives: the loop for sandboxes, which load nothing later and have little but the language.

import { Validator } from "@cfworker/json-schema";

import { executeRun } from "./run/execute-run.ts";
import { runner, type Run } from "./run/open-run.ts";
import type { RunSetup } from "./run/setup.ts";
import { turnTaker } from "./run/take-turn.ts";
import { sessionOf, type SessionOrInput } from "./state/edit-session.ts";
import type { Journal } from "./state/journal-records.ts";
import { problemsBySchema } from "./tools/standard-schema.ts";
import { validateWithLibrary } from "./tools/validate-with-library.ts";
import type { ResumeDecision, Snapshot } from "../schemas/types.ts";

const validateInput = validateWithLibrary(() => ({ Validator }));
const start = runner(
  () => (source, setup, controls) =>
    executeRun(source, setup, controls, (schema, value) => problemsBySchema(schema, value, validateInput)),
);

/** As `agentLoop` of the package. Of the platform it needs `AbortController` and `URL`, and `setTimeout` unless the setup has a clock. @see LOOP-1 */
export function agentLoop<Output = unknown>(setup: RunSetup<Output> & SessionOrInput): Run<Output> {
  return start<Output>({ session: sessionOf(setup) }, setup);
}

/** As `resume` of the package. @see LOOP-36 */
export function resume(setup: RunSetup & { snapshot: Snapshot; decisions: ResumeDecision[] }): Run {
  return start(setup, setup);
}

/** As `recover` of the package. @see JOURNAL-6 */
export function recover(setup: RunSetup & { journal: Journal }): Run {
  return start({ journal: setup.journal }, setup);
}

/** As `takeTurn` of the package. @see JOURNAL-6 */
export const takeTurn = turnTaker(start);

export * from "./run/parts.ts";
export type { TurnSetup } from "./run/take-turn.ts";
export { type Run } from "./run/open-run.ts";
export type { RunSetup } from "./run/setup.ts";
export { RunError } from "./run/run-error.ts";
export { virtualClock, type Clock, type VirtualClock } from "./support/clock.ts";
export { ToolError } from "./core/execute-tool-calls.ts";
export { subagentTool, type SubagentDefinition } from "./run/subagent-tool.ts";
export { SupersededError, type AppendPosition, type Journal } from "./state/journal-records.ts";
export { defineTool, type DefinedTool } from "./tools/define-tool.ts";
export { toolResult } from "./tools/tool-output.ts";
export type * from "../schemas/types.ts";
