// Encoded bodies: always the bytes of JSON.stringify, however a conversation goes on, and never changed while they are sent.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as anthropic from "../anthropic-messages/index.ts";
import * as chat from "../openai-chat/index.ts";
import * as responses from "../openai-responses/index.ts";
import { createRenderCache } from "./render-cache.ts";
import { createRequestEncoder } from "./request-bytes.ts";
import { anyLetter } from "../../testing/any-letter.ts";
import type { Message, Part } from "../../../schemas/types.ts";

const textOf = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const first: Message = { role: "user", content: "Hello" };

describe("the bytes of a body", () => {
  const frame = fc.dictionary(fc.string({ unit: anyLetter, maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), {
    maxKeys: 3,
  });
  /** Items of which some are as they were, some are copies, some are new, and some say what JSON leaves out. */
  const item = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: anyLetter }),
    fc.constantFrom(undefined, { a: undefined }, { a: -0 }, new Date(0), [undefined], {}),
  );
  const request = fc.tuple(frame, fc.array(item, { maxLength: 6 }), frame, fc.nat(8), fc.boolean(), fc.boolean());

  test("are those of JSON.stringify, whatever the request before said", () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 6 }), (requests) => {
        const encode = createRequestEncoder("list");
        let before: unknown[] = [];
        for (const [head, added, tail, kept, cloned, released] of requests) {
          const old = before.slice(0, kept);
          const list = [...(cloned ? structuredClone(old) : old), ...added];
          const body = { ...head, list, ...tail };
          const { bytes, release } = encode([first], body);
          expect(textOf(bytes)).toBe(JSON.stringify(body));
          if (released) release();
          before = list;
        }
      }),
    );
  });

  test("have room for heads and tails that grow and shrink", () => {
    const encode = createRequestEncoder("list");
    for (const length of [0, 10, 100_000, 1, 300_000]) {
      const body = { system: "s".repeat(length), list: ["ü", "\ud800"], tools: "t".repeat(length) };
      const { bytes, release } = encode([first], body);
      expect(textOf(bytes)).toBe(JSON.stringify(body));
      release();
    }
  });

  test("are those of JSON.stringify where there is no list, or no conversation", () => {
    const encode = createRequestEncoder("list");
    for (const body of [{}, { list: "none" }, { a: 1 }, { list: [1] }]) {
      expect(textOf(encode([{ role: "system", content: "alone" }], body).bytes)).toBe(JSON.stringify(body));
      expect(textOf(encode([first], body).bytes)).toBe(JSON.stringify(body));
    }
  });

  test("can say the last item otherwise, and as before again", () => {
    const encode = createRequestEncoder("list");
    const items: object[] = [];
    for (const content of ["a", "b", "c"]) {
      items.push({ content });
      const marked = [...items.slice(0, -1), { content, cache_control: { type: "ephemeral" } }];
      const { bytes, release } = encode([first], { list: marked });
      expect(textOf(bytes)).toBe(JSON.stringify({ list: marked }));
      release();
    }
  });

  test("are not changed until they are released", () => {
    const encode = createRequestEncoder("list");
    const bodies = [{ list: ["a"] }, { list: ["b", "c"] }, { list: ["b", "d"] }];
    const sent = bodies.map((body) => encode([first], body));
    expect(sent.map(({ bytes }) => textOf(bytes))).toEqual(bodies.map((body) => JSON.stringify(body)));
  });

  test("are used again: only what is new is encoded", () => {
    const encode = createRequestEncoder("list");
    let encoded = 0;
    const item = () => ({
      toJSON() {
        encoded += 1;
        return "item";
      },
    });
    const list: object[] = [];
    for (let turn = 1; turn <= 20; turn += 1) {
      list.push(item());
      encode([first], { list: [...list] }).release();
      expect(encoded).toBe(turn);
    }
  });
});

const piece = fc.string({ minLength: 1, maxLength: 4, unit: anyLetter });
/** A message, or a call and its result, whose id is known once its place is. */
const message = fc
  .tuple(fc.constantFrom("user", "assistant", "system", "thinking", "call"), piece, fc.nat(2))
  .map(([kind, content, which]) => (id: string): Message[] => {
    const provider = ["anthropic-messages", "openai-chat", "openai-responses"][which]!;
    if (kind === "user" || kind === "assistant" || kind === "system") return [{ role: kind, content }];
    if (kind === "thinking") {
      return [{ type: kind, content, opaque: { provider, model: "m", signature: "s", field: "reasoning" } }];
    }
    const image: Part = { type: "image", media_type: "image/png", data: "AA==" };
    return [
      { type: "tool_call", id, name: "look", input: { content } },
      { type: "tool_result", id, output: which === 0 ? content : [image] },
    ];
  });

describe.each([
  ["anthropic-messages", anthropic.renderRequest, "messages"],
  ["openai-chat", chat.renderRequest, "messages"],
  ["openai-responses", responses.renderRequest, "input"],
] as const)("a conversation with %s that goes on anywhere", (_name, render, list) => {
  test("is sent as a new one would be, and leaves what was sent as it was", () => {
    fc.assert(
      fc.property(fc.array(fc.array(message, { maxLength: 3 }), { maxLength: 6 }), (turns) => {
        const cache = createRenderCache<never>();
        const encode = createRequestEncoder(list);
        const messages: Message[] = [first];
        const sent: [body: unknown, json: string][] = [];
        for (const [turn, added] of turns.entries()) {
          for (const [at, make] of added.entries()) messages.push(...make(`c${turn}${at}`));
          const rendered = render({ messages: [...messages], tools: [] }, { model: "m" }, cache);
          const fresh = render({ messages: structuredClone(messages), tools: [] }, { model: "m" });
          const { bytes, release } = encode(messages, rendered.body);
          expect(textOf(bytes)).toBe(JSON.stringify(fresh.body));
          expect({ ...rendered, body: null }).toEqual({ ...fresh, body: null });
          sent.push([rendered.body, JSON.stringify(rendered.body)]);
          release();
        }
        for (const [body, json] of sent) expect(JSON.stringify(body)).toBe(json);
      }),
    );
  });

  test("is rendered anew where one of its messages was changed, left out or put before", () => {
    const cache = createRenderCache<never>();
    const send = (messages: Message[]) => JSON.stringify(render({ messages, tools: [] }, { model: "m" }, cache).body);
    const fresh = (messages: Message[]) => JSON.stringify(render({ messages, tools: [] }, { model: "m" }).body);
    const said: Message = { role: "assistant", content: "Hi." };
    const again: Message = { role: "user", content: "Again" };
    const whole: Message[] = [{ role: "user", content: "Hello" }, said, again];
    send(whole);
    said.content = "Good day.";
    expect(send(whole)).toBe(fresh(whole));
    expect(send([whole[0]!, again])).toBe(fresh([whole[0]!, again]));
    expect(send([again, ...whole])).toBe(fresh([again, ...whole]));
    expect(send([whole[0]!])).toBe(fresh([whole[0]!]));
    expect(send(whole)).toBe(fresh(whole));
  });
});
