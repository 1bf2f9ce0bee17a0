// That a tape gives each request the exchange that was recorded for it, once, and says everything that went otherwise.

import { describe, expect, test } from "vitest";
import type { Exchange, Fixture, ReplayTerms } from "../../../schemas/types.ts";
import { faultOf } from "../fixture/fault.ts";
import type { Fault } from "../fixture/fault.ts";
import { Tape } from "./tape.ts";
import type { TapeRequest } from "../fixture/incoming-request.ts";
import type { TapeOptions } from "./tape.ts";
import { describeVerdict } from "./tape-messages.ts";

const path = "/v1/chat/completions";

function exchange(body: unknown, word = "ok"): Exchange {
  return {
    provider: "openai-chat",
    request: { method: "POST", path, body },
    response: { status: 200, body: { say: word } },
  };
}

function fixture(exchanges: Exchange[], replay?: ReplayTerms): Fixture {
  return { fixture: 1, origin: "crafted", why: "test", ...(replay && { replay }), exchanges };
}

function tapeOf(exchanges: Exchange[], options: Partial<TapeOptions> = {}, replay?: ReplayTerms): Tape {
  return new Tape(fixture(exchanges, replay), { name: "f.json", rules: false, ...options });
}

function ask(body: unknown, other: Partial<TapeRequest> = {}): TapeRequest {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return { method: "POST", path, provider: "openai-chat", headers: {}, body: bytes, ...other };
}

/** What was said to a request: the recorded word, or the status of the refusal. */
function answerOf(tape: Tape, request: TapeRequest): unknown {
  const taken = tape.take(request);
  if ("reset" in taken) return "reset";
  if ("refused" in taken) return taken.refused.status;
  return (taken.taken.exchange.response.body as { say: string }).say;
}

const two = [exchange({ n: 1 }, "one"), exchange({ n: 2 }, "two")];

describe("in order", () => {
  test("each request takes the next exchange", () => {
    const tape = tapeOf(two);
    expect([answerOf(tape, ask({ n: 1 })), answerOf(tape, ask({ n: 2 }))]).toEqual(["one", "two"]);
    expect(tape.verdict).toMatchObject({ passed: true, used: 2, exchanges: 2, unused: [], problems: [] });
  });

  test("a request agrees by what it says, not by how it is written", () => {
    const tape = tapeOf([exchange({ a: 1, b: "é" })]);
    expect(answerOf(tape, ask(Buffer.from('{ "b": "\\u00e9", "a": 1.0 }')))).toBe("ok");
  });

  test("a request that was kept as a text agrees by what it says too [FIXTURE-7]", () => {
    const tape = tapeOf([exchange('{"a": 1.0, "id": "x"}')], {}, { volatile: ["/id"] });
    expect(answerOf(tape, ask({ id: "y", a: 1 }))).toBe("ok");
  });

  test("one that comes too early is refused with what differs, in the provider's form [REPLAY-2, REPLAY-4, REPLAY-6]", () => {
    const tape = tapeOf(two);
    const taken = tape.take(ask({ n: 2 }, { provider: "anthropic-messages" }));
    const message = expect.stringMatching(
      /request 1 differs from exchange 1 of f\.json[^]*\/n\n.*recorded {2}1\n.*received {2}2/,
    );
    expect(taken).toMatchObject({
      refused: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } },
    });
    expect(tape.verdict).toMatchObject({ passed: false, used: 0, problems: [{ kind: "mismatch", request: 1 }] });
  });

  test("one more than was recorded is refused [REPLAY-1, REPLAY-4]", () => {
    const tape = tapeOf([exchange({ n: 1 })]);
    expect([answerOf(tape, ask({ n: 1 })), answerOf(tape, ask({ n: 1 }))]).toEqual(["ok", 400]);
    expect(tape.verdict.problems).toMatchObject([{ kind: "none-left", request: 2 }]);
  });
});

describe("in any order", () => {
  test("each exchange is used once, the first that agrees first [REPLAY-1]", () => {
    const tape = tapeOf(
      [exchange({ n: 1 }, "one"), exchange({ n: 2 }, "two"), exchange({ n: 1 }, "again")],
      {},
      { order: "any" },
    );
    const answers = [2, 1, 1, 1].map((n) => answerOf(tape, ask({ n })));
    expect(answers).toEqual(["two", "one", "again", 400]);
  });

  test("a refusal shows the nearest exchange", () => {
    const tape = tapeOf([exchange({ a: 1, b: 1 }), exchange({ a: 2, b: 2, c: 2 })], { order: "any" });
    tape.take(ask({ a: 2, b: 2, c: 3 }));
    expect(tape.verdict.problems[0]?.message).toMatch(/exchange 2 of f\.json[^]*\/c/);
  });
});

test.each([
  ["method", { method: "PUT" }],
  ["path", { path: "/v1/responses" }],
  ["upstream", { upstream: "other" }],
])("another %s is another request [REPLAY-2]", (_what, other) => {
  const tape = tapeOf([{ ...exchange({ n: 1 }), upstream: "own" }]);
  expect(answerOf(tape, ask({ n: 1 }, other))).toBe(400);
});

test("an exchange whose request was not kept answers any model call of its provider [REPLAY-2]", () => {
  const kept: Exchange = { provider: "openai-chat", request: null, response: { status: 200, body: { say: "hello" } } };
  expect(answerOf(tapeOf([kept]), ask({ whatever: true }))).toBe("hello");
  expect(answerOf(tapeOf([kept]), ask({}, { provider: "anthropic-messages" }))).toBe(400);
});

test("bytes that are no text agree byte for byte [REPLAY-2]", () => {
  const request = { method: "POST", path, base64: "AAEC" };
  const opaque: Exchange = { request, response: { status: 200, body: { say: "image" } } };
  expect(answerOf(tapeOf([opaque]), ask(Buffer.from([0, 1, 2])))).toBe("image");
  expect(answerOf(tapeOf([opaque]), ask(Buffer.from([0, 1, 3])))).toBe(400);
});

test("an id that was other once is the same other one later, equal bytes or not", () => {
  const bodies = [{ id: "a" }, { id: "a", more: true }];
  const terms: ReplayTerms = { like: { "/id": "id" } };
  const same = tapeOf(
    bodies.map((body) => exchange(body)),
    {},
    terms,
  );
  expect([answerOf(same, ask({ id: "x" })), answerOf(same, ask({ id: "x", more: true }))]).toEqual(["ok", "ok"]);
  const changed = tapeOf(
    bodies.map((body) => exchange(body)),
    {},
    terms,
  );
  expect([answerOf(changed, ask({ id: "a" })), answerOf(changed, ask({ id: "x", more: true }))]).toEqual(["ok", 400]);
});

describe("the ids of calls without ids", () => {
  const geminiPath = "/v1/models/gemini-3-flash-preview:generateContent";
  const result = (id: string) => ({ functionResponse: { id, name: "look", response: { output: "ok" } } });
  const call = (id: string) => ({ functionCall: { id, name: "look", args: {} } });
  const requestWith = (...ids: string[]) => ({
    contents: [
      { role: "user", parts: [{ text: "Look." }] },
      ...(ids.length === 0
        ? []
        : [
            { role: "model", parts: ids.map(call) },
            { role: "user", parts: ids.map(result) },
          ]),
    ],
  });
  const generated = (body: unknown, parts: object[]): Exchange => ({
    provider: "gemini",
    request: { method: "POST", path: geminiPath, body },
    response: { status: 200, body: { say: "ok", candidates: [{ content: { role: "model", parts } }] } },
  });
  const unnamed = { functionCall: { name: "look", args: {} } };
  const recorded = [
    generated(requestWith(), [unnamed, unnamed]),
    generated(requestWith("mine-1", "mine-2"), [{ text: "Done." }]),
  ];
  const send = (tape: Tape, body: unknown) => answerOf(tape, ask(body, { path: geminiPath, provider: "gemini" }));

  test("are those of the program, which makes others each time [REPLAY-20]", () => {
    const tape = tapeOf(recorded);
    expect([send(tape, requestWith()), send(tape, requestWith("other-1", "other-2"))]).toEqual(["ok", "ok"]);
    expect(tape.verdict.passed).toBe(true);
  });

  test("stay the same within a run, so that each result goes to its call", () => {
    const swapped = requestWith("a", "b");
    swapped.contents[2]!.parts.reverse();
    const twice = requestWith("a", "a");
    const third = generated({ ...requestWith("mine-1", "mine-2"), more: true }, [{ text: "Done." }]);
    for (const body of [swapped, twice]) {
      const tape = tapeOf(recorded);
      expect([send(tape, requestWith()), send(tape, body)]).toEqual(["ok", 400]);
    }
    const tape = tapeOf([...recorded, third]);
    for (const body of [requestWith(), requestWith("mine-1", "mine-2")]) expect(send(tape, body)).toBe("ok");
    expect(send(tape, { ...requestWith("mine-2", "mine-1"), more: true })).toBe(400);
  });

  test("are none of those that an answer gave [REPLAY-20]", () => {
    const given = [
      generated(requestWith(), [call("given-1"), unnamed]),
      generated(requestWith("given-1", "mine"), [{ text: "Done." }]),
    ];
    const other = tapeOf(given);
    expect([send(other, requestWith()), send(other, requestWith("given-1", "other"))]).toEqual(["ok", "ok"]);
    for (const ids of [
      ["other", "mine"],
      ["given-1", "given-1"],
    ]) {
      const tape = tapeOf(given);
      expect([send(tape, requestWith()), send(tape, requestWith(...ids))]).toEqual(["ok", 400]);
    }
  });

  test("are compared in Chat Completions too", () => {
    const messages = (id: string) => [
      { role: "user", content: "Look." },
      { role: "assistant", tool_calls: [{ id, type: "function", function: { name: "look", arguments: "{}" } }] },
      { role: "tool", tool_call_id: id, content: "ok" },
    ];
    expect(answerOf(tapeOf([exchange({ messages: messages("mine") })]), ask({ messages: messages("other") }))).toBe(
      "ok",
    );
  });
});

describe("the rules of the provider", () => {
  const orphan = { model: "m", messages: [{ role: "tool", tool_call_id: "a", content: "x" }] };

  test("refuse a request that the fixture would allow", () => {
    const tape = tapeOf([exchange(orphan)], { rules: true });
    expect(answerOf(tape, ask(orphan, { headers: { authorization: "Bearer x" } }))).toBe(400);
    expect(tape.verdict.problems).toMatchObject([{ kind: "rule", request: 1 }]);
  });

  test("do not hold for what the recorded server refused itself", () => {
    const refused = { ...exchange(orphan), response: { status: 400, body: { say: "refused" } } };
    expect(answerOf(tapeOf([refused], { rules: true }), ask(orphan))).toBe("refused");
  });

  const deployment = "/openai/deployments/mine/chat/completions";
  const parameters = { type: "object", properties: { at: { $ref: "#/$defs/place" } } };
  const nameless = { messages: [{ role: "user", content: "Look." }] };
  const broken = { ...nameless, model: "m", tools: [{ type: "function", function: { name: "look", parameters } }] };
  test.each([
    ["of a provider, asked of itself", nameless, undefined, path, 400],
    ["of a provider that is none of the host", nameless, "azure", deployment, "ok"],
    ["of a host, asked of it", broken, "moonshot", path, 400],
    ["of a host, asked of the provider", broken, undefined, path, "ok"],
  ])("are those of the host that is asked: one %s", (_, body, upstream, at, answer) => {
    const one = exchange(body);
    const sent = { ...one, request: { ...one.request!, path: at }, ...(upstream && { upstream }) };
    const headers = { authorization: "Bearer x", "content-type": "application/json" };
    const request = ask(body, { headers, path: at, ...(upstream && { upstream }) });
    expect(answerOf(tapeOf([sent], { rules: true }), request)).toBe(answer);
  });
});

describe("a verdict", () => {
  test("is red where nothing was asked [REPLAY-6]", () => {
    const { verdict } = tapeOf(two);
    expect(verdict.passed).toBe(false);
    expect(describeVerdict("f.json", verdict).join("\n")).toMatch(
      /failed, 0 of 2 exchanges used[^]*no request was received/,
    );
  });

  test("is red where an exchange was not used [REPLAY-6]", () => {
    const tape = tapeOf(two);
    tape.take(ask({ n: 1 }));
    expect(describeVerdict("f.json", tape.verdict)).toEqual([
      "f.json: failed, 1 of 2 exchanges used, 1 request",
      `exchange 2 was not used: POST ${path}`,
    ]);
  });

  test("is red where the program tried to go elsewhere", () => {
    const tape = tapeOf([exchange({ n: 1 })]);
    tape.take(ask({ n: 1 }));
    tape.reportBlocked("api.test:443");
    expect(tape.verdict).toMatchObject({ passed: false, problems: [{ kind: "elsewhere" }] });
  });

  test("counts the rounds of a tape that repeats", () => {
    const tape = tapeOf(two, { repeat: true });
    for (const n of [1, 2, 1]) expect(answerOf(tape, ask({ n }))).not.toBe(400);
    expect(tape.verdict).toMatchObject({ passed: true, used: 3 });
  });
});

describe("exchanges that overlapped when they were recorded", () => {
  const overlapping = [
    exchange({ n: 1 }, "one"),
    exchange({ n: 2 }, "two"),
    { ...exchange({ n: 3 }, "three"), overlaps: true as const },
    exchange({ n: 4 }, "four"),
  ];

  test("come in any order among themselves, and after those before them [REPLAY-17]", () => {
    const tape = tapeOf(overlapping);
    expect([1, 3, 2, 4].map((n) => answerOf(tape, ask({ n })))).toEqual(["one", "three", "two", "four"]);
    expect(tape.verdict.passed).toBe(true);
  });

  test.each([
    [[2], "the one before them is not used"],
    [[1, 2, 4], "one of them is not used"],
  ])("of %j the last comes too early: %s [REPLAY-17]", (numbers) => {
    const tape = tapeOf(overlapping);
    expect(numbers.map((n) => answerOf(tape, ask({ n }))).at(-1)).toBe(400);
  });
});

describe("what was replaced in a recording", () => {
  const recorded = (exchanges: Exchange[]): Fixture => ({
    fixture: 1,
    origin: "recorded",
    recorded: { date: "2026-01-31", recorder: "test", redacted: ["an OpenAI key"] },
    exchanges,
  });
  const mark = "[redacted: an OpenAI key]";
  const play = (body: unknown) => new Tape(recorded([exchange(body)]), { name: "f.json", rules: false });

  test.each([
    [`use ${mark} now`, "use sk-other now"],
    [mark, ""],
    [`${mark} and ${mark}.`, "a and b and c."],
    [`use ${mark}`, `use ${mark}`],
  ])("%j agrees with %j [REPLAY-16]", (text, received) => {
    expect(answerOf(play({ text }), ask({ text: received }))).toBe("ok");
  });

  test.each([
    [`use ${mark} now`, "use sk-other later"],
    [`aba${mark}aba`, "aba"],
    [`${mark} and ${mark}`, "a or b"],
  ])("%j does not agree with %j [REPLAY-16]", (text, received) => {
    expect(answerOf(play({ text }), ask({ text: received }))).toBe(400);
  });

  test("is a text like any other where nothing was replaced [REPLAY-16]", () => {
    expect(answerOf(tapeOf([exchange({ text: mark })]), ask({ text: "x" }))).toBe(400);
  });

  test("in a query agrees with any key", () => {
    const one = exchange({ n: 1 });
    const tape = tapeOf([{ ...one, request: { ...one.request!, path: `${path}?key=redacted&v=1` } }]);
    expect(answerOf(tape, ask({ n: 1 }, { path: `${path}?key=other&v=2` }))).toBe(400);
    expect(answerOf(tape, ask({ n: 1 }, { path: `${path}?key=other&v=1` }))).toBe("ok");
  });
});

describe("a rule of the provider", () => {
  const headers = { authorization: "Bearer key", "content-type": "application/json" };
  const body = { model: "m", messages: [{ role: "user", content: "Hi." }], usage: { include: true } };
  const recordedBy = (upstream: string | undefined, request: unknown): Fixture => ({
    fixture: 1,
    origin: "recorded",
    recorded: { date: "2026-01-31", recorder: "test" },
    replay: { volatile: ["/messages/0/content", "/tools"] },
    exchanges: [{ ...exchange(request), ...(upstream !== undefined && { upstream }) }],
  });
  const answer = (played: Fixture, sent: unknown, upstream?: string) =>
    answerOf(new Tape(played, { name: "f.json" }), ask(sent, { headers, ...(upstream !== undefined && { upstream }) }));

  test.each([undefined, "or"])(
    "that the recorded request broke is none of the server that took it (%s) [REPLAY-18]",
    (upstream) => {
      expect(answer(recordedBy(upstream, body), body, upstream)).toBe("ok");
      expect(answer(recordedBy(upstream, JSON.stringify(body)), body, upstream)).toBe("ok");
    },
  );

  test("that the recorded request kept is one [REPLAY-18]", () => {
    const other = { ...body, tools: [{ type: "function", function: { name: "no blanks here" } }] };
    expect(answer(recordedBy("or", body), other, "or")).toBe(400);
  });

  test("is one of a crafted fixture, whatever that says [REPLAY-18]", () => {
    expect(answer({ ...fixture([exchange(body)]) }, body)).toBe(400);
  });
});

test("a request that comes too early is told which exchange it agrees with", () => {
  const tape = tapeOf([...two, exchange({ n: 3 })]);
  tape.take(ask({ n: 3 }));
  expect(tape.verdict.problems[0]?.message).toMatch(/It agrees with exchange 3.*--order any/);
});

describe("a fault", () => {
  const fault = (text: string) => faultOf(text) as Fault;

  test("takes no exchange, so that who asks again is answered", () => {
    const faults = [fault("429@1"), fault("reset@2"), fault("cut@3")];
    const tape = tapeOf([exchange({ n: 1 })], { faults });
    expect([1, 2, 3, 4].map(() => answerOf(tape, ask({ n: 1 })))).toEqual([429, "reset", "ok", "ok"]);
    expect(tape.verdict).toMatchObject({ passed: true, used: 1, requests: 4 });
  });

  test.each(["429", "429@0", "200@1", "delay@1", "delay=x@1", "burn@1", ""])("%j is refused in words", (text) => {
    expect(faultOf(text)).toMatch(/^expected a fault such as/);
  });
});
