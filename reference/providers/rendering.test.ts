// What holds for every session, whatever is in it: the same bytes each time, a stable beginning, and every call answered.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as anthropic from "./anthropic-messages/index.ts";
import * as openai from "./openai-chat/index.ts";
import { createRenderCache } from "./shared/render-cache.ts";
import { anyLetter } from "../testing/any-letter.ts";
import type { RenderCache } from "./shared/render-cache.ts";
import type { Message } from "../../schemas/types.ts";

const model = "m";
const adapters = [
  ["anthropic-messages", anthropic],
  ["openai-chat", openai],
] as const;

const text = fc.string({ minLength: 1, maxLength: 8, unit: anyLetter });
const said: fc.Arbitrary<Message> = fc.oneof(
  text.map((content): Message => ({ role: "assistant", content })),
  fc.constantFrom("anthropic-messages", "openai-chat").chain((provider) =>
    text.map((content): Message => ({
      type: "thinking",
      content,
      opaque: { provider, model, signature: "s", field: "reasoning" },
    })),
  ),
  fc
    .constantFrom("anthropic-messages", "openai-chat")
    .map((provider): Message => ({ type: "provider_item", provider, model, item: { type: "x" } })),
);
const called = fc.record({
  name: fc.constantFrom("look", "a b"),
  input: fc.option(fc.dictionary(text, fc.integer())),
  is_error: fc.boolean(),
});

/** One turn: what the user says, what the model says, its calls and their results. Ids are made unique by `place`. */
const turn = fc.tuple(
  fc.array(text, { minLength: 1, maxLength: 2 }),
  fc.array(said, { maxLength: 3 }),
  fc.array(called, { minLength: 1, maxLength: 3 }),
);
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;
const session = fc.array(turn, { minLength: 1, maxLength: 4 }).map(placed);

function placed(turns: Turn[]): Message[][] {
  return turns.map(([users, model_, calls], place) => [
    ...users.map((content): Message => ({ role: "user", content: `${content}.` })),
    ...model_,
    ...calls.map(({ name, input }, at): Message => ({
      type: "tool_call",
      id: `c/${place}/${at}`,
      name,
      input,
      ...(input === null && { raw_input: "[" }),
    })),
    ...calls.map(({ is_error }, at): Message => ({
      type: "tool_result",
      id: `c/${place}/${at}`,
      output: "ok",
      is_error,
    })),
  ]);
}

/** A cache that counts what is rendered, and what is looked up. */
function counting<F>(): RenderCache<F> & { rendered: number } {
  const cache = createRenderCache<F>();
  const counter: RenderCache<F> & { rendered: number } = {
    rendered: 0,
    follow: cache.follow,
    getOrRender: (message, known, render) =>
      cache.getOrRender(message, known, () => {
        counter.rendered += 1;
        return render();
      }),
  };
  return counter;
}

describe.each(adapters)("a request of %s", (_name, adapter) => {
  const render = (messages: Message[]) =>
    JSON.stringify(adapter.renderRequest({ messages, tools: [] }, { model }).body.messages);

  test("is the same each time, and begins as the one before it", () => {
    fc.assert(
      fc.property(session, (turns) => {
        const whole = render(turns.flat());
        expect(render(structuredClone(turns.flat()))).toBe(whole);
        const before = render(turns.slice(0, -1).flat());
        expect(whole.startsWith(before.replace(/[\]}]+$/, ""))).toBe(true);
      }),
    );
  });

  test("answers each call once, in order, and is well formed", () => {
    fc.assert(
      fc.property(session, (turns) => {
        const bytes = render(turns.flat());
        expect(bytes.isWellFormed() && !/\\ud[89a-f]/i.test(bytes)).toBe(true);
        const asked = [...bytes.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
        const answered = [...bytes.matchAll(/"tool_(?:use|call)_id":"([^"]+)"/g)].map(([, id]) => id);
        expect(answered).toEqual(asked);
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });

  test("does not change what it is given", () => {
    fc.assert(
      fc.property(session, (turns) => {
        const copy = structuredClone(turns.flat());
        render(turns.flat());
        expect(turns.flat()).toEqual(copy);
      }),
    );
  });

  test("renders in each turn only the messages that are new in it", () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (all) => {
        const cache = counting();
        const messages: Message[] = [];
        for (const added of placed(all)) {
          messages.push(...added);
          cache.rendered = 0;
          const { body, warnings } = adapter.renderRequest({ messages, tools: [] }, { model }, cache as never);
          expect(cache.rendered).toBe(added.length);
          const fresh = adapter.renderRequest({ messages: structuredClone(messages), tools: [] }, { model });
          expect(JSON.stringify(body)).toBe(JSON.stringify(fresh.body));
          expect(warnings).toEqual(fresh.warnings);
        }
      }),
    );
  });

  test("renders a message again for another model, or when a field of it was changed", () => {
    const cache = counting();
    const message: Message = { role: "user", content: "Hello" };
    const again = (asked: string) =>
      JSON.stringify(adapter.renderRequest({ messages: [message], tools: [] }, { model: asked }, cache as never).body);
    again("a");
    again("b");
    expect(cache.rendered).toBe(2);
    message.content = "Goodbye";
    expect(again("b")).toContain("Goodbye");
    expect(cache.rendered).toBe(3);
  });
});

test.each([
  ["anthropic-messages", anthropic.anthropicMessages],
  ["openai-chat", openai.openaiChat],
] as const)("a provider of %s remembers from turn to turn what it rendered", async (_name, create) => {
  const sent: { messages: { content: unknown }[] }[] = [];
  const client = {
    post(_path: string, { body }: { body: unknown }) {
      sent.push(body as (typeof sent)[number]);
      return { asResponse: async () => new Response(null, { status: 400 }) };
    },
  };
  const provider = create({ model, client });
  const call = { signal: new AbortController().signal, onStream() {}, warn() {} };
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];
  await provider.invokeModel({ messages, tools: [] }, call);
  await provider.invokeModel({ messages: [...messages, { role: "assistant", content: "Hi." }], tools: [] }, call);
  const [first, second] = sent.map((body) => (body.messages[0]!.content as unknown[])[0]);
  expect(second).toBe(first);
});

test("a request of anthropic-messages that asks for its prefix to be cached begins as the one before it, marks and all", () => {
  fc.assert(
    fc.property(session, (turns) => {
      const render = (some: Message[][]) => {
        const messages: Message[] = [{ role: "system", content: "Be brief." }, ...some.flat()];
        const request = { messages, tools: [], settings: { cache: "prefix" as const } };
        const { messages: list, ...rest } = anthropic.renderRequest(request, { model }).body;
        return [JSON.stringify(rest), JSON.stringify(list)] as const;
      };
      const [[fields, whole], [before, beginning]] = [render(turns), render(turns.slice(0, -1))];
      expect(fields).toBe(before);
      expect(whole.startsWith(beginning.replace(/[\]}]+$/, ""))).toBe(true);
    }),
  );
});
