// Which options a run has: an unknown one is refused, and one that is as by default is not kept.

import type { LoopError, RunOptions } from "../../schemas/types.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { isSameJson } from "../support/equal-json.ts";
import { nearestName } from "../support/nearest-name.ts";
import { defaultOptions } from "./default-options.ts";

/** The longest name that is compared with the known ones, and quoted whole. */
const LONGEST_NAME = 100;

/**
 * Why a run with these options must not start: nothing reads one of them, and its author relies on it. An option that is
 * null or undefined asks for nothing.
 * @see LOOP-100
 */
export function unknownOption(options: object, plugins: readonly Plugin[]): LoopError | undefined {
  const known = namesRead(plugins);
  const unknown = Object.entries(options).find(([name, value]) => value != null && !known.has(name))?.[0];
  if (unknown === undefined) return undefined;
  const name = unknown.slice(0, LONGEST_NAME);
  const message = `Expected options that the run has, got options.${name}, which nothing reads. Remove it; the nearest known option is ${nearestName(name, [...known])}.`;
  return { kind: "configuration", message };
}

/** Collected once for each list: that of the standard plug-ins is the one of nearly every run. */
const collected = new WeakMap<readonly Plugin[], ReadonlySet<string>>();

/** The names of the options that a run with these plug-ins reads. */
function namesRead(plugins: readonly Plugin[]): ReadonlySet<string> {
  const known = collected.get(plugins);
  if (known) return known;
  const names = new Set([...Object.keys(defaultOptions), ...plugins.flatMap(({ options = [] }) => options)]);
  collected.set(plugins, names);
  return names;
}

/** The options that are not as by default: only these are kept in a snapshot. @see LOOP-101 */
export function withoutDefaults(options: RunOptions): RunOptions {
  const defaults: Record<string, unknown> = defaultOptions;
  const isDefault = ([name, value]: [string, unknown]) =>
    Object.hasOwn(defaults, name) && isSameJson(value ?? null, defaults[name]);
  return Object.fromEntries(Object.entries(options).filter((entry) => !isDefault(entry)));
}
