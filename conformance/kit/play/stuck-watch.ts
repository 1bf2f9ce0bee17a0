// Detects stuck runs: when nothing is pending and something is held, the run would hang forever.

import { describeWhen } from "./actions.ts";
import type { Actions } from "./actions.ts";
import { toolsOf } from "../suite/case-agents.ts";
import { quietRounds } from "./quiet.ts";
import type { Quiet } from "./quiet.ts";
import { isWireDriver } from "../suite/wire-driver.ts";
import type { RunState } from "./run-state.ts";

/** For how many rounds of rest a driver that cannot be asked is silent before its run counts as stuck. */
const silentRounds = 20;

/** The watch over what one run holds. */
export class StuckWatch {
  readonly #run: RunState;
  readonly #quiet: Quiet;
  readonly #actions: Actions;
  #isWatching = false;

  constructor(run: RunState, quiet: Quiet, actions: Actions) {
    this.#run = run;
    this.#quiet = quiet;
    this.#actions = actions;
  }

  /** While tools, hooks, guardrails, functions or writes are held, makes sure that the run cannot hang. */
  begin(): void {
    if (this.#isWatching || this.#run.isOver || waitsForRealTime(this.#run)) return;
    this.#isWatching = true;
    this.#untilReleased().catch((error: unknown) => this.#run.break(error));
  }

  async #untilReleased(): Promise<void> {
    const run = this.#run;
    while (!run.isOver && run.gates.held > 0) {
      const before = run.clock;
      await this.#idle();
      if (run.isOver || run.gates.held === 0) break;
      if (this.#actions.busy || run.clock !== before) continue;
      if (this.#isWireBusy()) await run.nextSign();
      else this.#stuck();
    }
    this.#isWatching = false;
  }

  /** Resolves when the driver is idle, for so long that nothing more will come of it; or when nothing is held any more. */
  async #idle(): Promise<void> {
    const { input, gates } = this.#run;
    if (!isWireDriver(input.driver)) return await this.#quiet.lasting(quietRounds);
    // One that cannot be asked may be busy with itself; what is held is let go only when it has long been silent.
    for (let round = 0; round < silentRounds && !this.#run.isOver && gates.held > 0; round += 1) {
      const before = this.#run.clock;
      await this.#quiet.lasting(1);
      if (this.#run.clock !== before) round = -1;
    }
  }

  /** A piece of an answer is on its way, or a request or the end of an answer: the driver waits, and the kit is not answering it. */
  #isWireBusy(): boolean {
    const { input, traffic, serving } = this.#run;
    return this.#quiet.isPending || (input.variant.seam !== "generic" && traffic.waitingRuns > serving());
  }

  #stuck(): void {
    const { seen, gates } = this.#run;
    const running = seen.executions.filter(({ end }) => end === undefined).map(({ name }) => name);
    const waiting = this.#actions.waiting.map(({ when }) => describeWhen(when));
    const reason = waiting.length > 0 ? `the case waits until ${waiting.join(", and until ")}` : "the run did not end";
    const held =
      running.length > 0 ? `${running.join(" and ")} ${running.length > 1 ? "run" : "runs"}` : "an answer is held";
    const message = `the run is stuck while ${held}; ${reason}`;
    seen.disturbed = true;
    this.#run.fail([{ code: "stuck", message, received: running }]);
    gates.openAll();
  }
}

/** Whether a real-time timer may still fire. */
function waitsForRealTime({ usesClock, input }: RunState): boolean {
  if (usesClock) return false;
  const { given } = input.filled.case;
  const hasGrace = (given.options?.cancel_grace_ms ?? 0) > 0;
  const isTimed = toolsOf(given).some(({ timeout_ms }) => timeout_ms !== undefined);
  const { tool_timeout_ms, hook_timeout_ms } = given.options ?? {};
  return tool_timeout_ms != null || hook_timeout_ms != null || hasGrace || isTimed;
}
