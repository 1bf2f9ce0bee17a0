// Instructions composed of named layers, stable ones first, so that every request shares a prefix.

import type { MakeInstructions } from "../tools/turn-info.ts";

/** A part of the instructions. */
export interface PromptLayer {
  name: string;
  text: string | MakeInstructions;
  /** Layers with a lower number come first. Default: 0. */
  priority?: number;
  /** Its topics, for filters. A layer without tags is always included. */
  tags?: string[];
  /** The owner, named in error messages. */
  owner?: string;
  /** The name of a layer that this one follows, and is excluded with. Descendants of a volatile layer are volatile. */
  parent?: string;
  /** Whether its text changes within a run, so that it follows the stable layers. Default: true for functions. */
  volatile?: boolean;
}

/** Which layers to include: those without tags, and those with at least one of `tags`. Default: all. */
export interface LayerFilter {
  tags?: string[];
}

/**
 * Instructions for an agent: the layers in order, stable before volatile, then by priority, then by name, each after its parent,
 * separated by a blank line. Empty layers are omitted. Functions are called in every turn.
 * @throws TypeError for duplicate names, an unknown parent, or a cycle of parents
 * @see LOOP-74
 */
export function promptLayers(layers: PromptLayer[], filter: LayerFilter = {}): MakeInstructions {
  const ordered = orderedLayers(layers, filter);
  return async (info) => {
    const texts = await Promise.all(ordered.map(async ({ text }) => (typeof text === "function" ? text(info) : text)));
    return texts.filter((text) => text !== "").join("\n\n");
  };
}

/**
 * The layers of an agent that inherits from another list: its own, and the inherited ones whose names it does not use itself. A
 * parent may be in either list.
 */
export function inheritLayers(inherited: PromptLayer[], own: PromptLayer[]): PromptLayer[] {
  const overridden = new Set(own.map(({ name }) => name));
  return [...inherited.filter(({ name }) => !overridden.has(name)), ...own];
}

/** The layers that match a filter, in the order of the instructions. @throws TypeError as {@link promptLayers} */
export function orderedLayers(layers: PromptLayer[], { tags }: LayerFilter = {}): PromptLayer[] {
  const byName = new Map(layers.map((layer) => [layer.name, layer]));
  if (byName.size < layers.length) {
    const duplicate = layers.find((layer) => byName.get(layer.name) !== layer)!;
    throw new TypeError(`Two prompt layers are named ${described(duplicate)}. Give each a unique name.`);
  }
  const chains = new Map(layers.map((layer) => [layer.name, chainOf(layer, byName)]));
  const matches = (layer: PromptLayer) => !tags || !layer.tags || layer.tags.some((tag) => tags.includes(tag));
  return layers
    .filter(({ name }) => chains.get(name)!.every(matches))
    .toSorted((one, other) => compareChains(chains.get(one.name)!, chains.get(other.name)!));
}

/** A layer and its ancestors, the root first. */
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
      const cycle = [parent, ...chain.slice(0, chain.indexOf(parent) + 1)].map(({ name }) => name).join(" → ");
      throw new TypeError(`The parents of prompt layers form a cycle: ${cycle}. Remove one parent.`);
    }
    at = parent;
  }
  return chain;
}

/** Stable before volatile; then by priority and name where the chains diverge; a parent before its children. */
function compareChains(one: PromptLayer[], other: PromptLayer[]): number {
  const changes = Number(one.some(isVolatile)) - Number(other.some(isVolatile));
  if (changes !== 0) return changes;
  const fork = one.findIndex((layer, at) => layer !== other[at]);
  const [left, right] = [one[fork], other[fork]];
  if (!left || !right) return one.length - other.length;
  return (left.priority ?? 0) - (right.priority ?? 0) || (left.name < right.name ? -1 : 1);
}

function isVolatile({ text, volatile = typeof text === "function" }: PromptLayer): boolean {
  return volatile;
}

function described({ name, owner }: PromptLayer): string {
  return owner === undefined ? name : `${name} (of ${owner})`;
}
