// Consumers of messages only, or of deltas only, get exactly that, streamed or not.

import { describe, expect, it } from "vitest";
import fixture from "../../fixtures/anthropic-messages/weather-loop-streamed.json" with { type: "json" };
import { agentLoop, defineTool, initSession, type Fixture, type LoopEvent, type Provider } from "../index.ts";
import { onlyDeltas, onlyMessages, type Delta } from "./filters.ts";
import { replay } from "../providers/replay/index.ts";

const tool = defineTool({
  name: "get_weather",
  input_schema: { type: "object" },
  execute: async ({ city }) => `${String(city)}: fine`,
});
const begin = (provider: Provider) =>
  agentLoop({ provider, tools: [tool], session: initSession({ id: "s", user: "Paris and Rome?" }) });
const streamed = () => begin(replay(fixture as Fixture));

/** The same answers, not streamed. */
const whole = () => {
  const { invokeModel, ...provider } = replay(fixture as Fixture);
  return begin({
    ...provider,
    invokeModel: (request, call) => invokeModel(request, { ...call, onStream: () => undefined }),
  });
};

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("onlyMessages", () => {
  it("yields the messages of a run, from start to result", async () => {
    const run = streamed();
    const received = await all(onlyMessages(run));
    expect(received.map(({ kind }) => kind).join(" ")).toBe(
      "system assistant assistant assistant assistant user user assistant result",
    );
    const messages = received.flatMap(({ event }) => (event.type === "message" ? [event.message] : []));
    expect(messages).toEqual((await run.session).messages.slice(1));
    expect(received.at(-1)).toMatchObject({ event: { result: await run.result } });
  });

  it("yields partial messages only on request", async () => {
    const received = await all(onlyMessages(streamed(), { partial: true }));
    const pieces = received.filter(({ kind }) => kind === "stream_event").map(({ event }) => event.type);
    expect(new Set(pieces)).toEqual(new Set(["message_start", "message_delta", "message_end"]));
  });
});

/** The messages, assembled from the place of each piece alone. */
function shown(pieces: Delta[]): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const { turn, index, kind, id, name, delta } of pieces) {
    const key = [turn, index, kind, ...(id === undefined ? [] : [id, name])].join(" ");
    lines[key] = (lines[key] ?? "") + delta;
  }
  return lines;
}

const screen = {
  "1 0 thinking": "Two cities, so two calls.",
  "1 1 text": "I will look.",
  "1 2 tool_call toolu_1 get_weather": '{"city": "Paris"}',
  "1 3 tool_call toolu_2 get_weather": '{"city": "Rome"}',
  "2 0 text": "It is 18 °C in Paris and 24 °C in Rome.",
};

describe("onlyDeltas", () => {
  it("gives the place of every piece, so that consumers need no state", async () => {
    const pieces = await all(onlyDeltas(streamed()));
    expect(shown(pieces)).toEqual(screen);
    expect(pieces.find(({ kind }) => kind === "tool_call")).toEqual({
      ...{ turn: 1, index: 2, kind: "tool_call", id: "toolu_1", name: "get_weather", delta: "" },
    });
    expect(pieces.filter(({ done }) => done)).toHaveLength(Object.keys(screen).length);
  });

  it("yields one piece per message for a response that is not streamed", async () => {
    const pieces = await all(onlyDeltas(whole()));
    const compact = Object.entries(screen).map(([key, text]) => [key, text.replace(": ", ":")]);
    expect(shown(pieces)).toEqual(Object.fromEntries(compact));
    expect(pieces.every(({ done }) => done)).toBe(true);
  });

  it("yields invalid JSON arguments verbatim, and neither results nor user messages", async () => {
    const events: LoopEvent[] = [
      { type: "run_start", seq: 0, session_id: "s", agent: "main" },
      { type: "message", seq: 1, turn: 0, message: { role: "user", content: "Go on." } },
      { type: "turn_start", seq: 2, turn: 1 },
      {
        type: "message",
        seq: 3,
        turn: 1,
        message: { type: "tool_call", id: "c", name: "f", input: null, raw_input: "{" },
      },
      { type: "message", seq: 4, turn: 1, message: { type: "tool_result", id: "c", output: "No." } },
    ];
    const source = async function* () {
      yield* events;
    };
    expect(await all(onlyDeltas(source()))).toEqual([
      { turn: 1, index: 0, kind: "tool_call", id: "c", name: "f", delta: "{", done: true },
    ]);
  });
});

describe("a filter", () => {
  it("opens its iterator immediately, so that two of them see the whole run", async () => {
    const run = streamed();
    const messages = onlyMessages(run)[Symbol.asyncIterator]();
    const deltas = onlyDeltas(run)[Symbol.asyncIterator]();
    await run.result;
    expect((await messages.next()).value).toMatchObject({ kind: "system" });
    expect((await deltas.next()).value).toMatchObject({ turn: 1, index: 0, kind: "thinking" });
  });

  it("closes its iterator when its consumer stops early", async () => {
    let isLetGo = false;
    const source: AsyncIterable<LoopEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ value: { type: "run_start", seq: 0, session_id: "s", agent: "main" }, done: false }),
        return: async () => {
          isLetGo = true;
          return { value: undefined, done: true };
        },
      }),
    };
    for await (const _ of onlyMessages(source)) break;
    expect(isLetGo).toBe(true);
  });
});
