// Which calls may be executed: rules, a mode for what no rule decides, and approval.

import type { ExecutableCall, Ports, State } from "../../core/ports.ts";
import { denied, decided, type Approval } from "../../state/tool-results.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import { nameFits, fits, ANY_TEXT, asSource } from "../../support/wildcard.ts";
import { toolOf } from "../../tools/agents.ts";
import type { Plugin } from "../plugin.ts";
import { permissionTable } from "./permission-table.ts";
import type {
  Agent,
  LoopError,
  PermissionRule,
  Permissions,
  RunOptions,
  Tool,
  ToolResultMessage,
  CallDecision,
} from "../../../schemas/types.ts";

export interface PermissionSetup {
  /** Approves calls while the run waits. Without it, the run is suspended. @see PERMISSION-11 */
  approve?: Approve;
  /** Decides on calls in permission mode `auto`. */
  classify?: Classify;
}

export const permissions: Plugin<PermissionSetup> = {
  name: "permissions",
  options: ["permissions"],
  setup: ["approve", "classify"],
  attach(run) {
    const { permissions } = run.options;
    if (!permissions) return;
    const { options, setup, agents: resolved, signal, validateInput } = run;
    const { approve, classify } = setup;
    const { definitions: agents } = resolved;
    const refuses = unreadableRule(options);
    if (refuses) return { refuses };
    const schemaOf = ({ name }: ExecutableCall, { agent }: State) => toolOf(agents, agent, name).input_schema;
    const inProcess = (approver: Approve) =>
      askInProcess(approver, signal, (call, state, approval) =>
        decided(call, approval, (input) => validateInput(schemaOf(call, state), input)),
      );
    const ask = approve ? inProcess(approve) : suspend;
    return {
      beforeCall: () => permit({ permissions, agents, classify, ask }),
      forbids: (call, state) => deniedByRule(permissions, toolOf(agents, state.agent, call.name), call),
    };
  },
};

/** Decides on a call that needs approval, while the run waits. */
export type Approve = (call: ExecutableCall, state: State) => Promise<Approval>;

type Verdict = "allow" | "deny" | "ask";

/** Decides on the calls that no rule decides, in mode `auto`. */
export type Classify = (call: ExecutableCall, state: State) => Promise<Verdict>;

/** What decides on calls. */
export interface Permitting {
  permissions: Permissions;
  agents: Record<string, Agent>;
  /** Without it, mode `auto` requires approval. */
  classify?: Classify | undefined;
  /** Decides on a call that needs approval. */
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

/** A `deny` rule applies to a call as it will run, regardless of who decided on it or edited its arguments. @see PERMISSION-2 */
function deniedByRule({ rules = [] }: Permissions, tool: Tool, call: ExecutableCall): ToolResultMessage | undefined {
  const isDenied = rules.some((rule) => rule.effect === "deny" && matches(rule, tool, call));
  return isDenied ? denied(call, "it is not permitted").result : undefined;
}

/** The name of a tool, and optionally a pattern. */
const RULE = /^([^()]+)(\(([^]*)\))?$/;

/** An invalid rule, if any: it would silently deny nothing. */
function unreadableRule({ permissions }: RunOptions): LoopError | undefined {
  const wrong = permissions?.rules?.find(
    ({ match, effect }) => !RULE.test(match) || !["allow", "ask", "deny"].includes(effect),
  );
  if (!wrong) return undefined;
  const expected = `expected { effect: "allow", "ask" or "deny", match: "tool" or "tool(pattern)" }`;
  return { kind: "configuration", message: `Invalid permission rule: ${expected}, got ${JSON.stringify(wrong)}.` };
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
 * Whether a rule matches a call.
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

/** Characters that a shell always treats as text. */
const PLAIN_TEXT = "[^;&|<>$`(){}\\\\\\r\\n]*";
const BETWEEN_COMMANDS = "[;&|<>$`(){}\\\\\\r\\n]";

/** Matches the pattern as one command of a command line. */
function within(pattern: string): RegExp {
  return new RegExp(`(^|${BETWEEN_COMMANDS})\\s*${asSource(pattern, ANY_TEXT)}\\s*($|${BETWEEN_COMMANDS})`);
}

/** The argument that a pattern is matched against. */
function subjectOf({ annotations = {}, input_schema }: Tool, { input }: ExecutableCall): string | undefined {
  const { required = [] } = input_schema as { required?: string[] };
  const [only] = required.length === 1 ? required : [];
  const name = annotations.subject ?? only;
  const value = name !== undefined && Object.hasOwn(input, name) ? input[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The call is pending, and the run is suspended. @see PERMISSION-11 */
const suspend: Ports["decide"] = async () => ({ do: "ask", approval: true });

/**
 * Waits for an approval inside the process, until the run is cancelled; then nothing is executed.
 * @see PERMISSION-5
 */
function askInProcess(
  approve: Approve,
  signal: AbortSignal,
  decide: (call: ExecutableCall, state: State, decision: Approval) => Promise<CallDecision>,
): Ports["decide"] {
  return async (call, state) => {
    const approval = await raceAbort<Approval | undefined>(approve(call, state), signal, () => undefined);
    return approval ? await decide(call, state, approval) : { do: "run" };
  };
}
