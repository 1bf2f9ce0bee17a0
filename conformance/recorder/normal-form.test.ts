// That a normal form is small, is its own normal form, and cannot be told from the fixture by anybody who is answered from it.

import { describe, expect, test } from "vitest";
import type { Exchange, Fixture, FixtureResponse } from "../../reference/types.ts";
import { ownFixtures } from "../dev/fixture-list.ts";
import { fixtureAnswer } from "../kit/fixture-bytes.ts";
import { validate } from "../kit/validate.ts";
import { normalForm } from "./normal-form.ts";
import { Tape } from "./tape.ts";

const asked = { method: "POST", path: "/v1/chat/completions" };

function crafted(exchanges: Partial<Exchange>[], more: Partial<Fixture> = {}): Fixture {
  const whole = exchanges.map((exchange): Exchange => ({
    provider: "openai-chat",
    request: asked,
    response: { status: 200, text: "" },
    ...exchange,
  }));
  return { fixture: 1, origin: "crafted", why: "a test", exchanges: whole, ...more };
}

const responseOf = (response: FixtureResponse) => normalForm(crafted([{ response }])).fixture.exchanges[0]!.response;

/** What a client gets: the bytes of each write, when, and the headers that mean something to it. */
function heard({ response }: Exchange): unknown {
  const { status, headers, writes, reset } = fixtureAnswer(response);
  const pieces = writes.map(({ text, bytes, at_ms }) => [Buffer.from(bytes ?? text).toString("hex"), at_ms]);
  return { status, type: headers["content-type"], retry: headers["retry-after"], pieces, reset };
}

describe("of each fixture of the project", () => {
  test.each(ownFixtures())("$provider/$name the normal form says the same, and is its own", ({ fixture }) => {
    const { fixture: normal } = normalForm(structuredClone(fixture));
    expect(validate("Fixture", normal)).toEqual([]);
    expect(normal.exchanges.map(heard)).toEqual(fixture.exchanges.map(heard));
    expect(normalForm(normal)).toEqual({ fixture: normal, headers: 0, forms: 0, renumbered: 0 });
    expect(JSON.stringify(normal).length).toBeLessThanOrEqual(JSON.stringify(fixture).length);
  });

  test.each(ownFixtures().filter(({ fixture }) => fixture.exchanges.every(({ request }) => request)))(
    "$provider/$name a program that plays the one plays the other",
    ({ fixture }) => {
      const tape = new Tape(normalForm(fixture).fixture, { name: "normal", rules: false });
      for (const { provider, request } of fixture.exchanges) {
        const { method, path, body } = request!;
        const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
        tape.take({ method, path, ...(provider && { provider }), headers: {}, body: bytes });
      }
      expect(tape.verdict).toMatchObject({ passed: true, problems: [] });
    },
  );
});

test("fields stand in one order, and what holds anyway is not said", () => {
  const response = { body: { b: 1, a: 2 }, headers: {}, status: 200 };
  const exchange = { response, request: { body: { z: 1, a: 2 }, headers: {}, path: "/v1/x", method: "POST" } };
  const replay = { like: {}, volatile: [], order: "strict" as const };
  const fixture = { exchanges: [exchange], replay, why: "a test", origin: "crafted", fixture: 1 } as Fixture;
  expect(JSON.stringify(normalForm(fixture).fixture)).toBe(
    JSON.stringify({
      fixture: 1,
      origin: "crafted",
      why: "a test",
      exchanges: [
        {
          request: { method: "POST", path: "/v1/x", body: { z: 1, a: 2 } },
          response: { status: 200, body: { b: 1, a: 2 } },
        },
      ],
    }),
  );
});

describe("headers", () => {
  test("that no client acts upon are taken out, and the content type that goes without saying", () => {
    const headers = { "X-Request-Id": "1", "Retry-After": "2", date: "today", "Content-Type": "application/json" };
    const { fixture, headers: count } = normalForm(
      crafted([
        { request: { ...asked, headers: { "user-agent": "me" } }, response: { status: 429, headers, body: {} } },
      ]),
    );
    expect(fixture.exchanges[0]).toEqual({
      provider: "openai-chat",
      request: asked,
      response: { status: 429, headers: { "retry-after": "2" }, body: {} },
    });
    expect(count).toBe(4);
  });

  test("a content type that says more stays", () => {
    const type = "application/json; charset=utf-8";
    for (const name of ["content-type", "Content-Type"])
      expect(responseOf({ status: 200, headers: { [name]: type }, body: {} })).toEqual({
        status: 200,
        headers: { "content-type": type },
        body: {},
      });
  });

  test("that contradict each other are refused", () => {
    const headers = { "Retry-After": "1", "retry-after": "2" };
    expect(() => responseOf({ status: 429, headers, text: "" })).toThrow(
      /exchange 1 has the header retry-after twice, with two values; take one of them out/,
    );
  });
});

describe("a body", () => {
  const stream = { status: 200, headers: { "content-type": "text/event-stream" } };
  const json = { status: 200, headers: { "content-type": "application/json" } };

  test("of whole events becomes events, in the same pieces at the same times", () => {
    const writes = [
      { text: 'data: {"a":1}\n\n', at_ms: 5 },
      { base64: Buffer.from("event: end\ndata: [DONE]\n\ndata: x\n\n").toString("base64"), at_ms: 9 },
    ];
    expect(responseOf({ ...stream, writes })).toEqual({
      status: 200,
      events: [
        { data: { a: 1 }, at_ms: 5 },
        { event: "end", data: "[DONE]", at_ms: 9 },
        { data: "x", joined: true },
      ],
    });
  });

  test.each([
    ["half an event", [{ text: 'data: {"a"' }, { text: ":1}\n\n" }]],
    ["events with other line ends", [{ text: "data: x\r\n\r\n" }]],
  ])("of %s stays as it is", (_, writes) => {
    expect(responseOf({ ...stream, writes })).toEqual({ ...stream, writes });
  });

  test("of a text that is JSON becomes JSON, if it is laid out as it would be written", () => {
    expect(responseOf({ ...json, text: '{"a":1}' })).toEqual({ status: 200, body: { a: 1 } });
    for (const text of ['{ "a": 1 }', '{"a":1.0}', "{"])
      expect(responseOf({ ...json, text })).toEqual({ ...json, text });
  });

  test("that came in pieces or late stays so", () => {
    for (const writes of [[{ text: "{" }, { text: "}" }], [{ text: "{}", at_ms: 5 }]])
      expect(responseOf({ ...json, writes })).toEqual({ ...json, writes });
    expect(responseOf({ ...json, writes: [{ text: "{}" }] })).toEqual({ status: 200, body: {} });
  });

  test("of a request that is JSON becomes JSON, but not what only seems so", () => {
    const bodyOf = (body: unknown) =>
      normalForm(crafted([{ request: { ...asked, body } }])).fixture.exchanges[0]!.request!.body;
    expect(bodyOf('{"a": 1}')).toEqual({ a: 1 });
    for (const body of ['{"a":1.0}', '"text"', "text"]) expect(bodyOf(body)).toBe(body);
  });
});

describe("ids and dates", () => {
  const uuid = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
  const body = (more: object) => ({ request: { ...asked, body: more } });
  const like = {
    "/user": "id",
    "/parts/*/id": "id",
    "/at": "date",
    "/day": "date",
    "/run": "uuid",
    "/n": "number",
  } as const;
  const renumbered = (bodies: object[], response: FixtureResponse = { status: 200, body: {} }) => {
    const fixture = crafted(
      bodies.map((one) => ({ ...body(one), response })),
      { replay: { like } },
    );
    const { fixture: normal, renumbered: count } = normalForm(fixture);
    expect(normalForm(normal)).toMatchObject({ fixture: normal, renumbered: 0 });
    return { bodies: normal.exchanges.map(({ request }) => request!.body), count };
  };

  test("become small numbers, the same for the same", () => {
    const first = { user: "user_9f3c", parts: [{ id: "call_zz" }, { id: "call_aa" }], at: "2026-05-06T07:08:09Z" };
    const second = { user: "user_9f3c", parts: [{ id: "call_aa" }], day: "2026-05-06", run: uuid, n: 7, other: "x" };
    expect(renumbered([first, second])).toEqual({
      bodies: [
        { user: "user_1", parts: [{ id: "call_1" }, { id: "call_2" }], at: "2000-01-01T00:00:01.000Z" },
        {
          user: "user_1",
          parts: [{ id: "call_2" }],
          day: "2000-01-01",
          run: "00000000-0000-4000-8000-000000000001",
          n: 7,
          other: "x",
        },
      ],
      count: 6,
    });
  });

  test("stay where a response, or another place of a request, has them too, also inside a text", () => {
    const said = { status: 200, body: { id: "call_zz" } };
    expect(renumbered([{ user: "call_zz" }], said).bodies).toEqual([{ user: "call_zz" }]);
    expect(renumbered([{ user: "u1", text: "I am u1." }]).bodies).toEqual([{ user: "u1", text: "I am u1." }]);
    expect(
      renumbered([{ at: "2026-05-06T07:08:09Z" }], { status: 200, body: ["at 2026-05-06T07:08:09Z!"] }).count,
    ).toBe(0);
    const inside = { status: 200, body: { arguments: '{"text":"one\\ncall_zz"}' } };
    expect(renumbered([{ user: "call_zz" }], inside).count).toBe(0);
  });

  test("are given no number that stands there already", () => {
    expect(renumbered([{ user: "call_zz" }], { status: 200, body: { id: "call_1" } }).bodies).toEqual([
      { user: "call_2" },
    ]);
  });

  test("that are none stay, as does all that may not differ", () => {
    const odd = { user: "two words", at: "some day in 2026", parts: [{ id: "" }] };
    expect(renumbered([odd])).toEqual({ bodies: [odd], count: 0 });
    const plain = crafted([body({ user: "user_9f3c" })]);
    expect(normalForm(plain).fixture.exchanges).toEqual(
      plain.exchanges.map((one) => ({ ...one, response: { status: 200, text: "" } })),
    );
  });

  test("agree with those that the fixture had", () => {
    const bodies = [
      { user: "user_9f3c", parts: [{ id: "call_zz" }] },
      { user: "user_9f3c", parts: [{ id: "call_zz" }] },
    ];
    const fixture = crafted(bodies.map(body), { replay: { like } });
    const play = (third: object[]) => {
      const tape = new Tape(normalForm(fixture).fixture, { name: "normal", rules: false });
      for (const one of third)
        tape.take({ ...asked, provider: "openai-chat", headers: {}, body: Buffer.from(JSON.stringify(one)) });
      return tape.verdict.passed;
    };
    expect(play(bodies)).toBe(true);
    expect(play([bodies[0]!, { ...bodies[1], user: "user_other" }])).toBe(false);
  });
});
