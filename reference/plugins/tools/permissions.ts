// Which calls may be executed: rules, and a mode for what no rule decides. Plugs into `decide`.

import { madeUpResult } from "../../core/session.ts";
import type { ExecutableCall, Ports, State } from "../../core/ports.ts";
import { permissionTable } from "./permission-table.ts";
import type {
  Agent,
  CallDecision,
  LoopError,
  PermissionRule,
  Permissions,
  RunOptions,
  Tool,
} from "../../../schemas/types.ts";

type Verdict = "allow" | "deny" | "ask";

/** Decides about the calls that no rule and no mode decides about, in mode `auto`. */
export type Classify = (call: ExecutableCall, state: State) => Promise<Verdict>;

/** What decides about calls, and who is asked about those that need approval. */
export interface Permitting {
  permissions: Permissions;
  agents: Record<string, Agent>;
  /** Without it, mode `auto` asks. */
  classify?: Classify | undefined;
  /** What becomes of a call that needs approval. */
  ask: Ports["decide"];
}

/** @see PERMISSION-1 PERMISSION-2 PERMISSION-3 PERMISSION-5 */
export function permit({ permissions, agents, classify = async () => "ask", ask }: Permitting): Ports["decide"] {
  return async (call, state) => {
    const tool = agents[state.agent]!.tools!.find(({ name }) => name === call.name)!;
    try {
      const row = permissionTable.find(({ when }) => holds(when, permissions, tool, call))!;
      const verdict = row.verdict === "classify" ? await classify(call, state) : row.verdict;
      if (verdict === "allow") return { do: "run" };
      if (verdict === "deny") return denied(call, "it is not permitted");
      if (permissions.mode === "dont_ask") return denied(call, "it would need approval, and nobody is asked");
      return await ask(call, state);
    } catch (error) {
      return denied(call, `deciding about it failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** The name of a tool, and perhaps a pattern. */
const RULE = /^([^()]+)(\(([^]*)\))?$/;

/** A rule that nobody can read, if there is one: it would deny nothing, without a word. */
export function unreadableRule({ permissions }: RunOptions): LoopError | undefined {
  const wrong = permissions?.rules?.find(
    ({ match, effect }) => !RULE.test(match) || !["allow", "ask", "deny"].includes(effect),
  );
  if (!wrong) return undefined;
  const expected = `expected { effect: "allow", "ask" or "deny", match: "tool" or "tool(pattern)" }`;
  return { kind: "configuration", message: `A permission rule is not one: ${expected}, got ${JSON.stringify(wrong)}.` };
}

/** A call that must not be executed. @see PERMISSION-4 */
export function denied(
  call: Pick<ExecutableCall, "id" | "name">,
  why: string,
): Extract<CallDecision, { do: "answer" }> {
  return { do: "answer", result: madeUpResult(call, "denied", `The call of ${call.name} was not executed: ${why}.`) };
}

function holds(
  { rule, mode, read_only, edits }: (typeof permissionTable)[number]["when"],
  permissions: Permissions,
  tool: Tool,
  call: ExecutableCall,
): boolean {
  const { annotations = {} } = tool;
  return (
    (mode === undefined || mode === (permissions.mode ?? "default")) &&
    (read_only === undefined || read_only === (annotations.read_only ?? false)) &&
    (edits === undefined || edits === (annotations.edits ?? false)) &&
    (rule === undefined || (permissions.rules ?? []).some((one) => one.effect === rule && matches(one, tool, call)))
  );
}

/**
 * Whether a rule is about a call.
 * @see PERMISSION-7 PERMISSION-8 PERMISSION-9 PERMISSION-10
 */
export function matches({ effect, match }: PermissionRule, tool: Tool, call: ExecutableCall): boolean {
  const [, name = "", , pattern] = RULE.exec(match) ?? [];
  if (!nameFits(name.trim(), call.name)) return false;
  if (pattern === undefined) return true;
  const subject = subjectOf(tool, call);
  if (subject === undefined) return effect !== "allow";
  if (!tool.annotations?.shell) return fits(pattern, ANY_TEXT).test(subject);
  return effect === "allow" ? fits(pattern, PLAIN_TEXT).test(subject) : within(pattern).test(subject);
}

/** Whether a name fits a pattern in which * stands for any text. */
export function nameFits(pattern: string, name: string): boolean {
  return fits(pattern, ANY_TEXT).test(name);
}

const ANY_TEXT = "[^]*";
/** What a shell reads as text, wherever it stands. */
const PLAIN_TEXT = "[^;&|<>$`(){}\\\\\\r\\n]*";
const BETWEEN_COMMANDS = "[;&|<>$`(){}\\\\\\r\\n]";

function fits(pattern: string, star: string): RegExp {
  return new RegExp(`^${asSource(pattern, star)}$`);
}

/** Finds the pattern as a part of a command line. */
function within(pattern: string): RegExp {
  return new RegExp(`(^|${BETWEEN_COMMANDS})\\s*${asSource(pattern, ANY_TEXT)}\\s*($|${BETWEEN_COMMANDS})`);
}

function asSource(pattern: string, star: string): string {
  return pattern
    .split("*")
    .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(star);
}

/** The argument that says what a call does. */
function subjectOf({ annotations = {}, input_schema }: Tool, { input }: ExecutableCall): string | undefined {
  const { required = [] } = input_schema as { required?: string[] };
  const [only] = required.length === 1 ? required : [];
  const name = annotations.subject ?? only;
  const value = name !== undefined && Object.hasOwn(input, name) ? input[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
