// What the loop is made of, for engines that conduct it step by step; both entries of the package give it.

/** One transition of the state machine, over a state that is JSON: the unit of an engine. @see LOOP-1 */
export { agentLoop as takeSteps, plainPoints, step } from "../core/agent-loop.ts";
export { initSession, initState, modelRequest, SPEC_VERSION } from "../core/session.ts";
export { stopTable } from "../core/stop-table.ts";
export type { Answer, Executed, Ports, State } from "../core/ports.ts";
/** What the records of a journal amount to, with the tools of the last batch that were started and have ended. */
export { fold, foldJournal, type FinishedTool, type Folded } from "../state/journal-records.ts";
/** The calls that wait for the caller of a suspended state, with the hashes to which approvals are bound. @see LOOP-35 */
export { pendingCalls } from "../state/pending-calls.ts";
