// A small loop that leaves every call to its caller, for the tests of relays that hand over snapshots.

import type { Message, RunResponse, Snapshot, Step, Usage } from "../../../schemas/types.ts";
import { inProcess } from "../driver/in-process.ts";
import type { Kit } from "../driver/in-process.ts";
import type { TestedDriver } from "../run/types.ts";
import { wholeAnswer } from "./whole-answer.ts";

const unknown: Usage = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/**
 * A driver around the loop.
 * @param write what it makes of a snapshot before it returns it
 */
export function suspendingLoop(name: string, write: (snapshot: Snapshot) => Snapshot = (same) => same): TestedDriver {
  const command = inProcess((kit) => ({
    initialize: () => ({
      protocol: 1,
      implementation: { name, version: "1", language: "typescript" },
      seams: ["generic"],
      features: ["external_tools", "limits"],
    }),
    run: async ({ run, session, agent, options = {} }) => {
      const begun = {
        spec_version: "1.0",
        phase: "suspended",
        turn: 0,
        truncations: 0,
        steps: [],
        decisions: [],
      } as const;
      const state = { ...begun, session, agent, options, response_start: 0, decisions: [], steps: [] } as Snapshot;
      return await takeTurn(kit, run, state, write);
    },
    resume: async ({ run, snapshot, decisions }) => {
      const results = decisions.map((decision): Message => {
        const output = decision.action === "respond" ? decision.output : "";
        return { type: "tool_result", id: decision.id, output, outcome: "ok" };
      });
      const messages = [...snapshot.session.messages, ...results];
      const last = { ...snapshot.steps.at(-1)!, outcomes: results.map(() => "ok" as const) };
      const steps = [...snapshot.steps.slice(0, -1), last];
      return await takeTurn(kit, run, { ...snapshot, session: { ...snapshot.session, messages }, steps }, write);
    },
  }));
  return { name, argument: name, command };
}

/** Asks the model once: the run is suspended if it calls a tool, and else it is over. */
async function takeTurn(
  kit: Kit,
  run: string,
  before: Snapshot,
  write: (snapshot: Snapshot) => Snapshot,
): Promise<RunResponse> {
  const { messages } = before.session;
  const tools = [{ name: "count", input_schema: { type: "object" as const } }];
  const response = await kit.request("model/invoke", { run, request: { messages, tools } });
  const { messages: added, stop_reason, raw_stop_reason = null, usage = unknown, model = "replay" } = response;
  const calls = added.filter((message) => message.type === "tool_call");
  const turn = before.turn + 1;
  const step: Step = {
    turn,
    agent: before.agent,
    model,
    stop_reason,
    raw_stop_reason,
    usage,
    tool_calls: calls.length,
    outcomes: [],
  };
  const state = {
    ...before,
    turn,
    session: { ...before.session, messages: [...messages, ...added] },
    response_start: messages.length,
    decisions: calls.map(() => ({ do: "ask" as const })),
    steps: [...before.steps, step],
  };
  return answerOf(state, calls, write);
}

function answerOf(
  state: Snapshot,
  calls: readonly Extract<Message, { type: "tool_call" }>[],
  write: (snapshot: Snapshot) => Snapshot,
): RunResponse {
  if (calls.length === 0) return wholeAnswer(state);
  const pending = calls.map(({ id, name, input }) => ({ id, name, input: input ?? {}, why: "external" as const }));
  return wholeAnswer(state, { status: "suspended", pending, snapshot: write(state) });
}
