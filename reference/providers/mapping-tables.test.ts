// The chapters on the providers say what the adapters do: their examples and their tables of words.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as anthropic from "./anthropic-messages/index.ts";
import { providerError } from "./shared/http-error.ts";
import * as openai from "./openai-chat/index.ts";
import * as responses from "./openai-responses/index.ts";
import type { Message } from "../../schemas/types.ts";

const chapters = [
  ["anthropic-messages", anthropic, "stop_reason"],
  ["openai-chat", openai, "finish_reason"],
  ["openai-responses", responses, "reason"],
] as const;

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../spec/loop/providers", `${name}.md`), "utf8");
}

function fenced(chapter: string, kind: string): unknown {
  const block = chapter.split(`\`\`\`json ${kind}\n`)[1]?.split("```")[0];
  return JSON.parse(block ?? "null");
}

/** A whole answer that stops with this word, in the form of every provider. */
function answer(word: string) {
  const statuses = ["completed", "failed", "queued", "in_progress", "cancelled"];
  const incomplete = { status: "incomplete", incomplete_details: { reason: word } };
  return {
    content: [],
    stop_reason: word,
    choices: [{ message: {}, finish_reason: word }],
    output: [],
    ...(statuses.includes(word) ? { status: word } : incomplete),
  };
}

/** The rows of the table that has this in its head, without head and rule, each as its cells. */
function rows(chapter: string, head: string): string[][] {
  const lines = chapter.split("\n");
  const from = lines.findIndex((line) => line.startsWith("|") && line.includes(head)) + 2;
  const length = lines.slice(from).findIndex((line) => !line.startsWith("|"));
  return lines.slice(from, from + length).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const words = (cell: string | undefined) => [...(cell ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

describe.each(chapters)("the chapter on %s", (name, adapter, field) => {
  const chapter = read(name);

  test("shows the request that is sent for its messages", () => {
    const messages = fenced(chapter, "Message[]") as Message[];
    const wire = fenced(chapter, "Wire") as { model: string };
    expect(adapter.renderRequest({ messages, tools: [] }, { model: wire.model, transport: "json" }).body).toEqual(wire);
  });

  test("maps stop reasons as they are mapped", () => {
    const known = rows(chapter, `\`${field}\``).filter(([, generic]) => words(generic).length === 1);
    expect(known.length).toBeGreaterThan(4);
    for (const [wire, generic] of known) {
      for (const word of words(wire).filter((cell) => cell !== "[DONE]")) {
        expect([word, adapter.parseResponse(answer(word), "m").stop_reason]).toEqual([word, words(generic)[0]]);
      }
    }
  });

  // The loop takes what it does not know for another reason, too: here the adapter is asked alone.
  test.each(["constructor", "toString", "__proto__"])(
    "maps the word %s, which names a property of objects, to another reason",
    (word) => {
      expect(adapter.parseResponse(answer(word), "m").stop_reason).toBe("other");
    },
  );

  test("maps errors as they are mapped", () => {
    for (const [statuses, said, kind] of rows(chapter, "| kind |")) {
      const expected = words(kind)[0];
      const numbers = [...(statuses ?? "").matchAll(/\d{3}/g)].map(([digits]) => Number(digits));
      for (const status of numbers)
        expect([status, providerError(name, { status, body: "" }).kind]).toEqual([status, expected]);
      for (const type of words(said)) {
        expect([type, providerError(name, { body: { error: { type } } }).kind]).toEqual([type, expected]);
      }
    }
  });
});
