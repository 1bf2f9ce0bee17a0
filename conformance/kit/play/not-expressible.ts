// The answer of a driver that a run cannot be said in its framework.

import type { Observation } from "../observed/observation.ts";

/** Thrown where a driver of level wire has said so. It is counted and shown, and never a pass. @see DRIVER-25 */
export class NotExpressible extends Error {
  override readonly name = "NotExpressible";
  /** The model had been asked, or a tool executed: it has been said after all. */
  readonly wasBegun: boolean;

  constructor(why: string, { requests, executions }: Pick<Observation, "requests" | "executions">) {
    super(why);
    this.wasBegun = requests.length + executions.length > 0;
  }
}
