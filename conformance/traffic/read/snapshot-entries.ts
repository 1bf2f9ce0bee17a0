// A snapshot in words: the conversation so far, what waits, what was spent, and what will happen when the run is resumed.

import type { CallDecision, Snapshot, ToolCallMessage } from "../../../schemas/types.ts";
import { inputHash } from "../../kit/base/input-hash.ts";
import { counted } from "../../kit/base/plural.ts";
import { entryOf, errorEntry, usageText } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { sessionEntries } from "./session-entries.ts";

/** A call of the last response, and what was decided about it. */
interface Judged {
  call: ToolCallMessage;
  decision: CallDecision;
}

/** How many turns a run may take by default. @see LOOP-26 */
const usualTurns = 20;

/** The session of a snapshot, and where the run stands. */
export function snapshotEntries(snapshot: Snapshot): Entry[] {
  const { session, phase, agent, turn, error, ending } = snapshot;
  const isWaiting = phase === "suspended";
  return [
    ...sessionEntries(session),
    ...(error ? [errorEntry(error)] : []),
    { kind: "heading", text: `turn ${turn}, ${phase}`, aside: agent },
    ...(ending && !isWaiting ? [note(`ended: ${ending.status}`)] : []),
    ...(isWaiting ? section("What waits", waiting(snapshot)) : []),
    ...section("What was spent", spent(snapshot)),
    ...(isWaiting ? section("What resuming will do", resuming(snapshot)) : []),
  ];
}

function section(text: string, entries: Entry[]): Entry[] {
  return entries.length === 0 ? [] : [{ kind: "heading", text }, ...entries];
}

function note(text: string): Entry {
  return { kind: "note", text };
}

/** The calls about which the caller decides, those of subagents after the call that they answer. */
function waiting(snapshot: Snapshot, within: string[] = []): Entry[] {
  const own = judged(snapshot).flatMap(({ call, decision }): Entry[] => {
    if (decision.do !== "ask") return [];
    const shown = entryOf({ ...call, input: decision.input ?? call.input });
    const path = within.length > 0 ? [note(`asked by a subagent: path ${JSON.stringify(within)}`)] : [];
    return [shown, note(reasonToWait(decision)), ...path, ...wrongHash(call, decision)];
  });
  const below = Object.entries(snapshot.unfinished ?? {}).flatMap(([id, { snapshot: inner }]) =>
    inner ? waiting(inner, [...within, id]) : [],
  );
  return [...own, ...below];
}

function reasonToWait({ approval, input_hash }: Extract<CallDecision, { do: "ask" }>): string {
  if (!approval) return "waits for its result";
  return `waits for approval${input_hash === undefined ? "" : `, with input_hash ${input_hash}`}`;
}

/** @see PERMISSION-24 */
function wrongHash({ id, name, ...call }: ToolCallMessage, decision: Extract<CallDecision, { do: "ask" }>): Entry[] {
  if (decision.input_hash === undefined) return [];
  const expected = inputHash(id, name, decision.input ?? call.raw_input ?? call.input);
  if (expected === decision.input_hash) return [];
  const text = `the input_hash is not that of this call, which is ${expected}: a loop refuses to resume the snapshot`;
  return [{ kind: "warning", text }];
}

/** What limits and results count, each beside its limit. */
function spent({ turn, steps, options, counters = {} }: Snapshot): Entry[] {
  const calls = steps.reduce((sum, { tool_calls }) => sum + tool_calls, 0);
  const { elapsed_ms = 0, ...others } = counters;
  const turns = steps.flatMap(({ turn: number, usage, cost }) => {
    const parts = [usageText(usage), cost == null ? undefined : `cost ${cost}`].filter((part) => part !== undefined);
    return parts.length === 0 ? [] : [note(`turn ${number}: ${parts.join(", ")}`)];
  });
  const most = options.max_turns === undefined ? usualTurns : options.max_turns;
  return [
    note(
      [
        within(counted(turn, "turn"), most),
        within(counted(calls, "call"), options.max_tool_calls),
        within(`${elapsed_ms / 1000} s`, inSeconds(options.deadline_ms)),
      ].join(", "),
    ),
    ...limit("tokens", options.max_total_tokens),
    ...limit("cost", options.budget),
    ...turns,
    ...Object.entries(others).flatMap(([name, count]) => (count ? [note(`${name}: ${count}`)] : [])),
  ];
}

function within(text: string, most: number | null | undefined): string {
  return most == null ? text : `${text} of ${most}`;
}

function inSeconds(ms: number | null | undefined): number | null {
  return ms == null ? null : ms / 1000;
}

function limit(what: string, most: string | number | null | undefined): Entry[] {
  return most == null ? [] : [note(`${what}: at most ${most} in the whole run`)];
}

/** What becomes of each call of the batch, and what follows. */
function resuming(snapshot: Snapshot): Entry[] {
  const { turn, agent, model, options, tools } = snapshot;
  const { max_turns: most = usualTurns } = options;
  const next =
    most !== null && turn >= most
      ? `then the run ends: it may take no more than ${counted(most, "turn")}`
      : `then ${agent} asks ${model ?? "its model"} for turn ${turn + 1}, unless a tool, a limit or a stop condition ends the run`;
  const extensions = extensionsOf(snapshot);
  return [
    ...(tools ? [note("tools that have changed are reported")] : []),
    ...judged(snapshot).map((one) => note(fate(one, snapshot))),
    note(next),
    ...(extensions.length > 0 ? [note(`handed on as they are: ${extensions.join(", ")}`)] : []),
  ];
}

/** Names with a dot, which are for others. @see LOOP-107 */
function extensionsOf({ session, counters = {}, ...snapshot }: Snapshot): string[] {
  const names = [snapshot, session, counters].flatMap((carrier) => Object.keys(carrier));
  return [...new Set(names.filter((name) => name.includes(".")))];
}

/** @see LOOP-36 */
function fate({ call: { id, name }, decision }: Judged, { unfinished = {} }: Snapshot): string {
  const which = `${name} [${id}]`;
  const before = Object.hasOwn(unfinished, id) ? unfinished[id] : undefined;
  if (before?.executed) return `${which} was executed, and is not executed again`;
  if (before?.snapshot) return `${which} goes on: its subagent is resumed`;
  switch (decision.do) {
    case "run":
      return `${which} is executed${decision.input ? ` with ${JSON.stringify(decision.input)}` : ""}, if it is permitted by then`;
    case "answer":
      return `${which} is answered without being executed: ${decision.result.outcome ?? "ok"}`;
    case "ask":
      return decision.approval
        ? `${which} is executed if it is approved; if it is denied, skipped or answered, it is not`
        : `${which} is answered by the decision, and not executed`;
  }
}

/** The calls of the last response, each with its decision. */
function judged({ session, response_start, decisions }: Snapshot): Judged[] {
  const calls = session.messages.slice(response_start).filter((message) => message.type === "tool_call");
  return calls.flatMap((call, index) => {
    const decision = decisions[index];
    return decision ? [{ call, decision }] : [];
  });
}
