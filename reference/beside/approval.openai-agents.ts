// Somebody is asked before anything is removed: the tool of that name has needsApproval, and the run is taken up again.

import { Agent, run, type Tool } from "@openai/agents";
import { isAllowed } from "./is-allowed.ts";

export async function careful(model: string, tools: Tool[], input: string): Promise<string> {
  const agent = new Agent({ name: "one", model, tools });
  let result = await run(agent, input);
  while (result.interruptions.length > 0) {
    for (const call of result.interruptions)
      if (await isAllowed(call.name ?? "")) result.state.approve(call);
      else result.state.reject(call);
    result = await run(agent, result.state);
  }
  return result.finalOutput!;
}
