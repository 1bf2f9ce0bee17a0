// The replaying provider, and that streamed and whole answers of the same fixture say the same.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replay } from "./index.ts";
import type { ModelCall, StreamEvent } from "../../core/ports.ts";
import type { Fixture, FixtureResponse } from "../../../schemas/types.ts";

const folder = join(import.meta.dirname, "../../../fixtures");
const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Fixture;
const request = { messages: [], tools: [] };

function listen(): ModelCall & { events: StreamEvent[] } {
  const events: StreamEvent[] = [];
  return { events, signal: new AbortController().signal, onStream: (event) => events.push(event), warn() {} };
}

function crafted(provider: string, response: FixtureResponse): Fixture {
  return { fixture: 1, origin: "crafted", why: "a test", exchanges: [{ provider, request: null, response }] };
}

describe("replay", () => {
  test.each(["anthropic-messages", "openai-chat", "openai-responses"])(
    "gives the same for the streamed and the whole loop of %s",
    async (name) => {
      const whole = replay(read(`${name}/weather-loop`));
      const streamed = replay(read(`${name}/weather-loop-streamed`));
      for (let turn = 0; turn < 2; turn++) {
        const expected = await whole.invokeModel(request, listen());
        const call = listen();
        expect(await streamed.invokeModel(request, call)).toEqual(expected);
        const ended = call.events.flatMap((event) => (event.type === "message_end" ? [event.message] : []));
        expect(ended).toEqual(expected.messages);
      }
    },
  );

  test("says so when the fixture is used up", async () => {
    const provider = replay(read("openai-chat/weather-loop"));
    await provider.invokeModel(request, listen());
    await provider.invokeModel(request, listen());
    const { error } = await provider.invokeModel(request, listen());
    expect(error).toMatchObject({ kind: "configuration", message: expect.stringContaining("all are used") as string });
  });

  test("says so when it does not know the provider", async () => {
    const provider = replay(crafted("telepathy", { status: 200, body: {} }));
    const { error } = await provider.invokeModel(request, listen());
    expect(error?.message).toContain("telepathy");
  });

  test("answers as the server did when the server failed", async () => {
    const provider = replay(crafted("anthropic-messages", { status: 529, text: "overloaded" }));
    expect(await provider.invokeModel(request, listen())).toMatchObject({
      stop_reason: "error",
      error: { kind: "overloaded", status: 529, message: "overloaded" },
    });
  });

  test("reads writes, cut inside a character", async () => {
    const bytes = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"ü"},"finish_reason":"stop"}]}\r\n\r\n');
    const cut = bytes.indexOf(0xbc);
    const writes = [bytes.subarray(0, cut), bytes.subarray(cut)].map((part) => ({ base64: part.toString("base64") }));
    const provider = replay(crafted("openai-chat", { status: 200, writes }));
    expect((await provider.invokeModel(request, listen())).messages).toEqual([{ role: "assistant", content: "ü" }]);
  });

  test("breaks a response off where it was cut", async () => {
    const events = [{ data: { choices: [{ index: 0, delta: { content: "Hel" } }] } }];
    const streamed = replay(crafted("openai-chat", { status: 200, events, cut: "server" }));
    expect(await streamed.invokeModel(request, listen())).toMatchObject({
      messages: [{ role: "assistant", content: "Hel" }],
      stop_reason: "interrupted",
      error: { message: expect.stringContaining("cut off here") as string },
    });
    const whole = replay(crafted("openai-chat", { status: 200, writes: [{ text: '{"choices"' }], cut: "server" }));
    expect(await whole.invokeModel(request, listen())).toMatchObject({ stop_reason: "interrupted" });
  });

  test("writes joined events at once", async () => {
    const chunk = (content: string) => ({ data: { choices: [{ index: 0, delta: { content } }] } });
    const events = [chunk("a"), { ...chunk("b"), joined: true as const }, chunk("c")];
    let heard = "";
    const onStream = ({ type }: StreamEvent) => {
      if (type !== "message_delta") return;
      heard += "delta ";
      queueMicrotask(() => (heard += "pause "));
    };
    await replay(crafted("openai-chat", { status: 200, events })).invokeModel(request, { ...listen(), onStream });
    expect(heard).toBe("delta delta pause pause delta pause ");
  });
});
