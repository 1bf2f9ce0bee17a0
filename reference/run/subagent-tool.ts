// An agent as a tool of another one, as it is defined. What runs it is loaded with the first run.

import type { AgentWithTools } from "../tools/agents.ts";
import type { DefinedTool } from "../tools/define-tool.ts";
import type { Tool } from "../../schemas/types.ts";
import type { RunSetup } from "./setup.ts";

/** What the model says to a subagent, unless the tool has a schema of its own. */
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
  /** The agent, or the name of one of `agents`, or of the agents of the run that calls it. */
  agent: AgentWithTools | string;
  /** To whom it may hand over, and whom it may call. Default: the agents of the run that calls it. */
  agents?: Record<string, AgentWithTools>;
  /** Default: one argument, `prompt`. With other arguments the agent is told these, as JSON. */
  input_schema?: Tool["input_schema"];
  /** What its run has instead of what the run has that calls it: a provider, hooks, options, … */
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
  const crew = typeof agent === "string" ? agents : { ...agents, [name]: agent };
  return { ...tool, input_schema, agent: name, subagent: { ...setup, ...(crew && { agents: crew }) } };
}
