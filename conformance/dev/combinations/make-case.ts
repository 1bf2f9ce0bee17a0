// Puts a case together of ingredients that a seed chooses: features that meet in one run.

import type { Case, ModelEntry } from "../../../schemas/types.ts";
import { Choice, plainDraft, tokens } from "./draft.ts";
import type { Draft, Turn } from "./draft.ts";
import { ingredients } from "./ingredients.ts";
import type { Ingredient } from "./ingredients.ts";

/** A case that nobody wrote, and what met in it. */
export interface Combination {
  id: string;
  ingredients: string[];
  case: Case;
}

/** The features of a run of which nothing is expected but that it is the same wherever it is played. */
const tested = "LOOP-1";

/**
 * Makes the combination of a seed.
 * @param wanted names of ingredients that it has in any case
 */
export function makeCombination(seed: number, wanted: readonly string[] = []): Combination {
  const choose = new Choice(seed, "combination");
  const draft = plainDraft(choose);
  const chosen = pick(choose, wanted);
  for (const { features, add } of chosen) {
    for (const feature of features) draft.features.add(feature);
    add(draft);
  }
  return {
    id: `combined/${seed}`,
    ingredients: chosen.map(({ name }) => name),
    case: caseOf(draft, `combined/${seed} ${chosen.map(({ name }) => name).join(", ")}`),
  };
}

function pick(choose: Choice, wanted: readonly string[]): Ingredient[] {
  const count = choose.from(2, 5);
  const taken = ingredients.filter(({ name }) => wanted.includes(name));
  const left = ingredients.filter((one) => !taken.includes(one));
  while (taken.length < count && left.length > 0) {
    const one = left.splice(choose.from(0, left.length - 1), 1)[0]!;
    if (taken.every((other) => !one.without?.includes(other.name) && !other.without?.includes(one.name)))
      taken.push(one);
  }
  // In the order of the list, so that what acts on all calls finds them all.
  return ingredients.filter((one) => taken.includes(one));
}

function caseOf(draft: Draft, title: string): Case {
  const { given, options, agents, tools, handlers, turns, inside, actions, next, features } = draft;
  const withTools = Object.entries(agents).map(([name, agent]) => [name, agent.tools ? agent : { ...agent, tools }]);
  const model = turns.flatMap(entriesOf);
  // What is asked beyond the script of the turns is answered, too: who asks more often than another is found by the count.
  const spare: ModelEntry[] = Array.from({ length: 6 }, () => ({ text: "{{more}}.", usage: tokens(10, 5) }));
  return {
    title,
    requires: [tested],
    features: [...features],
    given: {
      messages: [{ role: "user", content: "{{task}}" }],
      ...given,
      agents: Object.fromEntries(withTools),
      agent: "first",
      handlers,
      ...(Object.keys(options).length > 0 && { options }),
    },
    model: [...model, ...inside, ...spare],
    ...(actions.length > 0 && { actions }),
    ...(next.length > 0 && { next }),
    expect: {},
  } as Case;
}

function entriesOf({ before, parts, stopReason, usage, behind }: Turn): ModelEntry[] {
  return [
    ...before,
    { respond: parts, ...(stopReason && { stop_reason: stopReason }), usage: usage ?? tokens(10, 5) },
    ...behind,
  ];
}
