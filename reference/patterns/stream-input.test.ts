// A conversation over a stream of inputs, and one run at a time on a session.

import type { RunSetup } from "../run/setup.ts";
import { expect, it } from "vitest";

import { agentLoop, type Run } from "../run/run.ts";
import type { InvokeModel } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import { streamInput } from "./stream-input.ts";

const echo: InvokeModel = async ({ messages }) => {
  const last = messages.at(-1);
  const input = last?.role === "user" ? JSON.stringify(last.content) : "?";
  return { messages: [{ role: "assistant", content: `You said ${input}` }], stop_reason: "end_turn" };
};
const setup = (invokeModel: InvokeModel): RunSetup => ({ provider: { name: "scripted", invokeModel } });
const empty = (id: string) => ({ ...initSession({ id, user: "" }), messages: [] });

async function* inputs() {
  yield "one";
  yield [{ type: "text" as const, text: "two" }];
}

it("runs each input as a whole run on the session of the previous one [LOOP-73]", async () => {
  const texts: string[] = [];
  const conversation = streamInput({ ...setup(echo), session: empty("stream") }, inputs());
  let step = await conversation.next();
  for (; !step.done; step = await conversation.next()) texts.push((await step.value.result).final_text);
  expect(texts).toEqual(['You said "one"', 'You said [{"type":"text","text":"two"}]']);
  expect(step.value.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

it("continues after a failed run", async () => {
  const failing: InvokeModel = async (request, call) =>
    request.messages.length === 1
      ? { messages: [], stop_reason: "error", error: { kind: "authentication", message: "no key" } }
      : echo(request, call);
  const statuses: string[] = [];
  for await (const run of streamInput({ ...setup(failing), session: empty("stream-failing") }, ["one", "two"])) {
    statuses.push((await run.result).status);
  }
  expect(statuses).toEqual(["error", "completed"]);
});

it("cancels the current run when the iteration stops", async () => {
  const never: InvokeModel = () => new Promise(() => {});
  let left: Run | undefined;
  for await (const run of streamInput({ ...setup(never), session: empty("stream-broken") }, ["one"])) {
    left = run;
    break;
  }
  expect((await left!.result).status).toBe("cancelled");
  const { result } = agentLoop({ ...setup(echo), session: initSession({ id: "stream-broken", user: "again" }) });
  expect((await result).status).toBe("completed");
});

it("a second run on a session is refused while the first is under way, but not afterwards [LOOP-72]", async () => {
  const session = initSession({ id: "locked", user: "one" });
  const first = agentLoop({ ...setup(echo), session });
  const second = agentLoop({ ...setup(echo), session: structuredClone(session) });
  expect((await second.result).error?.kind).toBe("session_in_use");
  expect((await first.result).status).toBe("completed");
  expect((await agentLoop({ ...setup(echo), session }).result).status).toBe("completed");
});
