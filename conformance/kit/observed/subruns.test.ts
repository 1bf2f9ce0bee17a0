// Whose request it is, which run a call belongs to, what the events report a subagent, and which cases cannot be played.

import { describe, expect, it } from "vitest";
import type { Case, LoopEvent, Message } from "../../../schemas/types.ts";
import { checkCase } from "../suite/lint/lint-case.ts";
import { ExpectedSession } from "./expected-session.ts";
import { checkInvariants } from "../checks/invariants.ts";
import type { Observation } from "./observation.ts";
import { askingRun, callingRun, runAt, runsOf } from "./subruns.ts";

const tool = (name: string, agent?: string) => ({
  name,
  input_schema: { type: "object" as const },
  ...(agent && { agent }),
});
const source: Case = {
  title: "Two subagents",
  since: "1.0",
  requires: ["SUBAGENT-1"],
  features: ["subagents"],
  given: {
    messages: [{ role: "user", content: "Dinner." }],
    agents: {
      chef: { name: "chef", instructions: "Lead.", tools: [tool("ask_cook", "cook"), tool("ask_baker", "baker")] },
      cook: { name: "cook", instructions: "Cook.", tools: [tool("stir"), tool("ask_baker", "baker")] },
      baker: { name: "baker", instructions: "Bake." },
    },
    agent: "chef",
    handlers: { stir: { output: "ok" } },
  },
  model: [{ text: "Done." }],
  expect: { status: "completed" },
};

const call = (id: string, name: string, prompt: string): Message => ({
  type: "tool_call",
  id,
  name,
  input: { prompt },
});
const user = (content: string): Message => ({ role: "user", content });

/** A run whose model has called both agents. */
function seenSoFar(): Observation {
  const expected = new ExpectedSession(source.given.messages, ["chef", "cook", "baker"], { agent: "chef" });
  expected.respond([call("a", "ask_cook", "Soup."), call("b", "ask_baker", "Bread.")]);
  return {
    filled: { case: source, bindings: new Map() },
    variant: { name: "generic", seam: "generic" },
    driver: { protocol: 1, implementation: { name: "t", version: "1", language: "t" }, seams: ["generic"] },
    path: [],
    subruns: [],
    requests: [],
    executions: [],
    aborted: [],
    hooks: [],
    guardrails: [],
    findings: [],
    instructions: [],
    progress: [],
    events: [[]],
    results: [],
    answers: [],
    next: [],
    summaries: [],
    askedAfterLoss: 0,
    disturbed: false,
    expected,
    exchanges: [],
    failures: [],
  } as unknown as Observation;
}

const asks = (seen: Observation, system: string, ...messages: Message[]) => askingRun(seen, { system, messages }).path;

describe("a request", () => {
  it("is that of the subagent which was told its first message", () => {
    const seen = seenSoFar();
    expect(asks(seen, "Cook.", user("Soup."))).toEqual(["a"]);
    expect(asks(seen, "Bake.", user("Bread."))).toEqual(["b"]);
  });

  it("is blamed on the subagent with its instructions if it was told something else", () => {
    expect(asks(seenSoFar(), "Bake.", user("Dinner."), user("Bread."))).toEqual(["b"]);
  });

  it("is that of the run where no subagent fits, or all have ended", () => {
    const seen = seenSoFar();
    expect(asks(seen, "Lead.", user("Dinner."))).toEqual([]);
    askingRun(seen, { messages: [] });
    for (const run of seen.subruns) run.hasEnded = true;
    expect(asks(seen, "Cook.", user("Soup."))).toEqual([]);
  });

  it("is that of the subagent of a subagent", () => {
    const seen = seenSoFar();
    const cook = askingRun(seen, { system: "Cook.", messages: [user("Soup.")] });
    cook.expected.respond([call("c", "ask_baker", "Rolls.")]);
    expect(asks(seen, "Bake.", user("Rolls."))).toEqual(["a", "c"]);
    expect(runAt(seen, ["a", "c"]).path).toEqual(["a", "c"]);
    expect(callingRun(seen, "c", "ask_baker")).toBe(cook);
    expect(callingRun(seen, "b", "ask_baker")).toBe(seen);
  });
});

describe("the events of a subagent", () => {
  const nested = (event: object) =>
    ({ type: "subagent_event", seq: 9, turn: 1, id: "a", name: "ask_cook", event }) as LoopEvent;

  it("make a run of its own, once for each time that it was resumed", () => {
    const seen = seenSoFar();
    const cook = askingRun(seen, { system: "Cook.", messages: [user("Soup.")] });
    cook.requests.push({ messages: [], tools: [] });
    const start = { type: "run_start", seq: 0, session_id: "s/a", agent: "cook" };
    seen.events = [
      [nested(start)],
      [nested(start), nested({ type: "message", seq: 1, turn: 0, message: user("More.") })],
    ];
    const [whole, subrun] = runsOf(seen);
    expect(whole!.path).toEqual([]);
    expect(subrun!.events.map((list) => list.map(({ type }) => type))).toEqual([
      ["run_start"],
      ["run_start", "message"],
    ]);
    expect(subrun!.results.at(-1)?.session).toMatchObject({ id: "s/a", messages: [user("Soup."), user("More.")] });
  });

  it("must be there if it asked its model", () => {
    const seen = seenSoFar();
    askingRun(seen, { system: "Cook.", messages: [user("Soup.")] }).requests.push({ messages: [], tools: [] });
    seen.results = [{ session: { spec_version: "1.0", id: "s", messages: source.given.messages } }];
    expect(checkInvariants(seen).map(({ requirement }) => requirement)).toContain("SUBAGENT-13");
  });
});

describe("a case with subagents", () => {
  const names = {
    requirements: new Map(),
    features: new Map(),
    policies: new Map(),
    bugs: new Set<string>(),
    hasFixture: () => true,
  };
  const wrong: [what: string, message: RegExp, change: (given: Case) => void][] = [
    [
      "names an agent that is not there",
      /there is no agent nobody/,
      ({ given }) => given.agents!["chef"]!.tools!.push(tool("x", "nobody")),
    ],
    [
      "has a handler for an agent",
      /is an agent and has a handler/,
      ({ given }) => (given.handlers!["ask_cook"] = { output: "" }),
    ],
    ["answers an agent that nobody calls", /no tool is the agent chef/, ({ model }) => (model[0]!.agent = "chef")],
    ["does not need the feature", /needs features: \[subagents\]/, (one) => delete one.features],
  ];
  it.each(wrong)("is refused if it %s", (_, message, change) => {
    const changed = structuredClone(source);
    change(changed);
    expect(
      checkCase(changed, names)
        .map((problem) => problem.message)
        .join("\n"),
    ).toMatch(message);
  });
});
