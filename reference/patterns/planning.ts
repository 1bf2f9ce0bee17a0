// Planning before acting: the first turn makes a plan and calls no tool; from then on the plan is part of the instructions.

import { isText } from "../core/session.ts";
import type { Hook } from "../plugins/hooks/hook-types.ts";
import type { RunSetup } from "../run/setup.ts";
import type { AgentWithTools } from "../tools/agents.ts";
import type { MakeInstructions } from "../tools/turn-info.ts";
import { promptLayers } from "./prompt-layers.ts";
import type { HookCall, Message } from "../../schemas/types.ts";

/** The prompts about the plan. */
export interface Planning {
  /** In the first turn, after the agent's instructions. */
  ask?: string;
  /** Before the second turn, as a user message. */
  start?: string;
  /** Before the plan, in the instructions of every later turn. */
  heading?: string;
}

const ASK = "Do not do anything yet. Write a plan: the steps to take, in order, and how to see that each is done.";
const START = "Carry out the plan.";
const HEADING = "Your plan:";

/**
 * A setup whose runs plan first. The plan is a turn of the run, and an answer in its session; it follows the agents' instructions
 * in every request, even after a compaction has removed it from the session. Subagents do not plan, except an agent with
 * which the run itself begins.
 * @throws TypeError for a setup that constrains the first answer: a plan is not an output, and calls no tool
 */
export function planFirst<Setup extends RunSetup>(setup: Setup, planning: Planning = {}): Setup {
  const { ask = ASK, start = START, heading = HEADING } = planning;
  const { options = {}, hooks = [], agents } = setup;
  for (const option of ["tool_choice", "output_format"] as const) {
    if (options[option] === undefined) continue;
    const advice = `Leave options.${option} out, or plan in a run of its own.`;
    throw new TypeError(`planFirst: the first answer is the plan, but options.${option} demands another. ${advice}`);
  }
  const planner = setup.agent ?? Object.keys(agents ?? {})[0] ?? "main";
  const plans = new Map<string, string>(); // by session: a compaction may remove the answer that was the plan
  const isPlanning = ({ turn, agent }: Pick<HookCall, "turn" | "agent">) => turn === 1 && agent === planner;

  const planned: MakeInstructions = (info) => {
    if (isPlanning(info)) return ask;
    const { id, messages } = info.session;
    const plan = plans.get(id) ?? planIn(messages, start);
    if (plan === undefined) return "";
    plans.set(id, plan);
    return `${heading}\n\n${plan}`;
  };
  const withPlan = (own: AgentWithTools["instructions"]): MakeInstructions =>
    promptLayers([
      { name: "own", text: own ?? "" },
      { name: "plan", text: planned, priority: 1 },
    ]);
  const planningHooks: Hook[] = [
    { point: "before_tool", run: (call) => (isPlanning(call) ? { block: "this turn is for the plan" } : {}) },
    { point: "stop", run: (call) => (isPlanning(call) ? { block: start } : {}) },
    { point: "run_end", run: ({ session_id = "" }) => void plans.delete(session_id) },
  ];
  return {
    ...setup,
    ...(agents ? { agents: eachWith(withPlan, agents) } : { instructions: withPlan(setup.instructions) }),
    hooks: [...planningHooks, ...hooks],
    options: { ...options, tool_choice: "none", max_stop_blocks: (options.max_stop_blocks ?? 3) + 1 },
  };
}

function eachWith(
  withPlan: (own: AgentWithTools["instructions"]) => MakeInstructions,
  agents: Record<string, AgentWithTools>,
): Record<string, AgentWithTools> {
  const entries = Object.entries(agents);
  return Object.fromEntries(
    entries.map(([name, agent]) => [name, { ...agent, instructions: withPlan(agent.instructions) }]),
  );
}

/** The answer before the message that starts the work. */
function planIn(messages: Message[], start: string): string | undefined {
  const at = messages.findLastIndex(
    (message) => message.role === "user" && "synthetic" in message && message.content === start,
  );
  if (at === -1) return undefined;
  const from = messages.slice(0, at).findLastIndex(({ role, type }) => role === "user" || type === "tool_result") + 1;
  return messages
    .slice(from, at)
    .map((message) => (isText(message) ? message.content : ""))
    .join("");
}
