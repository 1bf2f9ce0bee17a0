// Looks at the values of a setup before anything starts: what TypeScript would not let through, JavaScript does.

import type { LoopError } from "../../schemas/types.ts";
import { majorOf } from "../state/check-session.ts";
import { SPEC_VERSION } from "../core/session.ts";
import { defaultBounds } from "../support/bounds.ts";
import type { RunSetup, RunSource } from "./setup.ts";

/** A run that cannot even be refused in its own name: nothing can be reported to anybody but its caller. */
export class UnusableSetup extends Error {
  override name = "UnusableSetup";
  readonly error: LoopError;

  constructor(error: LoopError) {
    super(error.message);
    this.error = error;
  }
}

/**
 * Refuses a setup with a value that no run can work with. Names that nobody knows are not looked at.
 * @throws {UnusableSetup} that names the field, what it may be, and what it is
 * @see LOOP-39 SESSION-21
 */
export function checkSetup(source: RunSource, setup: RunSetup): void {
  const problem = problemOfSource(source) ?? configuration(problemOfParts(setup) ?? problemOfOptions(setup));
  if (problem) throw new UnusableSetup(problem);
}

function configuration(message: string | undefined): LoopError | undefined {
  return message === undefined ? undefined : { kind: "configuration", message };
}

function problemOfSource(source: RunSource): LoopError | undefined {
  if ("journal" in source) return undefined;
  if ("snapshot" in source) return configuration(wrongVersion("The snapshot", source.snapshot));
  const message = wrongVersion("The session", source.session);
  return message === undefined ? undefined : { kind: "invalid_session", message };
}

/** A version that is another one is refused by the run itself, by its requirement. */
function wrongVersion(what: string, holder: { spec_version?: unknown } | null | undefined): string | undefined {
  const version = holder?.spec_version;
  if (typeof version === "string") return undefined;
  return `${what} has the spec_version ${shown(version)}; expected a text such as "${majorOf(SPEC_VERSION)}.0".`;
}

function problemOfParts({ provider, clock, hooks, lock, rethrow }: Partial<RunSetup>): string | undefined {
  if (typeof provider?.invokeModel !== "function" || typeof provider.name !== "string")
    return `provider: expected a provider, such as anthropicMessages({ model }), got ${shown(provider)}.`;
  if (clock !== undefined && (typeof clock.now !== "function" || typeof clock.sleep !== "function"))
    return `clock: expected { now(), sleep() }, got ${shown(clock)}.`;
  if (lock !== undefined && lock !== false && typeof lock !== "function")
    return `lock: expected false, or a function that locks a session and returns what releases it, got ${shown(lock)}.`;
  if (rethrow !== undefined && typeof rethrow !== "function")
    return `rethrow: expected a function that says whether an error is yours, got ${shown(rethrow)}.`;
  if (hooks === undefined) return undefined;
  if (!Array.isArray(hooks)) return `hooks: expected a list of hooks, got ${shown(hooks)}.`;
  const at = hooks.findIndex(({ point, run }) => !points.includes(point) || typeof run !== "function");
  if (at < 0) return undefined;
  return `hooks[${at}]: expected { point, run() } with a point among ${points.join(", ")}, got ${shown(hooks[at])}.`;
}

const points: unknown[] = [
  "run_start",
  "user_input",
  "turn_start",
  "before_model",
  "after_model",
  "before_tool",
  "after_tool",
  "tool_failure",
  "turn_end",
  "before_compaction",
  "after_compaction",
  "stop",
  "run_end",
];

/** What an option may be: in words, and as a check. */
interface Rule {
  words: string;
  holds(value: unknown): boolean;
}

const isWhole = (value: unknown, least: number) => Number.isSafeInteger(value) && (value as number) >= least;
const whole = (least: number): Rule => ({
  words: `a whole number from ${least}`,
  holds: (value) => isWhole(value, least),
});
const wholeOrNull: Rule = { ...whole(1), words: "a whole number from 1, or null for no limit" };
const oneOf = (...words: string[]): Rule => ({
  words: `one of ${words.join(", ")}`,
  holds: (value) => words.includes(value as string),
});
const object: Rule = {
  words: "an object",
  holds: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** By option, as `run-options.schema.json` has them. Null is as good as absent. */
const rules: Record<string, Rule> = {
  max_turns: wholeOrNull,
  max_truncation_recoveries: whole(0),
  max_pause_continuations: whole(0),
  execute_tools: { words: "true or false", holds: (value) => typeof value === "boolean" },
  scheduling: oneOf("barrier", "parallel", "serial", "reads_first"),
  max_concurrency: whole(1),
  tool_timeout_ms: wholeOrNull,
  cancel_grace_ms: whole(0),
  max_total_tokens: wholeOrNull,
  max_tool_calls: wholeOrNull,
  max_failed_turns: wholeOrNull,
  deadline_ms: wholeOrNull,
  on_max_tokens: oneOf("end", "continue"),
  max_continuations: whole(0),
  on_empty: oneOf("end", "retry"),
  max_empty_retries: whole(0),
  stop_when: { words: "a list of conditions", holds: Array.isArray },
  max_retries: whole(0),
  max_retry_delay_ms: whole(0),
  fallback_models: {
    words: "a list of names of models",
    holds: (value) => Array.isArray(value) && value.every((name) => typeof name === "string" && name !== ""),
  },
  tool_choice_for: oneOf("first_turn", "every_turn"),
  output_format: {
    words: "{ name, schema } with a JSON Schema, as outputFormat makes it",
    holds: (value) => object.holds(value) && object.holds((value as { schema?: unknown }).schema),
  },
  output_by: oneOf("format", "tool"),
  max_structured_retries: whole(0),
  approval_batch: oneOf("atomic", "eager"),
  permissions: object,
  hook_timeout_ms: wholeOrNull,
  max_stop_blocks: whole(0),
  model_idle_timeout_ms: wholeOrNull,
  model_timeout_ms: wholeOrNull,
  bounds: {
    words: `whole numbers from 1 by the names of bounds (${Object.keys(defaultBounds).join(", ")})`,
    holds: (value) =>
      object.holds(value) &&
      Object.entries(value as object).every(([name, most]) => Object.hasOwn(defaultBounds, name) && isWhole(most, 1)),
  },
};

/** What its parent has left of these may be nothing: then a subagent ends before it asks anybody. @see SUBAGENT-11 */
const leftByParent: Record<string, Rule> = { ...rules, max_total_tokens: whole(0), deadline_ms: whole(0) };

function problemOfOptions({ options, parent }: { options?: unknown; parent?: unknown }): string | undefined {
  if (options === undefined) return undefined;
  if (!object.holds(options)) return `options: expected an object, got ${shown(options)}.`;
  const known = parent === undefined ? rules : leftByParent;
  for (const [name, value] of Object.entries(options as object)) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (rule && value !== undefined && value !== null && !rule.holds(value))
      return `options.${name}: expected ${rule.words}, got ${shown(value)}.`;
  }
  return undefined;
}

/** A value in few words: never more of it than helps. */
function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (Number.isNaN(value) || value === Infinity || value === -Infinity) return String(value);
  try {
    return (JSON.stringify(value) ?? "undefined").slice(0, 80);
  } catch {
    return "something that cannot be shown";
  }
}
