// The Agent Trajectory Interchange Format of Harbor, as far as it has a place for what a session says.
// https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md

/** A trajectory. Readers take every version 1; writers say 1.4, which is the first that all tools read. */
export interface Trajectory {
  schema_version: string;
  session_id?: string;
  agent: { name: string; version: string; model_name?: string; [more: string]: unknown };
  steps: TrajectoryStep[];
  [more: string]: unknown;
}

/** A system prompt, a message of a user, or one response with the results of its calls. */
export interface TrajectoryStep {
  /** Counted from 1. */
  step_id: number;
  source: "system" | "user" | "agent";
  message: string | TrajectoryPart[];
  model_name?: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[];
  observation?: { results: TrajectoryResult[] };
  [more: string]: unknown;
}

/** The result of a call. */
export interface TrajectoryResult {
  source_call_id?: string | null;
  content?: string | TrajectoryPart[] | null;
  [more: string]: unknown;
}

/** Later versions have texts and images in place of a text. */
export interface TrajectoryPart {
  type: string;
  text?: string;
  [more: string]: unknown;
}

/** What is wrong with a value that should be a trajectory, in words; nothing if it can be read. */
export function trajectoryProblem(value: unknown): string | undefined {
  const { schema_version, steps } = (value ?? {}) as Partial<Trajectory>;
  if (typeof schema_version !== "string" || !schema_version.startsWith("ATIF-v1."))
    return `expected schema_version ATIF-v1.x, got ${JSON.stringify(schema_version)}`;
  if (!Array.isArray(steps)) return "expected steps, a list";
  const sources = ["system", "user", "agent"];
  const wrong = steps.findIndex(
    (step) => !sources.includes(step?.source) || !(typeof step.message === "string" || Array.isArray(step.message)),
  );
  return wrong < 0 ? undefined : `steps/${wrong}: expected a source (${sources.join(", ")}) and a message`;
}
