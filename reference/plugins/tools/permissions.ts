// Which calls may be executed: rules, a mode for what no rule decides, and approval.

import type { EventBody, ExecutableCall, Ports, State } from "../../core/ports.ts";
import { denied, decided, type Approval } from "../../state/tool-results.ts";
import { hasNonFinite } from "../../support/canonical-json.ts";
import { hasCommand, isCommand } from "../../support/command-line.ts";
import { resolvedPath } from "../../support/resolved-path.ts";
import { raceAbort } from "../../support/until-aborted.ts";
import { fits } from "../../support/wildcard.ts";
import { toolOf } from "../../tools/agents.ts";
import type { Plugin, Points } from "../plugin.ts";
import { permissionTable } from "./permission-table.ts";
import type {
  Agent,
  LoopError,
  PermissionRule,
  Permissions,
  RunOptions,
  Tool,
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
    const { options, setup, agents: resolved, signal, validateInput, emit } = run;
    const { approve, classify } = setup;
    const { definitions: agents } = resolved;
    const refuses = unreadable(options);
    if (refuses) return { refuses };
    const schemaOf = ({ name }: ExecutableCall, { agent }: State) => toolOf(agents, agent, name).input_schema;
    const inProcess = (approver: Approve) =>
      askInProcess(approver, signal, (call, state, approval) =>
        decided(call, approval, (input) => validateInput(schemaOf(call, state), input)),
      );
    const ask = approve ? inProcess(approve) : suspend;
    const permitting = { permissions, agents, classify, ask };
    return { beforeCall: () => permit(permitting), review: reviewOf(permitting, emit) };
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
export function permit(permitting: Permitting): Ports["decide"] {
  return async (call, state) => {
    try {
      const verdict = await verdictOn(call, state, permitting);
      if (verdict === "allow") return { do: "run" };
      return verdict === "deny" ? denied(call, NOT_PERMITTED) : await askCaller(call, state, permitting);
    } catch (error) {
      return denied(call, failureText(error));
    }
  };
}

const NOT_PERMITTED = "it is not permitted";

function failureText(error: unknown): string {
  return `deciding about it failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** What the first row that holds says about a call. */
async function verdictOn(call: ExecutableCall, state: State, permitting: Permitting): Promise<Verdict> {
  const { permissions, agents, classify = async () => "ask" } = permitting;
  const tool = toolOf(agents, state.agent, call.name);
  const { verdict } = permissionTable.find(({ when }) => holds(when, permissions, tool, call))!;
  return verdict === "classify" ? classify(call, state) : verdict;
}

async function askCaller(call: ExecutableCall, state: State, { permissions, ask }: Permitting): Promise<CallDecision> {
  if (permissions.mode === "dont_ask") return denied(call, "it would need approval, and nobody is asked");
  return ask(call, state);
}

/**
 * Reviews the decisions of others: `deny` rules apply to every call as it will be executed; to arguments that an approver wrote, and
 * to every call of a resumed run, all rules and the mode apply. An approval answers only `ask`, an override everything.
 * @see PERMISSION-2 PERMISSION-25 PERMISSION-26 PERMISSION-27 PERMISSION-28
 */
function reviewOf(permitting: Permitting, emit: Ports["emit"]): NonNullable<Points["review"]> {
  const { permissions, agents } = permitting;
  const byRules = (call: ExecutableCall, { agent }: State): Verdict =>
    isDenied(permissions, toolOf(agents, agent, call.name), call) ? "deny" : "allow";
  const review: NonNullable<Points["review"]> = async (call, decision, state, when) => {
    try {
      const isNew = when === "resumed" || (decision.approved && decision.input);
      const verdict = isNew ? await verdictOn(call, state, permitting) : byRules(call, state);
      if (verdict === "deny" && decision.override) emit(overridden(call, state));
      if (verdict === "allow" || decision.override) return decision;
      if (verdict === "deny") return denied(call, NOT_PERMITTED);
      if (decision.approved) return decision;
      const answer = await askCaller(call, state, permitting);
      if (answer.do !== "run" || !answer.input) return answer;
      return await review({ ...call, input: answer.input }, answer, state, "decided");
    } catch (error) {
      return denied(call, failureText(error));
    }
  };
  return review;
}

function overridden({ id, name }: ExecutableCall, { turn }: State): EventBody {
  const message = `The call ${id} of ${name} is executed although it is not permitted: its approval says override.`;
  return { type: "warning", turn, code: "permission_overridden", message };
}

function isDenied({ rules = [] }: Permissions, tool: Tool, call: ExecutableCall): boolean {
  return rules.some((rule) => rule.effect === "deny" && matches(rule, tool, call));
}

/** The name of a tool, and optionally a pattern. */
const RULE = /^([^()]+)(\(([^]*)\))?$/;

const MODES = new Set<unknown>([...permissionTable.map(({ when }) => when.mode), "default", "dont_ask"]);

/** What is invalid in the permissions, if anything: it would silently deny nothing. */
function unreadable({ permissions = {} }: RunOptions): LoopError | undefined {
  const { mode, rules, ...others } = permissions;
  const [other] = Object.keys(others);
  if (other !== undefined || !MODES.has(mode) || (rules !== undefined && !Array.isArray(rules))) {
    const modes = [...MODES].filter((one) => one !== undefined).join(", ");
    const got = JSON.stringify(permissions).slice(0, 200);
    return configuration(
      `Expected permissions { mode?, rules? } with a list of rules and one of the modes ${modes}, got ${got}.`,
    );
  }
  return unreadableRule({ rules: rules ?? [] });
}

function configuration(message: string): LoopError {
  return { kind: "configuration", message };
}

function unreadableRule({ rules }: Required<Pick<Permissions, "rules">>): LoopError | undefined {
  const wrong = rules.find(({ match, effect }) => !RULE.test(match) || !["allow", "ask", "deny"].includes(effect));
  if (!wrong) return undefined;
  const expected = `expected { effect: "allow", "ask" or "deny", match: "tool" or "tool(pattern)" }`;
  return configuration(`Invalid permission rule: ${expected}, got ${JSON.stringify(wrong)}.`);
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
 * Whether a rule matches a call. A subject that is no command line is compared as a path.
 * @see PERMISSION-7 PERMISSION-8 PERMISSION-9 PERMISSION-10 PERMISSION-29 PERMISSION-30
 */
export function matches({ effect, match }: PermissionRule, tool: Tool, call: ExecutableCall): boolean {
  const [, name = "", , pattern] = RULE.exec(match) ?? [];
  if (!fits(name.trim(), call.name)) return false;
  if (pattern === undefined) return true;
  const subject = subjectOf(tool, call);
  if (subject === undefined) return effect !== "allow";
  if (tool.annotations?.shell) return effect === "allow" ? isCommand(pattern, subject) : hasCommand(pattern, subject);
  const isPath = fits(resolvedPath(pattern), resolvedPath(subject));
  return effect === "allow" ? isPath : isPath || fits(pattern, subject);
}

/** The argument that a pattern is matched against. */
function subjectOf({ annotations = {}, input_schema }: Tool, { input }: ExecutableCall): string | undefined {
  const { required = [] } = input_schema as { required?: string[] };
  const [only] = required.length === 1 ? required : [];
  const name = annotations.subject ?? only;
  const value = name !== undefined && Object.hasOwn(input, name) ? input[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The call is pending, and the run is suspended. @see PERMISSION-11 @throws Error if its arguments have no hash */
const suspend: Ports["decide"] = async ({ input }) => {
  if (hasNonFinite(input)) throw new Error("its arguments have a number that JSON cannot write");
  return { do: "ask", approval: true };
};

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
