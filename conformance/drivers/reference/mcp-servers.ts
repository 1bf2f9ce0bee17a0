// Gives the agents of a run the tools of the MCP servers that the kit plays.

import type { AgentWithTools } from "../../../reference/index.ts";
import type { McpAccess } from "../../../schemas/types.ts";

/** The servers of one run. To be left when it is over. */
export interface McpServers extends AsyncDisposable {
  /** The agents, each with the tools of the servers after its own. */
  addTo(agents: Record<string, AgentWithTools>): Record<string, AgentWithTools>;
}

/** Connects with servers, one after another. */
export async function connectMcpServers(servers: McpAccess[] = []): Promise<McpServers> {
  if (servers.length === 0) return { addTo: (agents) => agents, [Symbol.asyncDispose]: async () => {} };
  const { joinTools, mcpServer } = await import("../../../reference/tools/mcp/mcp-tools.ts");
  const there: Awaited<ReturnType<typeof mcpServer>>[] = [];
  const leave = async () => void (await Promise.all(there.map((server) => server.close())));
  try {
    for (const server of servers) there.push(await mcpServer(server));
  } catch (error) {
    await leave();
    throw error;
  }
  const added = (agent: AgentWithTools): AgentWithTools => ({
    ...agent,
    tools: joinTools(agent.tools ?? [], ...there),
  });
  return {
    addTo: (agents) => Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, added(agent)])),
    [Symbol.asyncDispose]: leave,
  };
}
