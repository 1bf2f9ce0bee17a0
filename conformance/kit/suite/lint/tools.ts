// Finds what is wrong with the function that makes the tools of a case, and with its MCP servers.

import type { Case } from "../../../../schemas/types.ts";
import type { CaseProblem } from "./problem.ts";
import { list } from "./expectations.ts";
import { toolsOf } from "../case-agents.ts";
import { pointerTo } from "../../base/json-pointer.ts";

/** Everything that is wrong with tools that a function makes. */
export function checkDynamicTools({ given }: Case): CaseProblem[] {
  const { dynamic_tools: made, tools_on_resume } = given;
  if (!made) return [];
  const names = new Set(toolsOf(given).map(({ name }) => name));
  const found: CaseProblem[] = [];
  for (const [index, toolset] of (made.sequence ?? []).entries()) {
    const unknown = toolset.find((name) => !names.has(name));
    if (unknown === undefined) continue;
    const message = `no agent has a tool ${unknown} (${list(names)}); correct the name`;
    found.push({ pointer: `/given/dynamic_tools/sequence/${index}`, message });
  }
  if (tools_on_resume) {
    const message = "these are never declared: dynamic_tools defines the tools on a resume; remove one of them";
    found.push({ pointer: "/given/tools_on_resume", message });
  }
  return found;
}

/** Everything that is wrong with MCP servers. */
export function checkMcp({ given: { mcp = [] }, expect }: Case): CaseProblem[] {
  const found: CaseProblem[] = [];
  for (const [index, { namespace, tools, listed = [], answers }] of mcp.entries()) {
    const pointer = `/given/mcp/${index}`;
    const names = new Set(tools.map(({ name }) => name));
    if (mcp.findIndex((server) => server.namespace === namespace) < index)
      found.push({
        pointer: `${pointer}/namespace`,
        message: `two servers are called ${namespace}; rename one of them`,
      });
    const after = Object.values(answers).flatMap(({ now_listed = [] }) => now_listed);
    const unknown = [...listed, ...after, ...Object.keys(answers)].find((name) => !names.has(name));
    if (unknown !== undefined) {
      const message = `the server ${namespace} has no tool ${unknown} (${list(names)}); correct the name`;
      found.push({ pointer, message });
    }
    for (const [name, { result, error, lost, hold }] of Object.entries(answers)) {
      if ([result, error, lost, hold].filter((one) => one !== undefined).length < 2) continue;
      const message = "a call has one end: leave all of result, error, lost and hold out but one";
      found.push({ pointer: pointerTo(`${pointer}/answers`, name), message });
    }
  }
  if (expect.mcp && mcp.length === 0)
    found.push({ pointer: "/expect/mcp", message: "the case has no MCP server that could be called; add given.mcp" });
  return found;
}
