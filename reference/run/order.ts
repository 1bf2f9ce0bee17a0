// Inserts the user's plug-ins into the standard order, and reports conflicts.

import type { LoopError, RunOptions } from "../../schemas/types.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { RunSetup } from "./setup.ts";
import { standard } from "./standard-plugins.ts";

/** What must not be replaced, and why. One result per call is not a plug-in: `compose` guarantees it. */
const FIXED: Record<string, string> = { permissions: "it enforces the deny rules" };

/** The plug-ins of a run, outermost first, or why they conflict. */
export function inOrder(setup: RunSetup, options: RunOptions): readonly Plugin[] | LoopError {
  const { use = [] } = setup;
  if (!Array.isArray(use)) return configuration(`Expected a list of plug-ins in use, got ${JSON.stringify(use)}.`);
  if (use.length === 0) return standard;
  const order = [...standard];
  for (const plugin of use) {
    const problem = place(plugin, order) ?? unread(plugin, options, setup);
    if (problem !== undefined) return configuration(problem);
  }
  return order;
}

function configuration(message: string): LoopError {
  return { kind: "configuration", message };
}

/** Inserts a plug-in into the order. @returns the problem, if any */
function place(plugin: Plugin, order: Plugin[]): string | undefined {
  const { name, replaces, outside, inside } = plugin ?? {};
  if (typeof name !== "string" || name === "" || typeof plugin.attach !== "function")
    return `Expected a plug-in { name, attach() } in use, got ${JSON.stringify(plugin)}.`;
  if (order.some((one) => one.name === name)) {
    const own = standard.some((one) => one.name === name);
    const why = own ? `There is a standard plug-in called ${name}` : `There are two plug-ins called ${name}`;
    return `${why}. Give yours another name${own ? `, or set replaces: "${name}"` : ""}.`;
  }
  const anchors = [replaces, outside, inside].filter((anchor) => anchor !== undefined);
  if (anchors.length > 1)
    return `The plug-in ${name} has more than one of replaces, outside and inside. Keep one of them.`;
  const [anchor = "use"] = anchors;
  const at = order.findIndex((one) => one.name === anchor);
  if (at < 0) {
    const names = order.map((one) => one.name).join(", ");
    return `The plug-in ${name} refers to ${anchor}, which does not exist. Plug-ins, outermost first: ${names}.`;
  }
  if (replaces !== undefined && Object.hasOwn(FIXED, replaces))
    return `The plug-in ${name} cannot replace ${replaces}: ${FIXED[replaces]}. Use outside or inside.`;
  if (replaces === "use") return `The plug-in ${name} cannot replace use, which is only a position. Remove replaces.`;
  order.splice(inside === undefined ? at : at + 1, replaces === undefined ? 0 : 1, plugin);
  return undefined;
}

/** A setting of the caller that would be ignored, because the plug-in that reads it was replaced. */
function unread({ name, replaces }: Plugin, options: object, setup: object): string | undefined {
  const replaced = standard.find((one) => one.name === replaces);
  const isSet = (given: object) => (key: string) => (given as Record<string, unknown>)[key] != null;
  const option = replaced?.options?.find(isSet(options));
  const field = (replaced?.setup as readonly string[] | undefined)?.find(isSet(setup));
  const ignored = option === undefined ? field : `options.${option}`;
  return ignored === undefined
    ? undefined
    : `The plug-in ${name} replaces ${replaces}, but ${ignored} is set, which only ${replaces} reads. Remove one of them.`;
}
