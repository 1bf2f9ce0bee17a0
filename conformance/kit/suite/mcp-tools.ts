// The tools of the MCP servers of a case: how a loop has to call them, and which are listed now.

import { createHash } from "node:crypto";
import type { Case, Tool } from "../../../schemas/types.ts";

type Given = Case["given"];
type McpServer = NonNullable<Given["mcp"]>[number];
type McpTool = McpServer["tools"][number];

/** The name of a tool for models. Written apart from the reference. @see MCP-1 MCP-2 */
export function mcpToolName(namespace: string, own: string): string {
  const name = `${namespace}__${own}`;
  const points = Array.from(name, (letter) => (/^[\w-]$/.test(letter) ? letter : "_")).join("");
  if (points === name && name.length <= 64) return name;
  return `${points.substring(0, 55)}_${createHash("sha256").update(name, "utf8").digest("hex").substring(0, 8)}`;
}

/** What a server lists, in its order. */
export function listedOf({ tools, listed }: McpServer, now: readonly string[] | undefined = listed): McpTool[] {
  return now ? now.flatMap((name) => tools.find((tool) => tool.name === name) ?? []) : tools;
}

/** The tools whose schema can be obeyed, as far as cases have others: with a reference to nothing. @see MCP-18 */
function obeyable(tools: McpTool[]): McpTool[] {
  return tools.filter(({ inputSchema }) => referencesIn(inputSchema).every((name) => leadsTo(inputSchema, name)));
}

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value] : referencesIn(value),
  );
}

function leadsTo(schema: unknown, reference: string): boolean {
  const [root, ...keys] = reference.split("/");
  const found = keys.reduce((inner: unknown, key) => (inner as Record<string, unknown> | undefined)?.[key], schema);
  return root === "#" && found !== undefined;
}

/** The same as the loop has to offer them. @param now the names that each server lists, if its list has changed */
export function mcpToolsOf(given: Given, now: ReadonlyMap<string, readonly string[]> = new Map()): Tool[] {
  const tools = (given.mcp ?? []).flatMap((server) =>
    obeyable(listedOf(server, now.get(server.namespace))).map(({ name, description, inputSchema }) => ({
      name: mcpToolName(server.namespace, name),
      ...(typeof description === "string" && { description }),
      input_schema: inputSchema as Tool["input_schema"],
    })),
  );
  return tools.filter(({ name }, index) => tools.findIndex((tool) => tool.name === name) === index); // [MCP-5]
}

/** Whether a name is that of a tool of an MCP server, listed or not. */
export function isMcpTool(given: Given, name: string): boolean {
  return (given.mcp ?? []).some(({ namespace, tools }) =>
    tools.some((tool) => mcpToolName(namespace, tool.name) === name),
  );
}
