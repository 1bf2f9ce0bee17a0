// Bytes to responses: the same however a stream is cut, and whatever the lines end with.

import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { anthropicMessagesCodec } from "../anthropic-messages/index.ts";
import { openaiChatCodec } from "../openai-chat/index.ts";
import { createFeed, FrameError, receive } from "./receive.ts";
import type { Codec } from "./receive.ts";
import type { StreamEvent } from "../../core/ports.ts";

const chat = [
  ": a comment",
  'data: {"choices":[{"index":0,"delta":{"content":"Zürich 😀"}}]}',
  'data:{"choices":[{"index":0,"delta":{"content":" – ok"}}]}',
  'data: {"choices":[{"index":0,"delta":\ndata: {"content":"!"},"finish_reason":"stop"}]}',
  "data: [DONE]",
];
const messages = [
  'event: message_start\ndata: {"type":"message_start","message":{"model":"m","content":[]}}',
  "event: ping\ndata: {}",
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Zürich 😀 – ok!"}}',
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}',
  'event: message_stop\ndata: {"type":"message_stop"}',
];

function read(codec: Codec, text: string, cuts: number[]) {
  const events: StreamEvent[] = [];
  const bytes = new TextEncoder().encode(text);
  const feed = createFeed(codec.createReader("m", (event) => events.push(event)));
  const ends = [...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length];
  let from = 0;
  for (const end of ends) {
    feed.push(bytes.subarray(from, end));
    from = end;
  }
  return { response: feed.end(), events };
}

describe.each([
  ["openai-chat", openaiChatCodec, chat],
  ["anthropic-messages", anthropicMessagesCodec, messages],
] as const)("a stream of %s", (_name, codec, events) => {
  test("is read alike with any line ends, with a mark before it, and cut anywhere", () => {
    const expected = read(codec, `${events.join("\n\n")}\n\n`, []);
    expect(expected.response.messages).toEqual([{ role: "assistant", content: "Zürich 😀 – ok!" }]);
    fc.assert(
      fc.property(fc.constantFrom("\n", "\r\n", "\r"), fc.boolean(), fc.array(fc.nat()), (line, marked, cuts) => {
        const text = `${events.join("\n\n")}\n\n`.replaceAll("\n", line);
        expect(read(codec, (marked ? "\ufeff" : "") + text, cuts)).toEqual(expected);
      }),
    );
  });

  test("counts a last event without its blank line, but not half of one", () => {
    const text = events.join("\n\n");
    expect(read(codec, text, []).response).not.toHaveProperty("error");
    const half = events.slice(0, 4).join("\n\n").slice(0, -3);
    expect(read(codec, half, []).response).toMatchObject({ stop_reason: "interrupted" });
  });
});

describe("receive", () => {
  const call = { signal: new AbortController().signal, onStream() {}, warn() {} };

  test("takes an answer without a body as interrupted", async () => {
    const response = await receive(new Response(null, { status: 200 }), openaiChatCodec, "m", call);
    expect(response.stop_reason).toBe("interrupted");
  });

  test("reads a failed status whatever its type", async () => {
    const answer = new Response("data: {}\n\n", { status: 500, headers: { "content-type": "text/event-stream" } });
    expect((await receive(answer, openaiChatCodec, "m", call)).error).toMatchObject({
      kind: "server_error",
      status: 500,
    });
  });

  test.each([
    ['{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}', "end_turn"],
    ["Bad gateway", "error"],
    ["data: {", "interrupted"],
    [": wait", "interrupted"],
  ])("reads %s without a type as %s", async (text, expected) => {
    const answer = new Response(new TextEncoder().encode(text));
    expect((await receive(answer, openaiChatCodec, "m", call)).stop_reason).toBe(expected);
  });

  /** An answer whose stream says that it is complete, and goes on to say something or nothing. */
  function goingOn(rest: "ends" | "hangs") {
    let pulls = 0;
    let left: (how: string) => void;
    const isLeft = new Promise<string>((resolve) => (left = resolve));
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`${chat.join("\n\n")}\n\n`)),
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(new TextEncoder().encode(": bye\n\n"));
        else if (rest === "ends") {
          controller.close();
          left("read");
        }
      },
      cancel: () => left("cancelled"),
    });
    return { answer: new Response(stream), isLeft };
  }

  test("reads a stream to its end after the last event, so that the connection can be used again", async () => {
    const { answer, isLeft } = goingOn("ends");
    expect((await receive(answer, openaiChatCodec, "m", call)).stop_reason).toBe("end_turn");
    expect(await isLeft).toBe("read");
  });

  test("does not wait for a stream that does not end after the last event, and leaves it in the end", async () => {
    vi.useFakeTimers();
    try {
      const { answer, isLeft } = goingOn("hangs");
      expect((await receive(answer, openaiChatCodec, "m", call)).stop_reason).toBe("end_turn");
      await vi.advanceTimersByTimeAsync(1000);
      expect(await isLeft).toBe("cancelled");
    } finally {
      vi.useRealTimers();
    }
  });

  test("reads half a body as unreadable", async () => {
    const answer = new Response('{"choices":[', { headers: { "content-type": "application/json" } });
    expect((await receive(answer, openaiChatCodec, "m", call)).error?.kind).toBe("invalid_response");
  });
});

describe("a stream of binary frames", () => {
  /** Each event behind its length, in four bytes: as a provider may have it whose streams are no server-sent events. */
  const framed: Codec = {
    ...openaiChatCodec,
    framing: {
      createFeed(reader) {
        let left = Buffer.alloc(0);
        let wanted = true;
        return {
          push(bytes) {
            left = Buffer.concat([left, bytes]);
            if (left.length >= 4 && left.readUInt32BE() > 1000) throw new FrameError("a frame of more than 1000 bytes");
            while (wanted && left.length >= 4 && left.length >= 4 + left.readUInt32BE()) {
              const end = 4 + left.readUInt32BE();
              wanted = reader.push({ data: left.toString("utf8", 4, end) });
              left = left.subarray(end);
            }
            return wanted;
          },
          otherText: () => undefined,
          end: () => reader.end(left.length > 0 ? "half a frame" : undefined),
        };
      },
      contentType: "application/vnd.amazon.eventstream",
      write: ({ data }) => frame(data),
    },
  };
  const frame = (data: string) => {
    const text = Buffer.from(data);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, text]);
  };
  const bytes = Buffer.concat(
    [
      '{"choices":[{"index":0,"delta":{"content":"Zürich 😀"}}]}',
      '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
      "[DONE]",
    ].map(frame),
  );
  const headers = { "content-type": "application/vnd.amazon.eventstream" };
  const ofNobody = { signal: new AbortController().signal, onStream() {}, warn() {} };
  const readFrames = (pieces: Buffer[]) => {
    const left = pieces.filter(({ length }) => length > 0);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(new Uint8Array(next));
        else controller.close();
      },
    });
    return receive(new Response(body, { headers }), framed, "m", ofNobody);
  };

  test("is read by the codec that knows it, wherever it is cut", async () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      const { messages: read, stop_reason } = await readFrames([bytes.subarray(0, at), bytes.subarray(at)]);
      expect([read, stop_reason]).toEqual([[{ role: "assistant", content: "Zürich 😀" }], "end_turn"]);
    }
  });

  test("is an error where it ends within a frame", async () => {
    const { error } = await readFrames([bytes.subarray(0, 20)]);
    expect(error).toMatchObject({ kind: "stream_interrupted", message: expect.stringContaining("half a frame") });
  });

  test("cannot be read where its bytes are no frames, and keeps what was read before [PROVIDER-24]", async () => {
    const { error, messages: read } = await readFrames([
      bytes.subarray(0, 4 + bytes.readUInt32BE()),
      Buffer.from([255, 255, 255, 255, 0]),
    ]);
    expect(error).toMatchObject({ kind: "invalid_response", message: expect.stringContaining("more than 1000 bytes") });
    expect(read).toMatchObject([{ role: "assistant", content: "Zürich 😀" }]);
  });

  test("is none where the answer is of another type [PROVIDER-49]", async () => {
    const page = new Response("warming up", { headers: { "content-type": "text/plain" } });
    const { error } = await receive(page, framed, "m", ofNobody);
    expect(error).toMatchObject({ kind: "invalid_response", message: expect.stringContaining("warming up") });
  });
});

describe("a body of openai-chat", () => {
  test.each([
    ["not JSON", "<html>", "invalid_response"],
    ["without a choice", "{}", "invalid_response"],
    ["an error", '{"error":{"message":"slow","code":"rate_limit_exceeded"}}', "rate_limit"],
  ])("that is %s is one", (_what, body, kind) => {
    expect(openaiChatCodec.parseResponse(body, "m")).toMatchObject({ stop_reason: "error", error: { kind } });
  });
});
