// The runs of subagents: each is observed like a run, and judged like one. Assigns each observation to the run that it belongs to.

import { isDeepStrictEqual } from "node:util";
import type { LoopEvent, Message, Part, ToolCallMessage } from "../../../schemas/types.ts";
import { ExpectedSession } from "./expected-session.ts";
import { agentsOf } from "../suite/case-agents.ts";
import { leadingSystem } from "./leading-system.ts";
import type { Observation, ObservedRequest, Subrun } from "./observation.ts";
import { rebuildSession } from "./session-from-events.ts";

/**
 * The run that asks the model: that of a subagent, if the request begins with its prompt, or with its instructions where
 * somebody must be asked for it. Else the run itself.
 */
export function askingRun(seen: Observation, request: Pick<ObservedRequest, "system" | "messages">): Observation {
  const waiting = openSubruns(seen).filter(({ hasEnded }) => !hasEnded);
  const first = request.messages.find((message) => message.role !== "system");
  const system = request.system ?? leadingSystem(request.messages);
  const instructed = waiting.filter(({ agent, filled }) => agentsOf(filled.case.given)[agent]?.instructions === system);
  const byPrompt = waiting.filter(({ filled }) => isPrompt(filled.case.given.messages[0]!, first));
  const unasked = instructed.filter(({ requests }) => requests.length === 0);
  return byPrompt.find((run) => instructed.includes(run)) ?? byPrompt[0] ?? unasked[0] ?? seen;
}

/** The run whose last response has a call. */
export function callingRun(seen: Observation, id: string, name: string): Observation {
  const runs = [...openSubruns(seen).toReversed(), seen];
  const has = (run: Observation, isCall: (call: ToolCallMessage) => boolean) =>
    (run.expected.batches.at(-1) ?? []).some(isCall);
  return (
    runs.find((run) => has(run, (call) => call.id === id)) ??
    runs.find((run) => has(run, (call) => call.id === "" && call.name === name)) ??
    seen
  );
}

/** The run whose session has an id, if there is one. @see SUBAGENT-29 */
export function runOfSession(seen: Observation, id: string | undefined): Observation | undefined {
  if (id === seen.sessionId) return seen;
  return openSubruns(seen).find(({ path }) => [seen.sessionId, ...path].join("/") === id);
}

/** The run that a decision is about, or the run itself. */
export function runAt(seen: Observation, path: readonly string[] = []): Observation {
  return seen.subruns.find((run) => isDeepStrictEqual(run.path, path)) ?? seen;
}

/** Whether a tool is an agent. */
export function isAgentTool(seen: Observation, name: string): boolean {
  return Object.values(agentsOf(seen.filled.case.given)).some(({ tools = [] }) =>
    tools.some((tool) => tool.name === name && tool.agent !== undefined),
  );
}

/** The run and those of its subagents, each with its own observations and its own events. */
export function runsOf(seen: Observation): Observation[] {
  if (seen.subruns.length === 0) return [seen];
  const executions = new Set(seen.subruns.flatMap((run) => run.executions));
  const requests = new Set(seen.subruns.flatMap((run) => run.requests));
  const own = {
    ...seen,
    executions: seen.executions.filter((one) => !executions.has(one)),
    requests: seen.requests.filter((one) => !requests.has(one)),
  };
  return [own, ...seen.subruns.filter(({ requests: sent }) => sent.length > 0).map((run) => withEvents(seen, run))];
}

/** The whole answers that a run got, and its subagents. */
export function answersUnder(seen: Observation, run: Observation): Observation["answers"] {
  return [run, ...below(seen, run)].flatMap(({ answers }) => answers);
}

/** Whether something was cut short in a run, or in a subagent of it. */
export function isDisturbed(seen: Observation, run: Observation): boolean {
  return [run, ...below(seen, run)].some(({ disturbed }) => disturbed);
}

function below({ subruns }: Observation, { path }: Observation): Subrun[] {
  return subruns.filter(
    (run) => run.path.length > path.length && isDeepStrictEqual(run.path.slice(0, path.length), path),
  );
}

/** The observation of a subagent, with its events. */
function withEvents(seen: Observation, run: Subrun): Subrun {
  const events: LoopEvent[][] = [];
  for (const event of eventsAt(seen.events.flat(), run.path)) {
    if (event.type === "run_start" || events.length === 0) events.push([]);
    events.at(-1)!.push(event);
  }
  const results = events.map((list, index) => {
    const end = list.at(-1);
    const start = list[0]?.type === "run_start" ? list[0] : undefined;
    const before = { spec_version: "1.0", id: start?.session_id ?? "", messages: run.filled.case.given.messages };
    const session = rebuildSession(before, events.slice(0, index + 1).flat());
    return { ...(end?.type === "run_end" && { result: end.result }), session };
  });
  return { ...run, events, results };
}

function eventsAt(events: readonly LoopEvent[], [id, ...path]: readonly string[]): readonly LoopEvent[] {
  if (id === undefined) return events;
  return eventsAt(
    events.flatMap((event) => (event.type === "subagent_event" && event.id === id ? [event.event] : [])),
    path,
  );
}

/** The runs of subagents that were called so far. Begins those of the last responses. */
function openSubruns(seen: Observation): Subrun[] {
  const runs = [seen, ...seen.subruns];
  for (const run of runs) {
    for (const call of run.expected.batches.at(-1) ?? []) {
      const tool = agentsOf(seen.filled.case.given)[run.expected.during.agent]?.tools?.find(
        ({ name }) => name === call.name,
      );
      if (tool?.agent === undefined || call.input === null) continue;
      const path = [...run.path, call.id];
      if (seen.subruns.some((one) => isDeepStrictEqual(one.path, path))) continue;
      seen.subruns.push(begun(run, call, tool.agent, path));
    }
  }
  return seen.subruns;
}

function begun(within: Observation, { input }: ToolCallMessage, agent: string, path: string[]): Subrun {
  const { sessionId: _, ...common } = within;
  const { filled } = within;
  const content = typeof input?.["prompt"] === "string" ? input["prompt"] : JSON.stringify(input);
  const messages: Message[] = [{ role: "user", content }];
  const { context } = within.expected.during;
  const { context: _context, ...given } = filled.case.given;
  const own = { ...given, messages, agent, ...(context && { context }) };
  return {
    ...common,
    filled: { ...filled, case: { ...filled.case, given: own } },
    path,
    agent,
    within,
    hasEnded: false,
    expected: new ExpectedSession(messages, Object.keys(agentsOf(given)), { agent, ...(context && { context }) }),
    requests: [],
    executions: [],
    findings: [],
    toolsets: [],
    mcpCalls: [],
    progress: [],
    events: [],
    results: [],
    answers: [],
    next: [],
    summaries: [],
    subruns: [],
    disturbed: within.disturbed,
  };
}

/** What a subagent comes to is the loop's affair: its text is not the result of its call. Nothing, where the run is that of the case. */
export function endedOtherwise(run: Observation): void {
  if ("within" in run) (run as Subrun).within.expected.unsettled(run.path.at(-1)!);
}

function isPrompt(prompt: Message, first: Message | undefined): boolean {
  if (prompt.role !== "user" || first?.role !== "user") return false;
  const [wanted, sent] = [textOf(prompt.content), textOf(first.content)];
  if (wanted === sent) return true;
  // A hook may have added something, which providers take in the same message.
  return typeof first.content !== "string" && first.content[0]?.type === "text" && first.content[0].text === wanted;
}

function textOf(content: string | Part[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
