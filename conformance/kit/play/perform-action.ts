// Does what a case does to a run, and waits until the driver has dealt with it.

import type { Do } from "../../../schemas/types.ts";
import { checkWaiting } from "../checks/waiting.ts";
import type { Quiet } from "./quiet.ts";
import type { RunState } from "./run-state.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import type { StuckWatch } from "./stuck-watch.ts";

/** Performs one action of a case. Resolves when the driver has received it. */
export async function performAction(act: Do, run: RunState, quiet: Quiet, watch: StuckWatch): Promise<void> {
  const { connection, run: name } = run.input;
  if (act === "cancel" || act === "stop") {
    if (act === "cancel") cancel(run);
    connection.notify(act, { run: name });
    // Whatever waits for this action continues only after the driver has received it.
    if (run.hasBarrier) await quiet.lasting(1);
    run.hasReceivedCancel = run.isCancelled;
    // A framework may wait for its tools, and has no word with which to signal them: those that are held end by themselves.
    if (act === "cancel" && isWireDriver(run.input.driver)) run.gates.openAll();
    return watch.begin();
  }
  if (act.steer !== undefined) {
    run.seen.expected.steer(act.steer);
    connection.notify("steer", { run: name, content: act.steer });
    if (run.hasBarrier) await quiet.lasting(1);
    return watch.begin();
  }
  if (act.switch_model !== undefined) {
    connection.notify("switch_model", { run: name, model: act.switch_model });
    if (run.hasBarrier) await quiet.lasting(1);
    return watch.begin();
  }
  if (act.advance_ms !== undefined) {
    if (run.hasBarrier) await quiet.lasting(1);
    run.fail(checkWaiting(run.seen));
    unsettleRunning(run);
    run.elapsedMs += act.advance_ms;
    if (isOutOfTime(run)) {
      // A function makes the instructions of a turn, in which no model is asked now. @see LOOP-136
      if (run.seen.instructions.at(-1)?.hasEnded === false) run.seen.disturbed = true;
      if (run.seen.executions.some(({ end }) => end === undefined)) run.seen.ranOutOfTime = true;
    }
    await connection.request("clock/advance", { run: name, ms: act.advance_ms });
    run.tick();
    return watch.begin();
  }
  if (act.end_process !== undefined) return await run.endProcess(act.end_process);
  if (act.run_again) {
    run.onRunAgain();
    if (run.hasBarrier) await quiet.lasting(1);
    return watch.begin();
  }
  if (act.run_beside !== undefined) {
    run.onRunBeside(act.run_beside);
    if (run.hasBarrier) await quiet.lasting(1);
    return watch.begin();
  }
  for (const gate of [act.release ?? []].flat()) {
    run.gates.open(gate);
    // The driver has processed one completed tool before the next completes.
    if (run.hasBarrier) await quiet.lasting(1);
  }
}

function cancel(run: RunState): void {
  run.isCancelled = true;
  for (const one of [run.seen, ...run.seen.subruns]) one.disturbed = true;
  unsettleRunning(run);
}

function isOutOfTime({ seen, elapsedMs }: RunState): boolean {
  return elapsedMs >= (seen.filled.case.given.options?.deadline_ms ?? Infinity);
}

/** What a running tool answers from now on may come too late to count. */
function unsettleRunning({ seen }: RunState): void {
  for (const { id, end } of seen.executions) {
    if (end === undefined) for (const run of [seen, ...seen.subruns]) run.expected.unsettled(id);
  }
}
