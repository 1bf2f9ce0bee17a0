// A process that dies: what was written down by then, after any step or any event, is enough to go on.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, vi } from "vitest";

import { agentLoop } from "./run.ts";
import { agentLoop as runCore, plainPoints } from "../core/agent-loop.ts";
import type { Ports, State } from "../core/ports.ts";
import { initSession, initState } from "../core/session.ts";
import { repairSession } from "../state/repair-session.ts";
import { checkSession } from "../state/check-session.ts";
import { catalogue, scene } from "../testing/catalogue.ts";
import { breachesOfState, ofPairing } from "../testing/invariants.ts";
import { live, warmUp } from "../testing/live.ts";
import { refusedBy } from "../testing/provider-rules.ts";
import { World } from "../testing/scripted-world.ts";
import type { LoopEvent, Message, ModelResponse, Session } from "../../schemas/types.ts";

vi.mock("../core/agent-loop.ts", async (original) => {
  const { watchable } = await import("../testing/record-states.ts");
  return watchable(await original());
});

beforeAll(warmUp);

/** What can be said of a session that was found after a death: repaired, it is valid, and a run goes on from it. */
async function goesOn(found: Session): Promise<void> {
  const { session } = repairSession(found);
  expect(ofPairing(session)).toEqual([]);
  expect(repairSession(session).changes).toEqual([]);
  const { tools, provider, clock } = new World(scene({}));
  expect(refusedBy(session, tools)).toEqual([]);
  const messages: Message[] = [...session.messages, { role: "user", content: "Go on." }];
  const run = agentLoop({ session: { ...session, messages }, tools, provider, clock });
  expect(await run.result).toMatchObject({ status: "completed" });
  expect(checkSession(await run.session)).toEqual([]);
}

describe.each(Object.entries(catalogue))("after %s", (_, scenario) => {
  it("its messages, up to any of them, make a session that goes on", async () => {
    const { segments } = await live(scenario);
    const [{ begun }] = segments as [(typeof segments)[0]];
    const stored = segments
      .filter(({ kind }) => kind !== "next")
      .flatMap(({ events }) => events.flatMap((event) => (event.type === "message" ? [event.message] : [])));
    for (let count = 0; count <= stored.length; count += 1) {
      await goesOn(JSON.parse(JSON.stringify({ ...begun, messages: [...begun.messages, ...stored.slice(0, count)] })));
    }
  });

  it("every state is JSON from which its session goes on", async () => {
    const states: string[] = [];
    await live(scenario, { state: (state) => states.push(JSON.stringify(state)) });
    expect(states.length).toBeGreaterThan(3);
    for (const state of states) await goesOn((JSON.parse(state) as State).session);
  });
});

describe("the core", () => {
  const answers: ModelResponse[] = [
    {
      messages: [
        { type: "tool_call", id: "a", name: "add", input: {} },
        { type: "tool_call", id: "b", name: "add", input: {} },
      ],
      stop_reason: "tool_use",
    },
    { messages: [{ type: "tool_call", id: "c", name: "add", input: {} }], stop_reason: "tool_use" },
    { messages: [{ role: "assistant", content: "Good." }], stop_reason: "end_turn" },
  ];

  /** A world that answers by what it is asked, so that it does not matter who asks. */
  const ports = (executed: string[], dies: (label: string) => void = () => {}): Ports => ({
    ...plainPoints,
    agents: { main: { name: "main", tools: [{ name: "add", input_schema: { type: "object" } }] } },
    signal: new AbortController().signal,
    emit: () => {},
    validateInput: async () => [],
    async invokeModel({ messages }) {
      dies("model");
      return structuredClone(
        answers[messages.filter((one) => one.type === "tool_result").length === 0 ? 0 : messages.length > 5 ? 2 : 1]!,
      );
    },
    async executeTool({ id }) {
      dies("tool");
      executed.push(id);
      return `sum of ${id}`;
    },
  });
  const begin = () => initState(initSession({ id: "s", user: "2 + 3?" }), "main");

  it("goes on in another process from the state after any step, as if nothing had happened", async () => {
    const { step } = await vi.importActual<typeof import("../core/agent-loop.ts")>("../core/agent-loop.ts");
    const straight = await runCore(begin(), ports([]));
    expect(straight.ending).toEqual({ status: "completed" });
    let written = JSON.stringify(begin());
    for (let steps = 0; ; steps += 1) {
      const found = JSON.parse(written) as State;
      expect(breachesOfState(found)).toEqual([]);
      const executed: string[] = [];
      const elsewhere = await runCore(JSON.parse(written) as State, ports(executed));
      expect(elsewhere).toEqual(straight);
      expect(new Set(executed).size).toBe(executed.length);
      if (found.phase === "done") break;
      expect(steps).toBeLessThan(20);
      written = JSON.stringify(await step(found, ports([])));
    }
  });
});

describe("a process that is killed", () => {
  it.each(["deltas", "tools"])("among its %s leaves events that make a session that goes on", async (where) => {
    const program = fileURLToPath(new URL("../testing/doomed.ts", import.meta.url));
    const child = spawn(process.execPath, [program, where], { stdio: ["ignore", "pipe", "inherit"] });
    const events: LoopEvent[] = [];
    const closed = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once("close", (_code, signal) => resolve(signal)),
    );
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line) as LoopEvent;
      events.push(event);
      const isLast = where === "tools" ? event.type === "tool_start" : event.type === "message_delta";
      if (isLast) child.kill("SIGKILL");
    }
    expect(await closed).toBe("SIGKILL");
    const stored = events.flatMap((event) => (event.type === "message" ? [event.message] : []));
    expect(stored).toHaveLength(where === "tools" ? 2 : 0);
    const begun = initSession({ id: "s", user: "Go." });
    await goesOn({ ...begun, messages: [...begun.messages, ...stored] });
  });
});
