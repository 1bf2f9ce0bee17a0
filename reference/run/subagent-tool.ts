// Defines an agent as a tool of another one. The code that runs it is loaded with the first run.

import type { AgentWithTools } from "../tools/agents.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { Tool } from "../../schemas/types.ts";
import type { RunSetup } from "./setup.ts";

/** The default `input_schema` of a subagent. */
const PROMPT = {
  type: "object",
  properties: {
    prompt: { type: "string", description: "What the agent is asked to do, with everything that it needs to know." },
  },
  required: ["prompt"],
  additionalProperties: false,
} as const;

/** An agent as a tool. */
export interface SubagentDefinition extends Pick<Tool, "name" | "description" | "annotations" | "timeout_ms"> {
  /** The agent, or its name in `agents` or in the agents of the parent. */
  agent: AgentWithTools | string;
  /** The agents that it may hand over to or call. Default: the agents of the parent. */
  agents?: Record<string, AgentWithTools>;
  /** Default: one argument, `prompt`. Other arguments are passed to the agent as JSON. */
  input_schema?: Tool["input_schema"];
  /** Overrides the setup of the parent for its run: a provider, hooks, options, … */
  setup?: Partial<RunSetup>;
}

/**
 * Makes a tool of an agent. A call runs the agent on a session of its own; its final text is the result of the call.
 * @see SUBAGENT-1 SUBAGENT-5
 */
export function subagentTool({
  agent,
  agents,
  setup,
  input_schema = PROMPT as never,
  ...tool
}: SubagentDefinition): DefinedTool {
  const name = typeof agent === "string" ? agent : agent.name;
  const known = typeof agent === "string" ? agents : { ...agents, [name]: agent };
  return { ...tool, input_schema, agent: name, subagent: { ...setup, ...(known && { agents: known }) } };
}
