// What the players of one run share: where it stands, the case's actions, and the proof that nothing more happens.

import { Actions } from "./actions.ts";
import { ClockWatch } from "./clock-watch.ts";
import { performAction } from "./perform-action.ts";
import { Quiet } from "./quiet.ts";
import { RunState } from "./run-state.ts";
import type { CaseRunInput } from "./run-state.ts";
import { StuckWatch } from "./stuck-watch.ts";

/** What is shared in one run. */
export class RunContext extends RunState {
  readonly actions: Actions;
  /** What is waited for until the driver has dealt with it. */
  readonly quiet = new Quiet(this);
  readonly #watch: StuckWatch;

  constructor(input: CaseRunInput) {
    super(input);
    this.actions = new Actions(input.filled.case.actions ?? [], (act) =>
      performAction(act, this, this.quiet, this.#watch),
    );
    this.#watch = new StuckWatch(this, this.quiet, this.actions);
  }

  /**
   * Where the case moves the clock, makes sure that a loop which waits for another time is found. Settles when the run is over and
   * what the watch found is noted: the loop may answer while the watch is still moving the clock.
   */
  async watchClock(): Promise<void> {
    await new ClockWatch(this, this.quiet, this.actions).begin();
  }

  /** Fires the actions whose time has come; settles when they are done. Their errors end the run, awaited or not. */
  async fire(): Promise<void> {
    try {
      await this.actions.fire();
    } catch (error) {
      this.break(error);
    }
  }

  /** A function of the case was asked: answers at once, or when its gate is open. Settles when it has answered, or waits. */
  async evaluated(gate: string | undefined, answer: () => void): Promise<void> {
    const { life } = this;
    this.actions.sightings.evaluations += 1;
    const fired = this.fire();
    const answerInItsLife = () => {
      if (life === this.life) answer(); // not to the process that came after
    };
    if (gate === undefined) return await fired.then(answerInItsLife);
    this.gates.wait(gate, answerInItsLife);
    this.watch();
  }

  /** While tools, hooks, guardrails, functions or writes are held, makes sure that the run cannot hang. */
  watch(): void {
    this.#watch.begin();
  }
}
