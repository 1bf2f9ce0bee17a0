// That a response survives the way into a fixture and out of it, byte for byte and piece for piece.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixtureAnswer, fixtureResponse, textOf } from "./fixture-bytes.ts";
import type { Received } from "./fixture-bytes.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const sse = { "content-type": "text/event-stream; charset=utf-8" };
const json = { "content-type": "application/json" };

/** The pieces that a server would write for a response, as bytes. */
function writesOf(received: Received): { bytes: Buffer; at_ms?: number }[] {
  return fixtureAnswer(fixtureResponse(received)).writes.map(({ text, bytes: own, at_ms }) => ({
    bytes: own ? Buffer.from(own) : Buffer.from(text),
    ...(at_ms !== undefined && { at_ms }),
  }));
}

describe("a stream of events", () => {
  const first = 'event: a\ndata: {"n":1}\n\n';
  const second = "data: [DONE]\n\n";

  test("is kept as events, those of one piece joined", () => {
    const chunks = [
      { bytes: bytes(first), at_ms: 1 },
      { bytes: bytes(first + second), at_ms: 4 },
    ];
    expect(fixtureResponse({ status: 200, headers: sse, chunks })).toEqual({
      status: 200,
      headers: sse,
      events: [
        { event: "a", data: { n: 1 }, at_ms: 1 },
        { event: "a", data: { n: 1 }, at_ms: 4 },
        { data: "[DONE]", at_ms: 4, joined: true },
      ],
    });
  });

  test.each([
    ["a piece ends inside an event", [first.slice(0, 9), first.slice(9)]],
    ["a comment stands in it", [": ping\n\n", second]],
    ["its lines end otherwise", [first.replaceAll("\n", "\r\n")]],
    ["its fields stand in another order", ["data: 1\nevent: a\n\n"]],
    ["no blank stands after the colon", ["data:1\n\n"]],
    ["its last event is not ended", [first, "data: 1\n"]],
  ])("is kept as writes where %s", (_why, pieces) => {
    const response = fixtureResponse({
      status: 200,
      headers: sse,
      chunks: pieces.map((text) => ({ bytes: bytes(text) })),
    });
    expect(response).toEqual({ status: 200, headers: sse, writes: pieces.map((text) => ({ text })) });
  });

  test("keeps half a letter as base64", () => {
    const letter = bytes("data: é\n\n");
    const chunks = [{ bytes: letter.slice(0, 7) }, { bytes: letter.slice(7) }];
    const { writes } = fixtureResponse({ status: 200, headers: sse, chunks });
    expect(writes?.[0]).toEqual({ base64: Buffer.from(letter.slice(0, 7)).toString("base64") });
  });
});

describe("a whole body", () => {
  const bodyOf = (text: string) => fixtureResponse({ status: 200, headers: json, chunks: [{ bytes: bytes(text) }] });

  test.each(['{"a":1}', '{\n  "a": "\\u00e9"\n}\n', '{"a": [1, 2]}', "[1,2.5,null,true]"])(
    "of %s is a body",
    (text) => {
      const response = bodyOf(text);
      expect(response).toMatchObject({ status: 200, headers: json, body: JSON.parse(text) });
      expect(fixtureAnswer(response).writes.map((write) => write.text)).toEqual([text]);
    },
  );

  test.each([
    '{"a":1.0}',
    '{"a":12345678901234567890}',
    '{"a":1,"a":2}',
    '{"b":0,"1":0,"0":0}',
    '{ "a":1}',
    "not JSON",
    "",
  ])("of %s is a text, for a value would lose something", (text) =>
    expect(bodyOf(text)).toEqual({ status: 200, headers: json, text }),
  );

  test("that was cut keeps its pieces and says who cut it", () => {
    const chunks = [{ bytes: bytes('{"a'), at_ms: 3 }];
    const response = fixtureResponse({ status: 200, headers: json, chunks, cut: "server" });
    expect(response).toEqual({ status: 200, headers: json, cut: "server", writes: [{ text: '{"a', at_ms: 3 }] });
    expect(fixtureAnswer(response).reset).toBe(true);
  });
});

test("whatever came as a stream is written again, piece for piece", () => {
  const event = fc.constantFrom(
    "data: 1\n\n",
    'event: é\ndata: {"a":[1,"\\n"]}\n\n',
    ": x\n\n",
    "data: \n\n",
    "\n\n",
    "id: 1\n",
  );
  const piece = fc.oneof(
    event.map(bytes),
    fc.array(event).map((events) => bytes(events.join(""))),
    fc.uint8Array(),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ bytes: piece, at_ms: fc.nat() })), (chunks) => {
      const received = { status: 200, headers: sse, chunks };
      expect(writesOf(received)).toEqual(chunks.map(({ bytes: own, at_ms }) => ({ bytes: Buffer.from(own), at_ms })));
    }),
  );
});

test("a text is one only if it is UTF-8", () => {
  expect(textOf(bytes("\uFEFFé"))).toBe("\uFEFFé");
  expect(textOf(Uint8Array.of(0xc3))).toBeUndefined();
});
