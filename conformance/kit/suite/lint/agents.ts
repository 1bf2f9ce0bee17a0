// Finds what is wrong with the agents, the tools and the handlers that a case gives.

import type { Case, Handler, Tool } from "../../../../schemas/types.ts";
import type { CaseProblem } from "./problem.ts";
import { list } from "./expectations.ts";
import { agentsOf, firstAgent, toolsOf } from "../case-agents.ts";
import { pointerTo } from "../../base/json-pointer.ts";

/** What is wrong with the names of agents, and with whom tools hand over to. */
export function checkAgents(source: Case): CaseProblem[] {
  const { given, requires } = source;
  const names = Object.keys(agentsOf(given));
  const found: CaseProblem[] = [];
  for (const [key, { name }] of Object.entries(given.agents ?? {})) {
    if (name !== key)
      found.push({ pointer: pointerTo("/given/agents", key), message: `this agent is called ${name}; write ${key}` });
  }
  if (!names.includes(firstAgent(given)) && requires[0] !== "LOOP-39") {
    const message = `given.agents has no ${firstAgent(given)} (${list(names)}); only a case of LOOP-39 may ask for such an agent`;
    found.push({ pointer: "/given/agent", message });
  }
  for (const [name, { handoff, sequence = [] }] of Object.entries(given.handlers ?? {})) {
    for (const to of [handoff, ...sequence.map((entry) => entry.handoff)]) {
      if (to == null || names.includes(to) || requires.includes("LOOP-70")) continue;
      const message = `there is no agent ${to} (${list(names)}); only a case that requires LOOP-70 may hand over to one`;
      found.push({ pointer: pointerTo("/given/handlers", name), message });
    }
  }
  return found;
}

/** Tools without a handler, handlers without a tool, and what a handler cannot do. */
export function checkTools(source: Case): CaseProblem[] {
  const { given } = source;
  const handlers = given.handlers ?? {};
  const leftToCaller = given.options?.execute_tools === false;
  const found = Object.entries(agentsOf(given)).flatMap(([agent, { tools = [] }]) =>
    tools.flatMap((tool, index) => {
      const pointer = `${given.agents ? pointerTo("/given/agents", agent) : "/given"}/tools/${index}`;
      const handled = Object.hasOwn(handlers, tool.name);
      if (tool.agent !== undefined) return checkAgentTool(tool, source, handled, pointer);
      if (!handled && !tool.external && !leftToCaller) {
        const message = `tool ${tool.name} has no handler; add given.handlers.${tool.name}, or say external: true`;
        return [{ pointer, message }];
      }
      if (!handled || !tool.external) return [];
      const message = `tool ${tool.name} is external and has a handler; an external tool is never executed, remove one of them`;
      return [{ pointer, message }];
    }),
  );
  const names = toolsOf(given).map(({ name }) => name);
  for (const [name, handler] of Object.entries(handlers)) {
    const pointer = pointerTo("/given/handlers", name);
    if (!names.includes(name)) {
      const where = given.agents ? "of any agent" : "of given.tools";
      found.push({ pointer, message: `this handler is for no tool ${where} (${list(names)}); correct the name` });
    }
    found.push(...checkHandler(handler, pointer, source.requires));
  }
  return found;
}

function checkAgentTool({ name, agent }: Tool, source: Case, isHandled: boolean, pointer: string): CaseProblem[] {
  const { given, requires } = source;
  const agents = Object.keys(agentsOf(given));
  const found: CaseProblem[] = [];
  if (!agents.includes(agent!) && !requires.includes("SUBAGENT-3")) {
    const message = `there is no agent ${agent} (${list(agents)}); only a case that requires SUBAGENT-3 may name such a one`;
    found.push({ pointer: `${pointer}/agent`, message });
  }
  if (isHandled)
    found.push({
      pointer,
      message: `tool ${name} is an agent and has a handler; an agent answers by itself, remove one`,
    });
  for (const key of ["dynamic_instructions", "dynamic_tools", "mcp"] as const) {
    if (given[key] === undefined) continue;
    const message = `the kit cannot distinguish calls of a run from those of its subagent; leave ${key} out`;
    found.push({ pointer: `/given/${key}`, message });
  }
  return found;
}

function checkHandler(handler: Handler, pointer: string, requires: readonly string[]): CaseProblem[] {
  const found: CaseProblem[] = [];
  if (handler.fatal !== undefined && handler.throw === undefined) {
    found.push({ pointer: `${pointer}/fatal`, message: "fatal is allowed only with throw" });
  }
  if (handler.output === undefined && handler.data === undefined) {
    for (const key of ["is_error", "context_updates", "handoff", "metrics"] as const)
      if (handler[key] !== undefined)
        found.push({ pointer: `${pointer}/${key}`, message: `${key} is allowed only with output or data` });
  }
  if (handler.is_error && handler.handoff !== undefined && !requires.includes("LOOP-95")) {
    const message = "a tool that fails hands nothing over; only a case that requires LOOP-95 may try";
    found.push({ pointer: `${pointer}/handoff`, message });
  }
  for (const [index, entry] of (handler.sequence ?? []).entries()) {
    const below = `${pointer}/sequence/${index}`;
    if (entry.sequence) found.push({ pointer: below, message: "a sequence cannot contain a sequence" });
    found.push(...checkHandler(entry, below, requires));
  }
  for (const key of ["hold", "progress"] as const) {
    if (handler.sequence && handler[key] !== undefined)
      found.push({
        pointer: `${pointer}/${key}`,
        message: `${key} belongs in the entries of a sequence, not beside it`,
      });
  }
  return found;
}
