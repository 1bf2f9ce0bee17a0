// A check that remembers earlier requests finds what a new check finds, and checks only what is new.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProviderName } from "../codec.ts";
import { createCheck } from "./conversation-check.ts";
import { codecs } from "../codecs.ts";
import type { RuleBook } from "./rules.ts";

type Entry = unknown;

/** What conversations are made of: pieces that keep the rules in any place, entries that mostly do not, and other fields. */
interface Material {
  field: "messages" | "input" | "contents";
  /** With what every conversation begins. */
  first?: Entry;
  pieces: ((id: string) => Entry[])[];
  strays: (id: string) => Entry[];
  beside: Record<string, unknown>[];
}

/** The id of a call with which every conversation begins. */
const early = "call_a";
const schema = { type: "object", properties: { city: { type: "string" } } };
const half = "\ud800";

const materials: Record<ProviderName, Material> = {
  gemini: {
    field: "contents",
    first: { role: "user", parts: [{ text: "Hi." }] },
    pieces: [
      () => [{ role: "user", parts: [{ text: "Hi." }] }],
      () => [
        { role: "user", parts: [{ text: "Hi." }] },
        { role: "model", parts: [{ text: "Hello." }] },
      ],
      (id) => [
        { role: "user", parts: [{ text: "Look." }] },
        { role: "model", parts: [geminiCall(`${id}a`, "c2ln"), geminiCall(`${id}b`)] },
        { role: "user", parts: [geminiResponse(`${id}a`), geminiResponse(`${id}b`)] },
      ],
    ],
    strays: (id) => [
      { role: "user", parts: [geminiResponse(`${id}a`)] },
      { role: "model", parts: [geminiCall(`${id}a`)] },
      { role: "model", parts: [] },
      { role: "user", parts: [{ text: half }] },
      { role: "user", parts: [{ text: "Hi.", extra: 1 }] },
      half,
      null,
    ],
    beside: [
      { model: "m", tools: [{ functionDeclarations: [{ name: "get_weather", parametersJsonSchema: schema }] }] },
      { model: "m", stream: true },
    ],
  },
  "openai-chat": {
    field: "messages",
    pieces: [
      () => [{ role: "user", content: "Hi." }],
      () => [{ role: "assistant", content: "Hello." }],
      () => [{ role: "system", content: "Be short." }],
      (id) => [
        { role: "assistant", content: null, tool_calls: [chatCall(`${id}a`), chatCall(`${id}b`)] },
        { role: "tool", tool_call_id: `${id}a`, content: "1" },
        { role: "tool", tool_call_id: `${id}b`, content: "2" },
      ],
    ],
    strays: (id) => [
      { role: "tool", tool_call_id: `${id}a`, content: "1" },
      { role: "tool", tool_call_id: early, content: "again" },
      { role: "assistant", content: null, tool_calls: [chatCall(`${id}a`)] },
      { role: "assistant", content: null },
      { role: "user", content: half },
      { role: "user", content: [{ type: "audio" }], extra: 1 },
      half,
      null,
    ],
    beside: [
      { model: "gpt-4.1", tools: [{ type: "function", function: { name: "get_weather", parameters: schema } }] },
      { model: "gpt-4.1", stream: true },
    ],
  },
  "anthropic-messages": {
    field: "messages",
    pieces: [
      () => [{ role: "user", content: "Hi." }],
      () => [{ role: "assistant", content: [{ type: "text", text: "Hello." }] }],
      () => [
        { role: "user", content: "Hi." },
        { role: "system", content: "Be short." },
      ],
      () => [{ role: "assistant", content: "" }],
      (id) => [
        { role: "assistant", content: [thought, claudeCall(`${id}a`), claudeCall(`${id}b`)] },
        { role: "user", content: [claudeResult(`${id}a`), claudeResult(`${id}b`), { type: "text", text: "Well?" }] },
      ],
    ],
    strays: (id) => [
      { role: "user", content: [claudeResult(`${id}a`)] },
      { role: "user", content: [claudeResult(early)] },
      { role: "assistant", content: [claudeCall(`${id}a`)] },
      { role: "assistant", content: [claudeCall(early)] },
      { role: "assistant", content: [{ type: "text", text: "Hm " }, thought] },
      { role: "system", content: "Be short." },
      { role: "user", content: [marked, marked, marked] },
      { role: "user", content: half },
      half,
      null,
    ],
    beside: [
      { model: "claude-opus-5", max_tokens: 4000, thinking: { type: "adaptive" } },
      { model: "claude-sonnet-4-5", max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 1024 } },
    ],
  },
  "openai-responses": {
    field: "input",
    pieces: [
      () => [{ role: "user", content: "Hi." }],
      () => [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] }],
      (id) => [reasoning(`${id}a`), reasoning(`${id}b`), { type: "message", role: "assistant", content: [] }],
      (id) => [
        reasoning(id),
        functionCall(`${id}a`),
        functionCall(`${id}b`),
        { type: "function_call_output", call_id: `${id}b`, output: "2" },
        { type: "function_call_output", call_id: `${id}a`, output: "1" },
      ],
    ],
    strays: (id) => [
      { type: "function_call_output", call_id: `${id}a`, output: "1" },
      { type: "function_call_output", call_id: early, output: "again" },
      { type: "custom_tool_call_output", call_id: early, output: "again" },
      functionCall(`${id}a`),
      functionCall(early),
      reasoning(id),
      reasoning("call_"),
      { role: "user", content: half },
      { type: "unheard_of" },
      half,
      null,
    ],
    beside: [
      { model: "gpt-5", store: false },
      { model: "gpt-5", tools: [{ type: "function", name: "get_weather", parameters: schema }] },
    ],
  },
};

const marked = { type: "text", text: "Hi.", cache_control: { type: "ephemeral" } };
const thought = { type: "thinking", thinking: "Hm.", signature: "c2VhbA==" };

function chatCall(id: string): Entry {
  return { id, type: "function", function: { name: "get_weather", arguments: "{}" } };
}

function claudeCall(id: string): Entry {
  return { type: "tool_use", id, name: "get_weather", input: {} };
}

function claudeResult(id: string): Entry {
  return { type: "tool_result", tool_use_id: id, content: "1" };
}

function functionCall(id: string): Entry {
  return { type: "function_call", call_id: id, name: "get_weather", arguments: "{}" };
}

function reasoning(id: string): Entry {
  return { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: "c2VhbA==" };
}

/** Where an entry is put: at the end, or after so many others. */
const place = fc.oneof(fc.constant(Infinity), fc.nat(40));

/** One step: which earlier request it extends, counted from the last, and how it changes it. */
const step = fc.record({
  back: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
  beside: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  act: fc.oneof(
    { weight: 8, arbitrary: fc.record({ add: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ stray: fc.nat(11), at: place, replaces: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ cut: fc.nat(12) }) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const hello: Entry = { role: "user", content: "Hi." };

/** The requests of several conversations, each of which extends or changes an earlier one. */
function requestsOf(
  { field, first = hello, pieces, strays, beside }: Material,
  steps: readonly Step[],
): Record<string, unknown>[] {
  const conversations: Entry[][] = [[first, ...pieces.at(-1)!("call_")]];
  const requests: Record<string, unknown>[] = [];
  for (const [number, { back, beside: other, act }] of steps.entries()) {
    const entries = [...conversations.at(-1 - (back % conversations.length))!];
    if ("add" in act)
      entries.push(...act.add.flatMap((piece, at) => pieces[piece % pieces.length]!(`call_${number}_${at}`)));
    else if ("cut" in act) entries.length = Math.min(entries.length, act.cut);
    else {
      const all = strays(`call_${number}`);
      entries.splice(act.at, act.replaces ? 1 : 0, all[act.stray % all.length]);
    }
    conversations.push(entries);
    requests.push({ ...beside[other], [field]: structuredClone(entries) });
  }
  return requests;
}

const headers = {
  "content-type": "application/json",
  "anthropic-version": "2023-06-01",
  "x-api-key": "key",
  authorization: "Bearer key",
};

describe.each(Object.keys(materials) as ProviderName[])("%s", (provider) => {
  const codec = codecs[provider];
  const material = materials[provider];

  test("finds in requests of any conversations what is found in each alone", () => {
    let clean = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const check = codec.createCheck();
        for (const body of requestsOf(material, steps)) {
          const alone = codec.checkRequest(body, headers);
          expect(check(body, headers)).toEqual(alone);
          if (alone.length === 0) clean += 1;
        }
      }),
      { numRuns: 150, seed: 7 },
    );
    // Only a request that breaks no rule can be extended.
    expect(clean).toBeGreaterThan(150);
  });

  test("bears any JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 4 }), (values) => {
        const check = codec.createCheck();
        for (const value of values.flatMap((one) => [one, { ...material.beside[0], [material.field]: one }]))
          expect(check(value, headers)).toEqual(codec.checkRequest(value, headers));
      }),
      { numRuns: 50, seed: 7 },
    );
  });
});

describe("what is looked at", () => {
  /** A rule of each kind, which records what it is given. */
  function watched() {
    const seen: string[] = [];
    const rule = { statement: "", requirement: "PROVIDER-26", docs: "", status: 400, code: "" };
    const look = (who: string, words: readonly string[]) => {
      seen.push(`${who}: ${words.join(" ")}`);
      return words.includes("wrong") ? [{ message: "wrong" }] : [];
    };
    const book: RuleBook<{ words: string[] }> = {
      rules: [
        { ...rule, id: "here", check: ({ words }) => look("here", words) },
        { ...rule, id: "back", looksBack: true, check: ({ words }) => look("back", words) },
      ],
      open: (body) => ({ words: (body as { input: { word: string }[] }).input.map(({ word }) => word) }),
      conversation: "input",
      mayBegin: ({ word }) => word !== "then",
      from: ({ words }, at) => ({ words: words.slice(at) }),
      errorBody: () => ({}),
    };
    const check = createCheck(book);
    const ask = (sentence: string, beside = {}) => {
      seen.length = 0;
      check({ input: sentence.split(" ").map((word) => ({ word })), ...beside }, {});
      return seen;
    };
    return ask;
  }

  test("is the rest of a request that goes on, from the last place at which it may be cut", () => {
    const ask = watched();
    expect(ask("a b then c then")).toEqual(["here: a b then c then", "back: a b then c then"]);
    expect(ask("a b then c then d")).toEqual(["here: c then d", "back: a b then c then d"]);
    expect(ask("a b then X d")).toEqual(["here: b then X d", "back: a b then X d"]);
  });

  test("is all of a request that goes on from a broken one, or has something else beside", () => {
    const ask = watched();
    ask("a b wrong");
    expect(ask("a b wrong c")[0]).toBe("here: a b wrong c");
    ask("a b c");
    expect(ask("a b c d", { model: "other" })[0]).toBe("here: a b c d");
  });

  test("is what is new in each of several conversations, but not in more than are kept", () => {
    const ask = watched();
    for (let number = 1; number <= 8; number += 1) ask(`a${number} b`);
    expect(ask("a1 b c")[0]).toBe("here: b c");
    expect(ask("a8 b c")[0]).toBe("here: b c");
    ask("a9 b");
    expect(ask("a2 b c")[0]).toBe("here: a2 b c");
  });
});

function geminiCall(id: string, thoughtSignature?: string): Entry {
  return { functionCall: { id, name: "get_weather", args: {} }, ...(thoughtSignature && { thoughtSignature }) };
}

function geminiResponse(id: string): Entry {
  return { functionResponse: { id, name: "get_weather", response: { output: "1" } } };
}
