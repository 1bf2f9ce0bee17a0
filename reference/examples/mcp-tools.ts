// Tools of an MCP server: started as a process, called under prefixed names, and stopped at the end of the block.

import { fileURLToPath } from "node:url";

import { agentLoop, initSession, type Provider } from "../index.ts";
import { mcpServer } from "../tools/mcp/mcp-tools.ts";

const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
await using demo = await mcpServer({ namespace: "demo", command: process.execPath, args: [program] });
// A scripted model that calls two tools at once, one of them without all of its arguments.
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages, tools }) {
    if (messages.length > 1) return { messages: [{ role: "assistant", content: "Five." }], stop_reason: "end_turn" };
    console.log(tools.map(({ name }) => name).filter((name) => name.includes("sum")));
    const call = { type: "tool_call", name: "demo__get-sum" } as const;
    const [sum, none] = [{ a: 2, b: 3 }, { a: 2 }];
    return {
      messages: [
        { ...call, id: "c1", input: sum },
        { ...call, id: "c2", input: none },
      ],
      stop_reason: "tool_use",
    };
  },
};
const run = agentLoop({ provider, tools: demo.tools, session: initSession({ id: "sum", user: "2 + 3?" }) });
for await (const event of run)
  if (event.type === "message" && "output" in event.message) console.log(event.message.output);
console.log((await run.result).final_text);
