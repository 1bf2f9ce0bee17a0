// Instructions out of named layers: what never changes comes first, so that every request begins with the same text.

import type { MakeInstructions } from "../plugins/model/dynamic-instructions.ts";

/** A part of the instructions. */
export interface PromptLayer {
  name: string;
  text: string | MakeInstructions;
  /** Layers with a lower number come first. Default: 0. */
  priority?: number;
  /** What it is about. A layer without tags is always there. */
  tags?: string[];
  /** Whose layer it is, for messages to people. */
  owner?: string;
  /** The name of a layer that this one follows, and without which it is not there. Below a volatile layer all are volatile. */
  parent?: string;
  /** Its text changes within a run, so it comes after those whose text does not. A function is volatile unless it says `false`. */
  volatile?: boolean;
}

/** Which layers there are: those without tags, and those of which `tags` names one. Default: all. */
export interface LayerFilter {
  tags?: string[];
}

/**
 * Instructions for an agent: the layers in order, stable before volatile, then by priority, then by name, each after its parent,
 * with a blank line between them. Layers without text are left out. Every function is asked in every turn.
 * @throws TypeError where two layers have one name, a parent does not exist, or parents form a circle
 * @see LOOP-74
 */
export function promptLayers(layers: PromptLayer[], filter: LayerFilter = {}): MakeInstructions {
  const ordered = orderedLayers(layers, filter);
  return async (told) => {
    const texts = await Promise.all(ordered.map(async ({ text }) => (typeof text === "function" ? text(told) : text)));
    return texts.filter((text) => text !== "").join("\n\n");
  };
}

/** The layers that a filter leaves, in the order in which they are said. @throws TypeError as {@link promptLayers} */
export function orderedLayers(layers: PromptLayer[], { tags }: LayerFilter = {}): PromptLayer[] {
  const byName = new Map(layers.map((layer) => [layer.name, layer]));
  if (byName.size < layers.length) {
    const twice = layers.find((layer) => byName.get(layer.name) !== layer)!;
    throw new TypeError(`Two prompt layers are called ${described(twice)}. Give each a name of its own.`);
  }
  const chains = new Map(layers.map((layer) => [layer.name, chainOf(layer, byName)]));
  const isThere = (layer: PromptLayer) => !tags || !layer.tags || layer.tags.some((tag) => tags.includes(tag));
  return layers
    .filter(({ name }) => chains.get(name)!.every(isThere))
    .toSorted((one, other) => compareChains(chains.get(one.name)!, chains.get(other.name)!));
}

/** A layer after its parent, that one's parent, and so on: the farthest comes first. */
function chainOf(layer: PromptLayer, byName: Map<string, PromptLayer>): PromptLayer[] {
  const chain = [layer];
  for (let at = layer; at.parent !== undefined; chain.unshift(at)) {
    const parent = byName.get(at.parent);
    if (!parent) {
      const known = [...byName.keys()].join(", ");
      throw new TypeError(
        `The parent ${JSON.stringify(at.parent)} of ${described(at)} does not exist. Layers: ${known}.`,
      );
    }
    if (chain.includes(parent)) {
      const circle = [parent, ...chain.slice(0, chain.indexOf(parent) + 1)].map(({ name }) => name).join(" → ");
      throw new TypeError(`The parents of prompt layers form a circle: ${circle}. Take one parent away.`);
    }
    at = parent;
  }
  return chain;
}

/** Stable before volatile; then where the chains part, by priority and name; a parent before its children. */
function compareChains(one: PromptLayer[], other: PromptLayer[]): number {
  const changes = Number(one.some(isVolatile)) - Number(other.some(isVolatile));
  if (changes !== 0) return changes;
  const parting = one.findIndex((layer, at) => layer !== other[at]);
  const [left, right] = [one[parting], other[parting]];
  if (!left || !right) return one.length - other.length;
  return (left.priority ?? 0) - (right.priority ?? 0) || (left.name < right.name ? -1 : 1);
}

function isVolatile({ text, volatile = typeof text === "function" }: PromptLayer): boolean {
  return volatile;
}

function described({ name, owner }: PromptLayer): string {
  return owner === undefined ? name : `${name} (of ${owner})`;
}
