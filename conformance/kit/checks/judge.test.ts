// Shows that a correct run is accepted, and that each always-on check refuses the run that breaks it, for the right requirement.

import { describe, expect, it } from "vitest";
import type { Case, Failure, LoopEvent, Message, RunResult } from "../../../schemas/types.ts";
import { judge } from "./judge.ts";
import type { Observation } from "../observed/observation.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const twoCalls: Case = {
  title: "Two calls",
  since: "1.0",
  requires: ["LOOP-5"],
  given: {
    messages: [{ role: "user", content: "Look at {{city}}." }],
    tools: [
      { name: "look", input_schema: { type: "object" } },
      { name: "listen", input_schema: { type: "object" } },
    ],
    handlers: { look: { output: "I see {{thing}}." }, listen: { output: "Nothing." } },
  },
  model: [
    {
      respond: [
        { text: "Let me see." },
        { tool_call: { id: "$a", name: "look", input: { at: "{{city}}" } } },
        { tool_call: { id: "$b", name: "listen", input: {} } },
      ],
    },
    { respond: [{ tool_call: { id: "$c", name: "smell", input: {} } }] },
    { text: "Done." },
  ],
  expect: { status: "completed" },
};

/** What is wrong with a run after something was changed in what the kit saw. */
async function judged(change: (seen: Observation) => void, source: Case = twoCalls): Promise<Failure[]> {
  const seen = await playInMemory(source);
  change(seen);
  return judge(seen);
}

const session = (seen: Observation): Message[] => seen.results.at(-1)!.session!.messages;
const result = (seen: Observation): RunResult => seen.results.at(-1)!.result!;
const events = (seen: Observation): LoopEvent[] => seen.events[0]!;

/** Changes the session and the events alike, so that only the session is wrong. */
function changeMessage(seen: Observation, index: number, change: (message: never) => void): void {
  const message = session(seen)[index]!;
  change(message as never);
  const added = events(seen).filter((event) => event.type === "message");
  const event = added[index - seen.filled.case.given.messages.length];
  if (event) event.message = message as never;
}

describe("a correct run", () => {
  it("is accepted [KIT-7]", async () => expect(await judged(() => undefined)).toEqual([]));
});

describe("what a case expects on the wire", () => {
  const wire = { "anthropic-messages": [{ model: "replay", messages: [{ role: "user" }, { role: "assistant" }] }] };
  const source: Case = { ...twoCalls, expect: { status: "completed", wire } };
  const onWire = async (request: object, given = source.given) => {
    const failures = await judged(
      (seen) => {
        seen.variant = { name: "anthropic-messages/json", seam: "anthropic-messages", transport: "json" };
        seen.driver = { ...seen.driver, models: { "anthropic-messages": "claude-sonnet-4-5" } };
        seen.requests = [{ messages: [], tools: [], ...request }];
      },
      { ...source, given },
    );
    return failures.filter(({ path = "" }) => path.startsWith("/expect/wire")).map(({ path }) => path);
  };
  const kept = { model: "claude-sonnet-4-5", messages: [{ role: "user" }, { role: "assistant" }] };

  it("has the model under the name that the driver chose", async () => {
    expect(await onWire({ body: kept })).toEqual([]);
    const path = "/expect/wire/anthropic-messages/0/model";
    expect(await onWire({ body: { ...kept, model: "replay" } })).toEqual([path]);
  });

  it("is held against the request with what its server keeps", async () => {
    const body = { ...kept, messages: [] };
    expect(await onWire({ body, whole: kept })).toEqual([]);
    expect(await onWire({ body })).not.toEqual([]);
  });

  it("is held against the request alone, where the case is about what a server keeps", async () => {
    const given = { ...source.given, conversation: "server" as const };
    const body = { ...kept, messages: [] };
    expect(await onWire({ body, whole: kept }, given)).not.toEqual([]);
    expect(await onWire({ body: kept, whole: body }, given)).toEqual([]);
  });
});

describe("a run is refused", () => {
  const breaches: [what: string, requirement: string, change: (seen: Observation) => void][] = [
    [
      "whose caller's message was changed",
      "SESSION-2",
      (seen) => changeMessage(seen, 0, (message: { content: string }) => (message.content = "other")),
    ],
    ["that lost a message of the response", "SESSION-4", (seen) => session(seen).splice(1, 1)],
    [
      "that changed what the model said",
      "SESSION-4",
      (seen) => changeMessage(seen, 1, (message: { content: string }) => (message.content = "I saw.")),
    ],
    [
      "that changed the id of a call",
      "SESSION-9",
      (seen) => changeMessage(seen, 2, (message: { id: string }) => (message.id = "other")),
    ],
    [
      "whose results stand in another order",
      "SESSION-7",
      (seen) => session(seen).splice(4, 2, session(seen)[5]!, session(seen)[4]!),
    ],
    [
      "that changed the output of a tool",
      "TOOL-13",
      (seen) => changeMessage(seen, 4, (message: { output: string }) => (message.output = "I see nothing.")),
    ],
    ["that lost a result", "SESSION-6", (seen) => session(seen).splice(7, 1)],
    ["that has a result twice", "SESSION-6", (seen) => session(seen).push(session(seen)[4]!)],
    [
      "that calls a success an error",
      "TOOL-13",
      (seen) => changeMessage(seen, 4, (message: { is_error: boolean }) => (message.is_error = true)),
    ],
    [
      "that does not mark what it made up",
      "SESSION-8",
      (seen) => changeMessage(seen, 7, (message: { synthetic?: true }) => delete message.synthetic),
    ],
    ["with another session", "DRIVER-4", (seen) => (seen.results[0]!.session!.id = "session-r2")],
    ["without a session", "DRIVER-4", (seen) => delete seen.results[0]!.session],
    ["without a result", "DRIVER-4", (seen) => delete seen.results[0]!.result],
    ["that counts other turns", "LOOP-22", (seen) => (result(seen).turns = 4)],
    ["that counts other calls", "RESULT-8", (seen) => (result(seen).tool_calls = 2)],
    ["that lost a step", "RESULT-6", (seen) => result(seen).steps.pop()],
    [
      "that sums up usage otherwise",
      "RESULT-4",
      (seen) => (result(seen).usage = { ...result(seen).usage, input_tokens: 1 }),
    ],
    [
      "that makes zero of unknown usage",
      "RESULT-4",
      (seen) => (result(seen).usage = { ...result(seen).usage, reasoning_tokens: 0 }),
    ],
    [
      "that gives usage to another model",
      "RESULT-5",
      (seen) => (result(seen).usage_by_model = { other: result(seen).usage }),
    ],
    ["that reports another stop reason", "RESULT-1", (seen) => (result(seen).stop_reason = "tool_use")],
    ["that reports another text", "RESULT-2", (seen) => (result(seen).final_text = "Let me see.Done.")],
    [
      "that has an error without the status",
      "RESULT-7",
      (seen) => (result(seen).error = { kind: "internal", message: "x" }),
    ],
    ["that has pending calls without the status", "LOOP-35", (seen) => (result(seen).pending = [])],
    ["that has a stop condition without the status", "LOOP-29", (seen) => (result(seen).stop_condition = "requested")],
    [
      "whose events do not rebuild the session",
      "EVENT-10",
      (seen) => (session(seen)[8] = { ...session(seen)[8], extra: 1 } as unknown as Message),
    ],
    [
      "whose run_end has another result",
      "EVENT-11",
      (seen) => ((events(seen).at(-1) as { result: RunResult }).result = { ...result(seen), agent: "other" }),
    ],
    ["that told of no execution", "EVENT-9", (seen) => (seen.executions.length = 1)],
    [
      "that ran tools beside one that is not concurrent",
      "TOOL-20",
      (seen) => (seen.executions[1]!.start = seen.executions[0]!.start),
    ],
    ["that started tools in another order", "TOOL-21", (seen) => (seen.executions = seen.executions.toReversed())],
    ["whose events break the grammar", "EVENT-2", (seen) => (seen.events[0] = events(seen).slice(0, -1))],
    ["that did not ask for every answer", "LOOP-5", (seen) => seen.requests.pop()],
  ];
  it.each(breaches)("%s [KIT-7]", async (_, requirement, change) => {
    const failures = await judged(change);
    expect(failures.map((failure) => failure.requirement)).toContain(requirement);
  });

  it("that leaks the API key", async () => {
    const failures = await judged((seen) => {
      seen.apiKey = "test-key-42";
      changeMessage(seen, 8, (message: { content: string }) => (message.content = "Done.test-key-42"));
    });
    expect(failures.map(({ message }) => message)).toContain("the API key is in the result or the session");
  });
});

describe("expectations", () => {
  const expecting = (expect_: Case["expect"]): Case => ({ ...twoCalls, expect: expect_ });
  it("are judged on what the kit saw", async () => {
    const good = expecting({
      status: "completed",
      result: { turns: 3 },
      session: [
        {},
        { id: "$a" },
        { id: "$b" },
        { id: "$a", output: "I see {{thing}}." },
        { id: "$b" },
        { id: "$c" },
        { id: "$c", outcome: "unknown_tool" },
        { content: "Done." },
      ],
      tools: [{ name: "look", input: { at: "{{city}}" } }, "listen"],
      requests: [{ messages: [{ role: "user" }] }, {}, {}],
      request_count: 3,
      events: { $contains: [{ type: "tool_start", name: "look" }, { type: "run_end" }] },
      no_overlap: [["look", "listen"]],
      aborted: [],
    });
    expect(await judged(() => undefined, good)).toEqual([]);
  });
  const wrong: [key: string, expectation: Case["expect"], path: string][] = [
    ["status", { status: "stopped" }, "/expect/status"],
    ["result", { result: { turns: 2 } }, "/expect/result/turns"],
    ["session", { session: [] }, "/expect/session/0"],
    ["tools", { tools: ["listen", "look"] }, "/expect/tools/0/name"],
    ["requests", { requests: [{ messages: [] }, {}, {}] }, "/expect/requests/0/messages/0"],
    ["request_count", { request_count: 2 }, "/expect/request_count"],
    ["events", { events: { $contains: [{ type: "warning" }] } }, "/expect/events/$contains/0"],
    ["overlap", { overlap: [["look", "listen"]] }, "/expect/overlap/0"],
    ["aborted", { aborted: ["look"] }, "/expect/aborted"],
  ];
  it.each(wrong)("%s that is not met is a failure of the tested requirement [KIT-24]", async (_, expectation, path) => {
    const [failure] = await judged(() => undefined, expecting(expectation));
    expect(failure).toMatchObject({ code: "assertion", requirement: "LOOP-5", path });
  });
});

it("counts the calls of a model that was called too seldom, and the answers [KIT-24]", async () => {
  const last = twoCalls.model.at(-1)!;
  const [failure] = await judged(() => undefined, { ...twoCalls, model: [last, last] });
  expect(failure?.message).toBe("the model was called 1 time, but the case has 2 answers");
});
