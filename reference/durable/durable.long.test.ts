// The loop on an engine that dies at every step: what is kept is enough to go on, nothing is done twice, and nothing is asked in another order.

import { beforeAll, describe, expect, it } from "vitest";

import { initSession } from "../core/session.ts";
import { isOnlyOnce, setupOf, type Note } from "../testing/chaos/world.ts";
import type { Message, PendingCall, ResumeDecision } from "../../schemas/types.ts";
import { durable, type DurableSetup, type Engine } from "./index.ts";

class Died extends Error {}

interface Step {
  name: string;
  /** JSON; absent while the step runs, and for good if its process died. */
  kept?: string;
}

/** What outlives the processes of a workflow. */
interface Kept {
  steps: Step[];
  decisions: Map<string, string>;
}

/** An engine that keeps steps by their order, as most do, and dies at one of them: before, or after it has acted. */
function engineOn({ steps, decisions }: Kept, death?: { at: number; hasActed: boolean }): Engine {
  let next = 0;
  let isDead = false;
  return {
    async once(name, act) {
      const at = next++;
      const step = (steps[at] ??= { name });
      if (step.name !== name) throw new Error(`Step ${at} was ${step.name}, and is ${name} now.`);
      if (step.kept !== undefined) return JSON.parse(step.kept);
      if (death?.at === at && !death.hasActed) isDead = true;
      if (isDead) throw new Died();
      const kept = JSON.stringify(await act());
      if (death?.at === at) isDead = true;
      if (isDead) throw new Died();
      return JSON.parse((step.kept = kept));
    },
    async wait(name, pending) {
      if (!decisions.has(name)) decisions.set(name, JSON.stringify(pending.map(approved)));
      return JSON.parse(decisions.get(name)!) as ResumeDecision[];
    },
  };
}

function approved({ id, input_hash }: PendingCall): ResumeDecision {
  return { id, action: "approve", input_hash: input_hash! };
}

function world() {
  const notes: string[] = [];
  const add = (kind: Note["kind"], _run: string, what: string) => void (kind === "start" && notes.push(what));
  const setup = setupOf("a", { model: 0, slow: 0, quick: 0 }, { add }) as DurableSetup;
  return { notes, setup };
}
const source = () => ({ session: initSession({ id: "a", user: "Begin." }) });
const isInterrupted = (message: Message) => message.type === "tool_result" && message.outcome === "interrupted";

let straight: { messages: Message[]; steps: Step[] };
beforeAll(async () => {
  const kept: Kept = { steps: [], decisions: new Map() };
  const ended = await durable(world().setup, source(), engineOn(kept));
  expect(ended.result).toMatchObject({ status: "completed", turns: 12 });
  straight = { messages: ended.session.messages, steps: kept.steps };
});

describe.each([false, true])("a process that dies at a step (having acted: %s)", (hasActed) => {
  it("is followed by one that ends the run, whichever step it was [JOURNAL-6 JOURNAL-8 JOURNAL-9]", async () => {
    const interrupted = new Set<string>();
    for (let at = 0; at < straight.steps.length; at += 1) {
      const kept: Kept = { steps: [], decisions: new Map() };
      const { notes, setup } = world();
      await expect(durable(setup, source(), engineOn(kept, { at, hasActed })), `step ${at}`).rejects.toThrow(Died);
      const { result, session: ended } = await durable(setup, source(), engineOn(kept));
      expect(result, `step ${at}`).toMatchObject({ status: "completed", turns: 12 });
      expect(kept.steps.map(({ name }) => name)).toEqual(straight.steps.map(({ name }) => name));
      const restored = ended.messages.map((message, i) => (isInterrupted(message) ? straight.messages[i] : message));
      expect(restored).toEqual(straight.messages);
      const twice = notes.filter((id, i) => notes.indexOf(id) !== i);
      expect(twice.filter(isOnlyOnce), `step ${at}`).toEqual([]);
      for (const message of ended.messages) if (isInterrupted(message) && "id" in message) interrupted.add(message.id!);
    }
    expect([...interrupted].every(isOnlyOnce)).toBe(true);
    expect(interrupted.has("charge_3")).toBe(true);
  });
});

it("asks in the same order where calls overlap and take their time: one step begins all of them", () => {
  const names = straight.steps.map(({ name }) => name);
  expect(names.slice(0, 7)).toEqual([
    "model",
    "tool lookup_1",
    "tool peek_1",
    "model",
    "begin charge_2",
    "tool charge_2",
    "tool lookup_2",
  ]);
});

it("keeps what tools return and throw, and what they measure", async () => {
  const kept: Kept = { steps: [], decisions: new Map() };
  const { setup } = world();
  const executions: string[] = [];
  const provider: DurableSetup["provider"] = {
    name: "scripted",
    invokeModel: async ({ messages }) =>
      messages.some(({ type }) => type === "tool_call")
        ? { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" }
        : {
            messages: ["nothing", "throws"].map((name) => ({ type: "tool_call", id: name, name, input: {} })),
            stop_reason: "tool_use",
          },
  };
  const tool = (name: string, execute: () => unknown) => ({
    name,
    input_schema: { type: "object" as const },
    execute: (_: never, { metrics }: { metrics: Record<string, unknown> }) => {
      executions.push(name);
      metrics["weight"] = 7;
      return execute();
    },
  });
  const throws = () => {
    throw new TypeError("not today");
  };
  const run = { ...setup, provider, tools: [tool("nothing", () => undefined), tool("throws", throws)] };
  const first = await durable(run, source(), engineOn(kept));
  const again = await durable(run, source(), engineOn(kept));
  expect(again.session).toEqual(first.session);
  expect(executions).toEqual(["nothing", "throws"]);
  expect(first.session.messages.filter(({ type }) => type === "tool_result")).toMatchObject([
    { output: "", outcome: "ok" },
    { output: "not today", is_error: true },
  ]);
});

it("gives a suspended run back where the engine cannot wait, and another workflow goes on with it", async () => {
  const { setup, notes } = world();
  const withoutWait = (kept: Kept): Engine => ({ once: engineOn(kept).once });
  const first = await durable(setup, source(), withoutWait({ steps: [], decisions: new Map() }));
  expect(first.result.status).toBe("suspended");
  const decisions = first.result.pending!.map(approved);
  const kept: Kept = { steps: [], decisions: new Map() };
  const next = { snapshot: JSON.parse(JSON.stringify(first.result.snapshot)), decisions };
  const last = await durable(setup, next, withoutWait(kept));
  expect(last.session.messages).toEqual(straight.messages);
  expect(await durable(setup, next, withoutWait(kept))).toMatchObject({ session: last.session });
  expect(notes.filter((id, i) => notes.indexOf(id) !== i)).toEqual([]);
});
