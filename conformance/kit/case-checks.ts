// Finds what the schema of a case cannot: names that nothing knows, matchers in the wrong place, actions that cannot fire.

import type { Case, Handler, ModelEntry, Tool, When } from "../../reference/types.ts";
import type { Catalogue } from "./catalogue.ts";
import { checkGuardrails, checkInstructions } from "./check-case-guardrails.ts";
import { checkDynamicTools, checkMcp } from "./check-case-tools.ts";
import { checkHooks } from "./check-case-hooks.ts";
import { checkExpectation, list } from "./expectation-checks.ts";
import { boundNames, isName, namesInExpectation } from "./fill-case.ts";
import { pointerTo } from "./json-pointer.ts";
import { agentsOf, firstAgent, toolsOf } from "./given-agents.ts";
import { matcherOf, matchers } from "./matcher.ts";
import { mcpToolsOf } from "./mcp-tools.ts";
import { checkNeededFeatures } from "./needed-features.ts";
import { compareVersions } from "./suite-version.ts";

/** Something that is wrong with a case, and where. */
export interface CaseProblem {
  pointer: string;
  message: string;
}

/** The names that a case may use. */
export interface KnownNames extends Pick<Catalogue, "requirements" | "features" | "policies"> {
  /** Keys of conformance/bugs.yaml. */
  bugs: Set<string>;
  /** Whether a fixture, named as in `raw`, exists. */
  hasFixture(name: string): boolean;
}

/** Everything that is wrong with a case that its schema allows. */
export function checkCase(source: Case, names: KnownNames): CaseProblem[] {
  return [
    ...checkNames(source, names),
    ...checkMessages(source),
    ...checkAgents(source),
    ...checkTools(source),
    ...checkHooks(source),
    ...checkGuardrails(source),
    ...checkInstructions(source),
    ...checkDynamicTools(source),
    ...checkMcp(source),
    ...checkScript(source, names),
    ...checkActions(source),
    ...checkNeededFeatures(source, names),
    ...checkBindings(source),
    ...checkExpectation(source, names),
    ...findMatchers({ given: withoutSchemas(source), model: source.model, actions: source.actions ?? [] }),
  ];
}

/** A comma in a text without quotes ends it, and makes keys without a value of the rest. */
function checkMessages({ given }: Case): CaseProblem[] {
  return given.messages.flatMap((message, index) =>
    Object.entries(message)
      .filter(([key, value]) => value === null && key !== "input")
      .map(([key]) => ({
        pointer: pointerTo(`/given/messages/${index}`, key),
        message: "has no value; a text with a comma needs quotes",
      })),
  );
}

function checkNames(source: Case, names: KnownNames): CaseProblem[] {
  const found: CaseProblem[] = [];
  if (source.until !== undefined && compareVersions(source.until, source.since) < 0)
    found.push({ pointer: "/until", message: `comes before since, ${source.since}; a case is in the suite once` });
  for (const [index, id] of source.requires.entries()) {
    if (!names.requirements.has(id)) {
      found.push({
        pointer: `/requires/${index}`,
        message: `no requirement of the spec is called ${id}; see spec/requirements.json`,
      });
    }
  }
  for (const [index, feature] of (source.features ?? []).entries()) {
    if (!names.features.has(feature)) {
      found.push({
        pointer: `/features/${index}`,
        message: `no feature is called ${feature}; known: ${list(names.features.keys())}`,
      });
    }
  }
  for (const [index, why] of (source.why ?? []).entries()) {
    if (why.bug !== undefined && !names.bugs.has(why.bug)) {
      found.push({
        pointer: `/why/${index}/bug`,
        message: `conformance/bugs.yaml has no entry ${why.bug}; add it there first`,
      });
    }
  }
  return found;
}

/** What is wrong with the names of agents, and with whom tools hand over to. */
function checkAgents(source: Case): CaseProblem[] {
  const { given, requires } = source;
  const names = Object.keys(agentsOf(given));
  const found: CaseProblem[] = [];
  for (const [key, { name }] of Object.entries(given.agents ?? {})) {
    if (name !== key)
      found.push({ pointer: pointerTo("/given/agents", key), message: `this agent is called ${name}; write ${key}` });
  }
  if (!names.includes(firstAgent(given)) && requires[0] !== "LOOP-39") {
    const message = `given.agents has no ${firstAgent(given)} (${list(names)}); only a case of LOOP-39 may ask for such an agent`;
    found.push({ pointer: "/given/agent", message });
  }
  for (const [name, { handoff, sequence = [] }] of Object.entries(given.handlers ?? {})) {
    for (const to of [handoff, ...sequence.map((entry) => entry.handoff)]) {
      if (to == null || names.includes(to) || requires.includes("LOOP-70")) continue;
      const message = `there is no agent ${to} (${list(names)}); only a case that requires LOOP-70 may hand over to one`;
      found.push({ pointer: pointerTo("/given/handlers", name), message });
    }
  }
  return found;
}

function checkTools(source: Case): CaseProblem[] {
  const { given } = source;
  const handlers = given.handlers ?? {};
  const leftToCaller = given.options?.execute_tools === false;
  const found = Object.entries(agentsOf(given)).flatMap(([agent, { tools = [] }]) =>
    tools.flatMap((tool, index) => {
      const pointer = `${given.agents ? pointerTo("/given/agents", agent) : "/given"}/tools/${index}`;
      const handled = Object.hasOwn(handlers, tool.name);
      if (tool.agent !== undefined) return checkAgentTool(tool, source, handled, pointer);
      if (!handled && !tool.external && !leftToCaller) {
        const message = `tool ${tool.name} has no handler; add given.handlers.${tool.name}, or say external: true`;
        return [{ pointer, message }];
      }
      if (!handled || !tool.external) return [];
      const message = `tool ${tool.name} is external and has a handler; an external tool is never executed, remove one of them`;
      return [{ pointer, message }];
    }),
  );
  const names = toolsOf(given).map(({ name }) => name);
  for (const [name, handler] of Object.entries(handlers)) {
    const pointer = pointerTo("/given/handlers", name);
    if (!names.includes(name)) {
      const where = given.agents ? "of any agent" : "of given.tools";
      found.push({ pointer, message: `this handler is for no tool ${where} (${list(names)}); correct the name` });
    }
    found.push(...checkHandler(handler, pointer));
  }
  return found;
}

function checkAgentTool({ name, agent }: Tool, source: Case, isHandled: boolean, pointer: string): CaseProblem[] {
  const { given, requires } = source;
  const agents = Object.keys(agentsOf(given));
  const found: CaseProblem[] = [];
  if (!agents.includes(agent!) && !requires.includes("SUBAGENT-3")) {
    const message = `there is no agent ${agent} (${list(agents)}); only a case that requires SUBAGENT-3 may name such a one`;
    found.push({ pointer: `${pointer}/agent`, message });
  }
  if (isHandled)
    found.push({
      pointer,
      message: `tool ${name} is an agent and has a handler; an agent answers by itself, remove one`,
    });
  for (const key of ["hooks", "guardrails", "dynamic_instructions", "dynamic_tools", "mcp"] as const) {
    if (given[key] === undefined) continue;
    const message = `whether a run or its subagent is asked, the kit cannot tell; leave ${key} out`;
    found.push({ pointer: `/given/${key}`, message });
  }
  return found;
}

function checkHandler(handler: Handler, pointer: string): CaseProblem[] {
  const found: CaseProblem[] = [];
  if (handler.fatal !== undefined && handler.throw === undefined) {
    found.push({ pointer: `${pointer}/fatal`, message: "fatal stands only beside throw" });
  }
  if (handler.output === undefined && handler.data === undefined) {
    for (const key of ["is_error", "context_updates", "handoff", "metrics"] as const)
      if (handler[key] !== undefined)
        found.push({ pointer: `${pointer}/${key}`, message: `${key} stands only beside output or data` });
  }
  if (handler.is_error && handler.handoff !== undefined)
    found.push({ pointer: `${pointer}/handoff`, message: "a tool that fails hands nothing over; remove one of them" });
  for (const [index, entry] of (handler.sequence ?? []).entries()) {
    const below = `${pointer}/sequence/${index}`;
    if (entry.sequence) found.push({ pointer: below, message: "a sequence cannot stand in a sequence" });
    found.push(...checkHandler(entry, below));
  }
  for (const key of ["hold", "progress"] as const) {
    if (handler.sequence && handler[key] !== undefined)
      found.push({
        pointer: `${pointer}/${key}`,
        message: `${key} stands in the entries of a sequence, not beside it`,
      });
  }
  return found;
}

function checkScript(source: Case, names: KnownNames): CaseProblem[] {
  const found: CaseProblem[] = [];
  const genericOnly = source.variants?.seams?.includes("wire") === false;
  const subagents = new Set(toolsOf(source.given).flatMap(({ agent }) => agent ?? []));
  for (const [index, entry] of source.model.entries()) {
    const pointer = `/model/${index}`;
    if (entry.agent !== undefined && !subagents.has(entry.agent)) {
      const message = `no tool is the agent ${entry.agent} (${list(subagents)}), so that it is never asked for as a subagent`;
      found.push({ pointer: `${pointer}/agent`, message });
    }
    const speaks = entry.respond !== undefined || entry.text !== undefined;
    for (const key of ["stop_reason", "raw_stop_reason", "usage"] as const) {
      if (entry[key] !== undefined && !speaks)
        found.push({ pointer: `${pointer}/${key}`, message: `${key} stands only beside respond or text` });
    }
    if (entry.raw_stop_reason !== undefined && entry.stop_reason !== "other") {
      found.push({
        pointer: `${pointer}/raw_stop_reason`,
        message: "raw_stop_reason stands only beside stop_reason: other; the kit knows the word for the others",
      });
    }
    if (entry.text === "")
      found.push({ pointer: `${pointer}/text`, message: "a model that says nothing is written respond: []" });
    found.push(...checkReset(entry, index === source.model.length - 1, pointer));
    if (entry.summary) found.push(...checkSummary(entry, source, `${pointer}/summary`));
    if (((!speaks && entry.fault === undefined) || entry.reset !== undefined) && genericOnly) {
      found.push({
        pointer,
        message:
          "http, sse, writes, raw and reset run on the wire only, but variants.seams leaves only the generic seam",
      });
    }
    if (entry.raw !== undefined && !names.hasFixture(entry.raw)) {
      found.push({
        pointer: `${pointer}/raw`,
        message: `there is no fixture fixtures/${entry.raw.split("#")[0]}.json with that exchange`,
      });
    }
    for (const [at, part] of (entry.respond ?? entry.fault?.after ?? []).entries()) {
      const below = `${pointer}/${entry.respond ? "respond" : "fault/after"}/${at}`;
      if (part.thinking === undefined && (part.signature !== undefined || part.redacted !== undefined)) {
        found.push({ pointer: below, message: "signature and redacted stand only beside thinking" });
      }
    }
  }
  return found;
}

function checkSummary({ respond, text, fault }: ModelEntry, { given }: Case, pointer: string): CaseProblem[] {
  const problems = [
    respond === undefined && text === undefined && fault === undefined
      ? "summary stands only beside respond, text or fault"
      : "",
    given.options?.compaction?.strategy === "summarize"
      ? ""
      : "no summary is asked for; say strategy: summarize in given.options.compaction",
  ];
  return problems.filter(Boolean).map((message) => ({ pointer, message }));
}

function checkReset(entry: ModelEntry, isLast: boolean, pointer: string): CaseProblem[] {
  const { reset, repeat, http, sse, writes, fault, raw } = entry;
  const found: CaseProblem[] = [];
  const isExact = http !== undefined || sse !== undefined || writes !== undefined;
  if (reset !== undefined && (fault ?? raw) !== undefined)
    found.push({ pointer: `${pointer}/reset`, message: "reset does not stand beside fault or raw" });
  if (reset === "before_end" && isExact) {
    const message =
      "the kit does not know where http, sse and writes end; leave the end out, and write reset: mid_stream";
    found.push({ pointer: `${pointer}/reset`, message });
  }
  if (repeat && !isLast) found.push({ pointer: `${pointer}/repeat`, message: "only the last entry can be repeated" });
  const speaks = entry.respond !== undefined || entry.text !== undefined;
  if (repeat && speaks && reset === undefined)
    found.push({ pointer: `${pointer}/repeat`, message: "only a failure can be repeated; an answer ends the run" });
  return found;
}

function checkActions(source: Case): CaseProblem[] {
  const found: CaseProblem[] = [];
  const tools = new Set([...toolsOf(source.given), ...mcpToolsOf(source.given)].map((tool) => tool.name));
  const handlers = Object.values(source.given.handlers ?? {}).flatMap((handler) => [
    handler,
    ...(handler.sequence ?? []),
  ]);
  const gates = new Set(
    [...handlers, ...(source.given.hooks ?? []), ...source.model.flatMap(({ writes = [] }) => writes)].flatMap(
      ({ hold }) => hold ?? [],
    ),
  );
  for (const [index, { when, do: act }] of (source.actions ?? []).entries()) {
    const pointer = `/actions/${index}`;
    if (when.request !== undefined && when.request > source.model.length) {
      found.push({
        pointer: `${pointer}/when/request`,
        message: `never fires: model has only ${source.model.length} entries`,
      });
    }
    if (when.after_parts !== undefined && when.request === undefined) {
      found.push({ pointer: `${pointer}/when/after_parts`, message: "after_parts stands only beside request" });
    }
    found.push(...checkAfterWrites(when, source.model, `${pointer}/when/after_writes`));
    for (const name of [when.tool_start ?? [], when.tool_end ?? []].flat()) {
      if (!tools.has(name))
        found.push({ pointer: `${pointer}/when`, message: `never fires: no agent has a tool ${name}` });
    }
    if (when.progress !== undefined && !handlers.some(({ progress }) => progress))
      found.push({ pointer: `${pointer}/when/progress`, message: "never fires: no handler says its progress" });
    if (when.hook !== undefined && !source.given.hooks)
      found.push({ pointer: `${pointer}/when/hook`, message: "never fires: the case has no hooks" });
    if (typeof act === "string") continue;
    for (const gate of [act.release ?? []].flat()) {
      if (!gates.has(gate))
        found.push({
          pointer: `${pointer}/do/release`,
          message: `no handler, no hook and no write holds the gate ${gate}; known: ${list(gates)}`,
        });
    }
    if (act.run_again && source.expect.second_result === undefined)
      found.push({ pointer: `${pointer}/do/run_again`, message: "say in expect.second_result what has to come of it" });
    if (act.resume && when.suspended === undefined) {
      found.push({
        pointer: `${pointer}/when`,
        message: "a run can be resumed only when it is suspended; write when: { suspended: true }",
      });
    }
  }
  return found;
}

function checkAfterWrites({ request, after_writes }: When, model: Case["model"], pointer: string): CaseProblem[] {
  if (after_writes === undefined) return [];
  if (request === undefined) return [{ pointer, message: "after_writes stands only beside request" }];
  const { sse, writes } = model[request - 1] ?? {};
  const count = (sse ?? writes)?.length;
  if (count === undefined)
    return [
      {
        pointer,
        message: "after_writes counts the writes of sse or writes; for what the kit renders, use after_parts",
      },
    ];
  return after_writes > count ? [{ pointer, message: `never fires: the answer has only ${count} writes` }] : [];
}

function checkBindings(source: Case): CaseProblem[] {
  const bound = boundNames(source);
  const found: CaseProblem[] = [];
  for (const [name, count] of namesInExpectation(source.expect)) {
    if (!bound.has(name) && count < 2) {
      found.push({
        pointer: "/expect",
        message: `$${name} stands for nothing that model or given names, and stands only once; write { $any: true }, or a literal $ as $$`,
      });
    }
  }
  for (const [index, { do: act }] of (source.actions ?? []).entries()) {
    for (const [at, decision] of (typeof act === "string" ? [] : (act.resume ?? [])).entries()) {
      if (isName(decision.id) && !bound.has(decision.id.slice(1))) {
        found.push({
          pointer: `/actions/${index}/do/resume/${at}/id`,
          message: `${decision.id} stands for no id of model or given`,
        });
      }
    }
  }
  return found;
}

/** Matchers where none may stand. */
function findMatchers(value: unknown, pointer = ""): CaseProblem[] {
  if (typeof value !== "object" || value === null) return [];
  const matcher = matcherOf(value);
  if (matcher && matcher.name in matchers)
    return [
      {
        pointer,
        message: `the matcher ${matcher.name} may stand only under expect; here everything is taken literally`,
      },
    ];
  return Object.entries(value).flatMap(([key, entry]) => findMatchers(entry, pointerTo(pointer, key)));
}

function withoutSchemas({ given }: Case): object {
  const { tools: _, agents: __, ...rest } = given;
  const agents = Object.values(agentsOf(given)).map((agent) => ({
    ...agent,
    tools: (agent.tools ?? []).map((tool) => ({ ...tool, input_schema: {} })),
  }));
  return { ...rest, agents };
}
