// Finds what the schema of a case cannot: names that nothing knows, matchers in the wrong place, actions that cannot fire.

import type { Action, Case, Handler, ModelEntry, Tool, When } from "../../reference/types.ts";
import type { Catalogue } from "./catalogue.ts";
import { checkExpectation, list } from "./expectation-checks.ts";
import { boundNames, isName, namesInExpectation } from "./fill-case.ts";
import { pointerTo } from "./json-pointer.ts";
import { matcherOf, matchers } from "./matcher.ts";

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
    ...checkTools(source),
    ...checkScript(source, names),
    ...checkActions(source),
    ...checkNeededFeatures(source, names),
    ...checkBindings(source),
    ...checkExpectation(source, names),
    ...findMatchers({ given: withoutSchemas(source), model: source.model, actions: source.actions ?? [] }),
  ];
}

function checkNames(source: Case, names: KnownNames): CaseProblem[] {
  const found: CaseProblem[] = [];
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

function checkTools(source: Case): CaseProblem[] {
  const found: CaseProblem[] = [];
  const tools = source.given.tools ?? [];
  const handlers = source.given.handlers ?? {};
  const leftToCaller = source.given.options?.execute_tools === false;
  for (const [index, tool] of tools.entries()) {
    const pointer = `/given/tools/${index}`;
    const handled = Object.hasOwn(handlers, tool.name);
    if (!handled && !tool.external && !leftToCaller) {
      found.push({
        pointer,
        message: `tool ${tool.name} has no handler; add given.handlers.${tool.name}, or say external: true`,
      });
    }
    if (handled && tool.external) {
      found.push({
        pointer,
        message: `tool ${tool.name} is external and has a handler; an external tool is never executed, remove one of them`,
      });
    }
  }
  for (const [name, handler] of Object.entries(handlers)) {
    const pointer = pointerTo("/given/handlers", name);
    if (!tools.some((tool: Tool) => tool.name === name)) {
      found.push({
        pointer,
        message: `this handler is for no tool of given.tools (${list(tools.map((tool) => tool.name))}); correct the name`,
      });
    }
    found.push(...checkHandler(handler, pointer));
  }
  return found;
}

function checkHandler(handler: Handler, pointer: string): CaseProblem[] {
  const found: CaseProblem[] = [];
  if (handler.fatal !== undefined && handler.throw === undefined) {
    found.push({ pointer: `${pointer}/fatal`, message: "fatal stands only beside throw" });
  }
  if (handler.is_error !== undefined && handler.output === undefined) {
    found.push({ pointer: `${pointer}/is_error`, message: "is_error stands only beside output" });
  }
  for (const [index, entry] of (handler.sequence ?? []).entries()) {
    const below = `${pointer}/sequence/${index}`;
    if (entry.sequence) found.push({ pointer: below, message: "a sequence cannot stand in a sequence" });
    found.push(...checkHandler(entry, below));
  }
  if (handler.sequence && handler.hold !== undefined) {
    found.push({ pointer: `${pointer}/hold`, message: "hold stands in the entries of a sequence, not beside it" });
  }
  return found;
}

function checkScript(source: Case, names: KnownNames): CaseProblem[] {
  const found: CaseProblem[] = [];
  const genericOnly = source.variants?.seams?.includes("wire") === false;
  for (const [index, entry] of source.model.entries()) {
    const pointer = `/model/${index}`;
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
  const tools = new Set((source.given.tools ?? []).map((tool) => tool.name));
  const gates = new Set(
    [
      ...Object.values(source.given.handlers ?? {}).flatMap((handler) => [handler, ...(handler.sequence ?? [])]),
      ...source.model.flatMap(({ writes = [] }) => writes),
    ].flatMap(({ hold }) => hold ?? []),
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
        found.push({ pointer: `${pointer}/when`, message: `never fires: given.tools has no ${name}` });
    }
    if (typeof act === "string") continue;
    for (const gate of [act.release ?? []].flat()) {
      if (!gates.has(gate))
        found.push({
          pointer: `${pointer}/do/release`,
          message: `no handler and no write holds the gate ${gate}; known: ${list(gates)}`,
        });
    }
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

function checkNeededFeatures(source: Case, names: KnownNames): CaseProblem[] {
  const declared = new Set(source.features ?? []);
  const needs: [feature: string, pointer: string, reason: string][] = [];
  const tested = names.requirements.get(source.requires[0]!);
  if (tested?.feature)
    needs.push([tested.feature, "/requires/0", `${tested.id} holds only for implementations that declare it`]);
  for (const [index, action] of (source.actions ?? []).entries()) {
    const feature = featureOfAction(action);
    if (feature) needs.push([feature, `/actions/${index}`, "the action cannot be done without it"]);
  }
  const options = source.given.options ?? {};
  if (options.scheduling !== undefined && options.scheduling !== "barrier")
    needs.push(["scheduling", "/given/options/scheduling", "the other modes belong to it"]);
  if (options.tool_timeout_ms != null)
    needs.push(["timeouts", "/given/options/tool_timeout_ms", "time limits belong to it"]);
  if (options.execute_tools === false)
    needs.push(["external_tools", "/given/options/execute_tools", "to suspend belongs to it"]);
  for (const [index, tool] of (source.given.tools ?? []).entries()) {
    if (tool.external) needs.push(["external_tools", `/given/tools/${index}`, "external tools belong to it"]);
    if (tool.timeout_ms !== undefined) needs.push(["timeouts", `/given/tools/${index}`, "time limits belong to it"]);
  }
  if (source.expect.overlap) needs.push(["parallel", "/expect/overlap", "without it tools never overlap"]);
  return needs
    .filter(([feature]) => !declared.has(feature))
    .map(([feature, pointer, reason]) => ({ pointer, message: `needs features: [${feature}], because ${reason}` }));
}

function featureOfAction({ do: act, when }: Action): string | undefined {
  if (typeof act === "string") return act;
  if (act.advance_ms !== undefined) return "clock.virtual";
  return act.resume || when.suspended ? "external_tools" : undefined;
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
  return { ...given, tools: (given.tools ?? []).map((tool) => ({ ...tool, input_schema: {} })) };
}
