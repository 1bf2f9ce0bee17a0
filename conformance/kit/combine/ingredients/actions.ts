// What is done at a moment of the run, so that what follows comes after it, whichever program plays the case.

import type { Draft } from "../draft.ts";

/** Moves the clock on wherever the loop waits before it tries again. */
export function letRetriesPass(draft: Draft): void {
  for (const feature of ["retry", "clock.virtual"]) draft.features.add(feature);
  if (draft.actions.some(({ when }) => when.retry)) return;
  for (let retry = 1; retry <= 6; retry += 1) draft.actions.push({ when: { retry }, do: { advance_ms: 10_000 } });
}

/** Does something while a request waits for its answer, a tool is held, or a hook or a guardrail is asked. */
export function act(draft: Draft, something: Draft["actions"][number]["do"]): void {
  const { choose, handlers, actions, given, features } = draft;
  const tools = Object.keys(handlers).filter((name) => !handlers[name]!.hold && !handlers[name]!.throw);
  const askers = [...(given.hooks ? ["hook" as const] : []), ...(given.guardrails ? ["guardrail" as const] : [])];
  // Whether what was said is in a session that a hook sees at the end of its turn is the affair of each loop.
  const isSeen = something === "cancel" && features.has("steering");
  if (askers.length > 0 && !isSeen && choose.happens(0.4))
    return void actions.push({ when: { [choose.of(askers)]: choose.from(1, 3) }, do: something });
  if (tools.length === 0 || choose.happens(0.6))
    return void actions.push({ when: { request: choose.from(1, 3) }, do: something });
  const tool = choose.of(tools);
  handlers[tool] = { ...handlers[tool]!, hold: `held_${tool}` };
  actions.push({ when: { tool_start: tool }, do: something });
  if (something !== "cancel") actions.push({ when: { tool_start: tool }, do: { release: `held_${tool}` } });
}

/** A moment at which a process can be ended, and at which nothing else is done. */
export function freeMoment(draft: Draft): Draft["actions"][number]["when"] {
  const { choose, actions, given } = draft;
  const taken = new Set(actions.map(({ when }) => JSON.stringify(when)));
  const batches = callsOfTurns(draft);
  // In which appends what ends at the same time is written is the affair of each loop.
  const betweenBatches = batches.every(({ length }) => length <= 1) ? (["executing", "turn_boundary"] as const) : [];
  // What a process is asked that goes on behind the last word of another is the affair of each loop.
  const areAskedAtTheEnd = given.hooks?.some(({ point }) => ["stop", "turn_end", "run_end"].includes(point)) ?? false;
  const moments: Draft["actions"][number]["when"][] = [
    ...[1, 2, 3].map((request) => ({ request })),
    ...calledAlone(draft).map((tool) => ({ tool_start: tool })),
    ...(["deciding", ...betweenBatches] as const).map((append) => ({ append })),
    ...(given.hooks && !areAskedAtTheEnd ? [1, 2].map((hook) => ({ hook })) : []),
    ...(given.guardrails ? [1, 2].map((guardrail) => ({ guardrail })) : []),
    ...(actions.some(({ when }) => when.suspended) ? [{ append: "suspended" as const }] : []),
  ];
  return choose.of(moments.filter((when) => !taken.has(JSON.stringify(when))));
}

/** The tools beside whose calls there is never another, which one loop may have begun by then. */
function calledAlone(draft: Draft): string[] {
  const batches = callsOfTurns(draft);
  const inBatches = new Set(batches.filter(({ length }) => length > 1).flat());
  return Object.keys(draft.handlers).filter((name) => !inBatches.has(name) && batches.flat().includes(name));
}

/** The names of the tools that each response calls. */
function callsOfTurns({ turns }: Draft): string[][] {
  return turns.map(({ parts }) => parts.flatMap(({ tool_call: call }) => call?.name ?? []));
}
