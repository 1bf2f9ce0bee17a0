// Makes a case in which features meet that nobody has put together by hand.

import type { Case, ModelEntry } from "../../../schemas/types.ts";
import { allVariants } from "../suite/variant.ts";
import type { Variant } from "../suite/variant.ts";
import { Choice } from "./choice.ts";
import { plainDraft, tokens } from "./draft.ts";
import type { Draft, Ingredient, Turn } from "./draft.ts";
import { ingredients } from "./ingredients/all.ts";

/** A case made of ingredients. The same number and names make the same case. */
export interface Combination {
  number: number;
  /** The name of the variant on which it is played. */
  variant: Variant["name"];
  /** The names of its ingredients. */
  ingredients: string[];
  case: Case;
}

/** The names of all ingredients, in the order in which they are added. */
export const ingredientNames: readonly string[] = ingredients.map(({ name }) => name);

/** Every two ingredients that can meet. */
const pairs = ingredients.flatMap((left, at) =>
  ingredients.slice(at + 1).flatMap((right) => (canMeet(left, right) ? [[left, right] as const] : [])),
);

/** In so many combinations with successive numbers each two ingredients meet at least once. */
export const pairCount = pairs.length;

/**
 * Makes the combination of a number: two ingredients that the number stands for, and up to three more.
 * @param wanted names of ingredients that are in it, too
 * @param variant on which it is played; absent: generic
 */
export function makeCombination(
  number: number,
  wanted: readonly string[] = [],
  variant?: Variant["name"],
): Combination {
  const choose = new Choice(number, "ingredients");
  // A step that has no factor in common with the count goes through all of them, one far from the last.
  const pair = pairs[(number * 997) % pairs.length]!;
  const taken: Ingredient[] = [];
  const take = (one: Ingredient) => {
    if (!taken.includes(one) && taken.every((other) => canMeet(one, other))) taken.push(one);
  };
  ingredients.filter(({ name }) => wanted.includes(name)).forEach(take);
  pair.forEach(take);
  for (let more = choose.from(0, 3); more > 0; more -= 1) take(choose.of(ingredients));
  return combinationOf(
    number,
    taken.map(({ name }) => name),
    variant,
  );
}

/** The variants on which a combination is played where none are named: generic, and each of those of providers in turn. */
export function variantsOfNumber(number: number): Combination["variant"][] {
  const [generic, ...others] = allVariants.map(({ name }) => name);
  return [generic!, others[number % others.length]!];
}

/** Makes the combination of a number with these ingredients and no others. */
export function combinationOf(
  number: number,
  names: readonly string[],
  variant: Variant["name"] = "generic",
): Combination {
  const chosen = ingredients.filter(
    ({ name, generic }) => names.includes(name) && (variant === "generic" || generic === undefined),
  );
  const draft = plainDraft(new Choice(number, "plain"));
  for (const { name, features, add } of chosen) {
    for (const feature of features) draft.features.add(feature);
    draft.choose = new Choice(number, name);
    add(draft);
  }
  const found = chosen.map(({ name }) => name);
  const title = `Combination ${number} over ${variant}: ${found.join(", ")}`;
  return { number, variant, ingredients: found, case: { ...caseOf(draft, title), variants: filterOf(variant) } };
}

function canMeet(left: Ingredient, right: Ingredient): boolean {
  return !left.without?.includes(right.name) && !right.without?.includes(left.name);
}

function caseOf(draft: Draft, title: string): Case {
  const { given, options, agents, tools, handlers, turns, inside, actions, next, features } = draft;
  const withTools = Object.entries(agents).map(([name, agent]) => [name, agent.tools ? agent : { ...agent, tools }]);
  // Who asks more often than another is answered, too: that it did is what is found.
  const spare = Array.from({ length: 6 }, (): ModelEntry => ({ text: "{{more}}.", usage: tokens(10, 5) }));
  return {
    title,
    since: "1.1",
    requires: ["LOOP-1"],
    features: [...features],
    given: {
      messages: [{ role: "user", content: "{{task}}" }],
      ...given,
      agents: Object.fromEntries(withTools),
      agent: "first",
      handlers,
      ...(Object.keys(options).length > 0 && { options }),
    },
    model: [...turns.flatMap(entriesOf), ...inside, ...spare],
    ...(actions.length > 0 && { actions }),
    ...(next.length > 0 && { next }),
    expect: {},
  };
}

/** Leaves one variant of a case. */
function filterOf(name: Variant["name"]): NonNullable<Case["variants"]> {
  const variant = allVariants.find((one) => one.name === name)!;
  if (variant.seam === "generic") return { seams: ["generic"] };
  return { seams: ["wire"], providers: [variant.seam], transports: [variant.transport] };
}

function entriesOf({ before, parts, stopReason, usage, behind }: Turn): ModelEntry[] {
  const response = { respond: parts, ...(stopReason && { stop_reason: stopReason }), usage: usage ?? tokens(10, 5) };
  return [...before, response, ...behind];
}
