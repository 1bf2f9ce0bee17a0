// What is done at a moment of the run, so that what follows comes after it, whichever program plays the case.

import type { Draft } from "../draft.ts";

/** Moves the clock on wherever the loop waits before it tries again. */
export function letRetriesPass(draft: Draft): void {
  for (const feature of ["retry", "clock.virtual"]) draft.features.add(feature);
  if (draft.actions.some(({ when }) => when.retry)) return;
  for (let retry = 1; retry <= 6; retry += 1) draft.actions.push({ when: { retry }, do: { advance_ms: 10_000 } });
}

/** Does something while a request waits for its answer, or while a tool is held. */
export function act(draft: Draft, something: Draft["actions"][number]["do"]): void {
  const { choose, handlers, actions } = draft;
  const tools = Object.keys(handlers).filter((name) => !handlers[name]!.hold && !handlers[name]!.throw);
  if (tools.length === 0 || choose.happens(0.6))
    return void actions.push({ when: { request: choose.from(1, 3) }, do: something });
  const tool = choose.of(tools);
  handlers[tool] = { ...handlers[tool]!, hold: `held_${tool}` };
  actions.push({ when: { tool_start: tool }, do: something });
  if (something !== "cancel") actions.push({ when: { tool_start: tool }, do: { release: `held_${tool}` } });
}

/** A moment at which a process can be ended: not when a tool begins beside which another loop may have begun others. */
export function anyMoment({ choose, handlers }: Draft): Draft["actions"][number]["when"] {
  const alone = Object.keys(handlers).filter((name) => name !== "look");
  return choose.of([{ request: choose.from(1, 3) }, { tool_start: choose.of(alone) }]);
}
