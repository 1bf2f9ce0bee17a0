// Puts the plug-ins of the user among the standard ones, and says what cannot be put in an order.

import type { LoopError, RunOptions } from "../../schemas/types.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { RunSetup } from "./setup.ts";
import { standard } from "./standard-plugins.ts";

/** What nothing may take the place of, and why. That every call has one result is no plug-in: the composer itself sees to it. */
const FIXED: Record<string, string> = { permissions: "it keeps what a rule denies from being executed" };

/** The plug-ins of a run, outermost first, or why there is no such order. Without plug-ins of the user nothing is made anew. */
export function inOrder(setup: RunSetup, options: RunOptions): readonly Plugin[] | LoopError {
  const { use = [] } = setup;
  if (use.length === 0) return standard;
  const order = [...standard];
  for (const plugin of use) {
    const problem = place(plugin, order) ?? unread(plugin, options, setup);
    if (problem !== undefined) return { kind: "configuration", message: problem };
  }
  return order;
}

/** Puts it into the order. What is wrong with it, if anything is. */
function place(plugin: Plugin, order: Plugin[]): string | undefined {
  const { name, replaces, outside, inside } = plugin;
  if (typeof name !== "string" || name === "" || typeof plugin.attach !== "function")
    return `A plug-in is an object with a name and a function attach; one in use is ${JSON.stringify(plugin)}.`;
  if (order.some((one) => one.name === name)) {
    const own = standard.some((one) => one.name === name);
    const why = own ? `There is a standard plug-in called ${name}` : `There are two plug-ins called ${name}`;
    return `${why}. Give yours another name${own ? `, or say replaces: "${name}" to take its place` : ""}.`;
  }
  const anchors = [replaces, outside, inside].filter((anchor) => anchor !== undefined);
  if (anchors.length > 1)
    return `The plug-in ${name} has more than one of replaces, outside and inside. Keep the one that says where it stands.`;
  const [anchor = "use"] = anchors;
  const at = order.findIndex((one) => one.name === anchor);
  if (at < 0) {
    const names = order.map((one) => one.name).join(", ");
    return `The plug-in ${name} is to stand at ${anchor}, which is not there. Plug-ins, outermost first: ${names}.`;
  }
  if (replaces !== undefined && Object.hasOwn(FIXED, replaces))
    return `The plug-in ${name} cannot replace ${replaces}: ${FIXED[replaces]}. Stand outside or inside of it.`;
  if (replaces === "use") return `The plug-in ${name} cannot replace use, which is only a place. Leave replaces out.`;
  order.splice(inside === undefined ? at : at + 1, replaces === undefined ? 0 : 1, plugin);
  return undefined;
}

/** What the caller gave, and nobody would read: the plug-in that does was replaced. */
function unread({ name, replaces }: Plugin, options: object, setup: object): string | undefined {
  const replaced = standard.find((one) => one.name === replaces);
  const isSet = (given: object) => (key: string) => (given as Record<string, unknown>)[key] != null;
  const option = replaced?.options?.find(isSet(options));
  const field = (replaced?.setup as readonly string[] | undefined)?.find(isSet(setup));
  const ignored = option === undefined ? field : `options.${option}`;
  return ignored === undefined
    ? undefined
    : `The plug-in ${name} replaces ${replaces}, but ${ignored} is set, which only ${replaces} reads. Leave one of them out.`;
}
