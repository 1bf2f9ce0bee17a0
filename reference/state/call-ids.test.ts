// Ids: the first call keeps its id, later ones get the lowest free number, missing ones are made; streams say the same.

import { withUniqueIds } from "./call-ids.ts";
import { describe, expect, it } from "vitest";

import type { InvokeModel, ModelCall } from "../core/ports.ts";
import type { Message } from "../../schemas/types.ts";

const call = (id: string): Message => ({ type: "tool_call", id, name: "t", input: {} });

function model(...responses: string[][]): InvokeModel {
  return async (_, { onStream }) => {
    const messages = responses.shift()!.map(call);
    messages.forEach((message, index) => onStream({ type: "message_start", index, message }));
    onStream({ type: "message_delta", index: 0, delta: "{}" });
    messages.forEach((message, index) => onStream({ type: "message_end", index, message }));
    return { messages, stop_reason: "tool_use" };
  };
}

async function idsOf(invokeModel: InvokeModel) {
  const streamed: string[] = [];
  const warnings: string[] = [];
  const texts: string[] = [];
  const listening: ModelCall = {
    signal: new AbortController().signal,
    onStream: (event) => event.type !== "message_delta" && "id" in event.message && streamed.push(event.message.id),
    warn: (code, message) => {
      warnings.push(code);
      texts.push(message);
    },
  };
  const { messages } = await invokeModel({ messages: [], tools: [] }, listening);
  const ids = messages.map((message) => "id" in message && message.id);
  expect(streamed).toEqual([...ids, ...ids]);
  return { ids, warnings, texts };
}

describe("withUniqueIds", () => {
  it("keeps ids that nobody else has", async () => {
    const { ids, warnings } = await idsOf(withUniqueIds(model(["a", "b"]), [], () => "new"));
    expect([ids, warnings]).toEqual([["a", "b"], []]);
  });

  it("numbers duplicates within a response, past those that are taken", async () => {
    const { ids, warnings } = await idsOf(withUniqueIds(model(["a", "a_2", "a", "a"]), [], () => "new"));
    expect(ids).toEqual(["a", "a_2", "a_3", "a_4"]);
    expect(warnings).toEqual(["duplicate_id_renamed", "duplicate_id_renamed"]);
  });

  it("knows the ids of the session and of earlier responses", async () => {
    const invokeModel = withUniqueIds(model(["a"], ["a"]), [call("a")], () => "new");
    expect((await idsOf(invokeModel)).ids).toEqual(["a_2"]);
    expect((await idsOf(invokeModel)).ids).toEqual(["a_3"]);
  });

  it("makes ids for calls that came without, and asks again for one that is taken", async () => {
    const made = ["a", "x", "y"];
    const { ids, warnings } = await idsOf(withUniqueIds(model(["a", "", ""]), [], () => made.shift()!));
    expect(ids).toEqual(["a", "x", "y"]);
    expect(warnings).toEqual(["missing_id_generated", "missing_id_generated"]);
  });

  it("says which call has which id now", async () => {
    const { texts } = await idsOf(withUniqueIds(model(["a", "a", ""]), [], () => "x"));
    expect(texts).toEqual([
      "The id a was taken; this call is now a_2.",
      "A call of t came without an id; it is now x.",
    ]);
  });
});
