// Something about a response ends the run: its calls are not executed. Plugs into `decide`, `settle` and `boundary`.

import type { Ports } from "../core/ports.ts";
import { denied } from "../plugins/tools/permissions.ts";
import type { Settle } from "./join-verdicts.ts";
import type { Ending } from "../../schemas/types.ts";

/** Ends a run from inside one of its points. */
export interface Tripwire {
  /** The run is to end like this. The first one that says so is heard. */
  trip(ending: Ending): void;
  /** How the run is to end, if somebody said so. */
  tripped(): Ending | undefined;
  /** Answers every call from then on. @see HOOK-12 */
  guard(decide: Ports["decide"]): Ports["decide"];
  settle: Settle | undefined;
  /** Comes first: also a run that would end otherwise, or be kept from it, ends like this. */
  before(boundary: Ports["boundary"]): Ports["boundary"];
}

export function tripwire(): Tripwire {
  let ending: Ending | undefined;
  return {
    trip: (one) => void (ending ??= one),
    tripped: () => ending,
    guard: (decide) => async (call, state) => {
      const decision = ending ? undefined : await decide(call, state);
      return ending ? denied(call, ending.reason ?? "the run ends") : decision!;
    },
    settle: () => (ending ? { ending } : {}),
    before: (boundary) => async (state) => (ending ? { do: "end", ending } : boundary(state)),
  };
}

/** What a run has that nobody ends like this. */
export const noTripwire: Tripwire = {
  trip: () => {},
  tripped: () => undefined,
  guard: (decide) => decide,
  settle: undefined,
  before: (boundary) => boundary,
};
