// Which shorter forms of what a model said a loop of level wire may send back, and what has to be in each of them.

import { describe, expect, it } from "vitest";
import { match } from "../base/matcher.ts";
import { inTakenForm } from "./taken-forms.ts";

const annotations = [{ type: "url_citation", url: "https://example.com/" }];
const text = { type: "output_text", text: "I look.", annotations };
const message = { type: "message", id: "msg_1", role: "assistant", phase: "commentary", content: [text] };
const call = { type: "function_call", id: "fc_1", call_id: "call_a", name: "look", arguments: "{}" };
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" };
const cited = { type: "text", text: "I look.", citations: [{ cited_text: "one" }, { cited_text: "two" }] };

/** What is wrong with an item that was sent for another. */
function differences(expected: object, received: object): string[] {
  const context = { bindings: new Map<string, string>(), policies: {} };
  return match(inTakenForm([expected], [received]), [received], context, "").map(({ path }) => path);
}

function without(item: object, ...names: string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

describe("a form that the API takes", () => {
  it.each<[string, expected: object, received: object]>([
    ["a message as it was", message, message],
    ["a message in short", message, { ...without(message, "type", "id"), content: "I look." }],
    ["a message without its sources", message, { ...message, content: [without(text, "annotations")] }],
    ["a call without the id of its item", call, without(call, "id")],
    ["a text without its citations", cited, { ...cited, citations: [] }],
    [
      "an output in other words",
      { role: "tool", content: "a hill" },
      { role: "tool", content: '{"result": "a hill"}' },
    ],
  ])("is %s", (_, expected, received) => {
    expect(differences(expected, received)).toEqual([]);
  });
});

describe("a form that loses something", () => {
  it.each<[string, expected: object, received: object, path: string]>([
    ["reasoning without its seal", reasoning, without(reasoning, "encrypted_content"), "/0/encrypted_content"],
    ["reasoning without its id", reasoning, without(reasoning, "id"), "/0/id"],
    ["a message without its phase", message, without(message, "phase"), "/0/phase"],
    ["a message that says something else", message, { ...message, content: "I look" }, "/0/content"],
    ["a message with another id", message, { ...message, id: "msg_2" }, "/0/id"],
    [
      "a message with other sources",
      message,
      { ...message, content: [{ ...text, annotations: [{}] }] },
      "/0/content/0",
    ],
    ["a call without what ties its result to it", call, without(call, "call_id"), "/0/call_id"],
    ["a call under another id", call, { ...call, id: "fc_2" }, "/0/id"],
    ["a text with one citation of two", cited, { ...cited, citations: [{ cited_text: "two" }] }, "/0/citations"],
    ["an output that is gone", { role: "tool", content: "a hill" }, { role: "tool", content: "" }, "/0/content"],
  ])("is %s", (_, expected, received, path) => {
    expect(differences(expected, received)[0]).toMatch(new RegExp(`^${path}`));
  });
});
