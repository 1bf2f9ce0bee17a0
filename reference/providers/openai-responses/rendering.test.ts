// What holds for every session that the openai-responses adapter sends, whatever is in it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderRequest } from "./index.ts";
import { createRenderCache } from "../shared/render-cache.ts";
import { anyLetter } from "../../testing/any-letter.ts";
import type { Message, Part } from "../../../schemas/types.ts";

type Fields = Record<string, unknown>;

const model = "gpt-x";
const own = { provider: "openai-responses", model };
const text = (content: string, opaque = {}): Message => ({ role: "assistant", content, opaque: { ...own, ...opaque } });
const thinking = (opaque = {}): Message => {
  return { type: "thinking", content: "Hm.", opaque: { ...own, id: "rs_1", summary: [], ...opaque } };
};
const encrypted = { encrypted_content: "e" };
const call = (id: string, input: Fields = {}): Message => ({ type: "tool_call", id, name: "look", input });
const result = (id: string, output: string | Part[] = "ok"): Message => ({ type: "tool_result", id, output });

function inputOf(messages: Message[]): Fields[] {
  return renderRequest({ messages, tools: [] }, { model }).body.input as Fields[];
}

const content = fc.string({ minLength: 1, maxLength: 8, unit: anyLetter });
const made = fc.oneof(
  content.map((some) => text(some)),
  fc.constantFrom({}, encrypted).map(thinking),
  fc.constantFrom("openai-responses", "openai-chat").map((provider): Message => {
    return { type: "provider_item", provider, model, item: { type: "x" } };
  }),
);
const turns = fc
  .array(fc.tuple(content, fc.array(made, { maxLength: 4 }), fc.nat(3)), { minLength: 1, maxLength: 4 })
  .map((list) =>
    list.map(([asked, said, calls], place) => {
      const ids = Array.from({ length: calls }, (_, at) => `c/${place}/${at}`);
      return [
        { role: "user", content: `${asked}.` } as Message,
        ...said,
        ...ids.map((id) => call(id)),
        ...ids.map((id) => result(id)),
      ];
    }),
  );

describe("whatever is said, a request", () => {
  const send = (messages: Message[]) => JSON.stringify(inputOf(messages));

  test("is the same each time, begins as the one before it, and is well formed", () => {
    fc.assert(
      fc.property(turns, (list) => {
        const whole = send(list.flat());
        expect(send(structuredClone(list.flat()))).toBe(whole);
        expect(whole.startsWith(send(list.slice(0, -1).flat()).slice(0, -1))).toBe(true);
        expect(whole.isWellFormed() && !/\\ud[89a-f]/i.test(whole)).toBe(true);
      }),
    );
  });

  test("answers each call once, in order, and has no reasoning that nothing follows", () => {
    fc.assert(
      fc.property(turns, (list) => {
        const input = inputOf(list.flat());
        const idsOf = (type: string) => input.flatMap((item) => (item.type === type ? item.call_id : []));
        expect(idsOf("function_call_output")).toEqual(idsOf("function_call"));
        for (const [at, { type }] of input.entries()) {
          const next = input[at + 1];
          if (type === "reasoning") expect(next?.role === "user" || next === undefined).toBe(false);
        }
      }),
    );
  });

  test("renders only the messages that are new in it", () => {
    fc.assert(
      fc.property(turns, (list) => {
        const cache = createRenderCache<never>();
        let rendered = 0;
        const counting = {
          follow: cache.follow,
          getOrRender: (message: Message, asked: string, make: () => never) =>
            cache.getOrRender(message, asked, () => {
              rendered += 1;
              return make();
            }),
        };
        const messages: Message[] = [];
        for (const added of list) {
          messages.push(...added);
          rendered = 0;
          const { body, warnings } = renderRequest({ messages, tools: [] }, { model }, counting as never);
          expect(rendered).toBe(added.length);
          const fresh = renderRequest({ messages: structuredClone(messages), tools: [] }, { model });
          expect([JSON.stringify(body), warnings]).toEqual([JSON.stringify(fresh.body), fresh.warnings]);
        }
      }),
    );
  });
});

const word = fc.string({ unit: "grapheme", maxLength: 8 }).map((some) => `${some}.`);
const part = fc.oneof(
  word.map((some): Part => ({ type: "text", text: some })),
  fc.constantFrom<Part>(
    { type: "image", media_type: "image/png", data: "AA==" },
    { type: "image", url: "https://example.com/a.png" },
    { type: "document", media_type: "application/pdf", data: "AA==", title: "T" },
    { type: "document", url: "https://example.com/a.pdf" },
  ),
);
const spoken: fc.Arbitrary<Message> = fc.oneof(
  word.map((content): Message => ({ role: "assistant", content })),
  word.map((content): Message => ({ role: "system", content })),
  fc.array(part, { minLength: 1, maxLength: 3 }).map((content): Message => ({ role: "user", content })),
  fc.constant<Message>({ type: "provider_item", ...own, item: { type: "web_search_call", id: "ws_1" } }),
  fc.tuple(word, word).map(([at, some]) => call(`c${at}`, { at: some })),
  fc.tuple(word, fc.oneof(word, fc.array(part, { minLength: 1 }))).map(([at, output]) => result(`c${at}`, output)),
);

test("what the format can carry comes back from it", () => {
  const first: Message = { role: "user", content: "Hello" };
  fc.assert(
    fc.property(fc.array(spoken), (list) => {
      const messages = list.map(withIdOfItsPlace);
      const wire = JSON.parse(JSON.stringify(inputOf([first, ...messages]))) as Fields[];
      expect(wire.map(readItem)).toEqual([first, ...messages]);
    }),
  );
});

/** No two items of a provider have the same id. */
function withIdOfItsPlace(message: Message, place: number): Message {
  return message.type === "provider_item" ? { ...message, item: { ...message.item, id: `ws_${place}` } } : message;
}

function readItem({ type, role, content, call_id, name, output, ...rest }: Fields): Message {
  const id = call_id as string;
  const parts = (value: unknown) => (Array.isArray(value) ? value.map(readPart) : (value as string));
  if (type === "function_call_output") return { type: "tool_result", id, output: parts(output) };
  if (type === "function_call") {
    return { type: "tool_call", id, name: name as string, input: JSON.parse(rest.arguments as string) as Fields };
  }
  if (type !== undefined) return { type: "provider_item", ...own, item: { type, ...rest } };
  return { role, content: parts(content) } as Message;
}

function readPart({ type, text: some, image_url, file_data, filename, file_url }: Record<string, string>): Part {
  if (type === "input_text") return { type: "text", text: some! };
  const address = (image_url ?? file_data ?? file_url)!;
  const [, media_type, data] = /^data:(.*?);base64,(.*)$/.exec(address) ?? [];
  const kind = type === "input_image" ? "image" : "document";
  if (data === undefined) return { type: kind, url: address } as Part;
  return { type: kind, media_type, data, ...(filename !== undefined && { title: filename }) } as Part;
}

test("an id that stands twice is sent once", () => {
  const made = (id: string): Message => ({ ...call(id), opaque: { ...own, id: "fc_1" } }) as Message;
  const item: Message = {
    type: "provider_item",
    provider: "openai-responses",
    model,
    item: { type: "x", id: "x_1", status: "s" },
  };
  const input = inputOf([
    thinking(encrypted),
    item,
    made("a"),
    result("a"),
    thinking(encrypted),
    item,
    made("b"),
    result("b"),
  ]);
  expect(input.filter(({ id }) => id !== undefined).map(({ id }) => id)).toEqual(["rs_1", "x_1", "fc_1"]);
  expect(input).toHaveLength(8);
  expect(input[5]).toEqual({ type: "x", status: "s" });
});

test("only the texts of one message are joined, whatever else has the same id", () => {
  const made = (id: string): Message => ({ ...call(id), opaque: { ...own, id } }) as Message;
  const input = inputOf([text("One.", { id: "a" }), made("a"), made("b"), text("Two.", { id: "b" })]);
  expect(input.map(({ type }) => type)).toEqual(["message", "function_call", "function_call", "message"]);
});

test("an item of the provider keeps its id where reasoning before it is left out", () => {
  const item = { type: "web_search_call", id: "ws_1", status: "completed" };
  expect(inputOf([thinking(), { type: "provider_item", ...own, item }])).toEqual([item]);
});

test("it is said why thinking was left out", () => {
  const saidOf = (...messages: Message[]) => renderRequest({ messages, tools: [] }, { model }).warnings;
  const code = "thinking_dropped";
  const reference = "thinking was left out: it is only a reference, and nothing was stored";
  expect(saidOf(thinking(), text("Hello."))).toEqual([{ code, message: reference }]);
  const last = "thinking was left out: nothing of its response follows it";
  expect(saidOf(text("Hello."), thinking(encrypted))).toEqual([{ code, message: last }]);
});

test("a request has no field that nothing was said of", () => {
  const messages: Message[] = [{ role: "user", content: "Hello" }, call("a"), result("a")];
  expect(renderRequest({ messages, tools: [] }, { model }).body).toStrictEqual({
    model,
    input: [
      { role: "user", content: "Hello" },
      { type: "function_call", call_id: "a", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "ok" },
    ],
    store: false,
    include: ["reasoning.encrypted_content"],
    stream: true,
  });
});

test.each([
  ["another model", { model: "gpt-y" }, {}],
  ["responses that are stored", {}, { store: true }],
])("nothing that was rendered before is sent for %s", (_what, asked, request) => {
  const cache = createRenderCache<never>();
  const session = { messages: [thinking(), text("Hello.", { id: "msg_1" })], tools: [] };
  renderRequest(session, { model }, cache);
  const { body } = renderRequest({ ...session, ...asked }, { model, request }, cache);
  expect(body).toEqual(renderRequest({ ...session, ...asked }, { model, request }).body);
});

test("texts without an id stay apart", () => {
  expect(inputOf([text("One."), text("Two.")])).toMatchObject([
    { type: "message", content: [{ text: "One." }] },
    { type: "message", content: [{ text: "Two." }] },
  ]);
});

test("thinking whose encrypted content is none is a reference", () => {
  expect(inputOf([thinking({ content: "x", encrypted_content: [] }), text("Hello.")])).toMatchObject([
    { type: "message" },
  ]);
});
