// Lives a scenario through with the states of its runs watched, and reads its events beside: both have to say the same.
// For tests that have `watchable` in the place of the core.

import { live } from "../../../../reference/testing/live.ts";
import type { Life } from "../../../../reference/testing/live.ts";
import type { Scenario } from "../../../../reference/testing/scenario.ts";
import type { Phase } from "../../../../schemas/types.ts";
import { transitionsOf } from "../transitions.ts";
import type { Transition } from "../transitions.ts";

/** As much of a state as is compared. */
export type Seen = [phase: Phase, turn: number, messages: number];

/** A run: where its states went, where its events say that they went, and the transitions that were read of these. */
export interface Compared {
  segment: Life["segments"][number];
  watched: Seen[];
  read: Seen[];
  transitions: Transition[];
}

/** The runs of a scenario except the last one, which is not watched. */
export async function compare(scenario: Scenario): Promise<Compared[]> {
  const runs: Seen[][] = [];
  const { segments } = await live(scenario, {
    state: ({ phase, turn, session }) => {
      const isFirst = runs.length === 0 || ["done", "suspended"].includes(runs.at(-1)!.at(-1)![0]);
      if (isFirst) runs.push([]);
      runs.at(-1)!.push([phase, turn, session.messages.length]);
    },
  });
  return segments.slice(0, runs.length).map((segment, at) => {
    const [begun, ...watched] = joined(runs[at]!);
    const { messages: before } = segment.begun;
    const transitions = transitionsOf({
      title: "",
      notes: [],
      before,
      events: segment.events,
      options: scenario.options,
    });
    const reached = transitions.map(({ to }): Seen => [to.phase, to.turn, to.messages]);
    // A resumed run begins where its caller has decided already.
    return { segment, watched, read: begun![0] === "executing" ? reached.slice(1) : reached, transitions };
  });
}

/** What is appended at several points between two turns is shown as one transition. */
function joined(states: readonly Seen[]): Seen[] {
  return states.filter(
    ([phase], at) => !(phase === "turn_boundary" && states[at - 1]?.[0] === phase && states[at + 1]?.[0] === phase),
  );
}
