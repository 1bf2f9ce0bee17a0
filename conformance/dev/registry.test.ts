// Every page of the registry says what a reader of its name needs.

import { expect, it } from "vitest";
import { entryMistakes, readEntries, registryTable } from "./registry.ts";

it("has only whole pages", () => {
  expect(readEntries().flatMap(entryMistakes)).toEqual([]);
});

const text = `# org.acme.thinking_pause

The model rests, and goes on when it is asked again.

## Owner

Acme, names@acme.org.

## Form

\`"stop_reason": "org.acme.thinking_pause"\`

## A reader that does not know it

Takes it as \`other\`.

## Written by

acme-loop, since 2.0.

## State

active
`;
const entry = { kind: "stop-reason", name: "org.acme.thinking_pause", text };

it("takes a whole page, and lists it with what it means", () => {
  expect(entryMistakes(entry)).toEqual([]);
  expect(registryTable([entry])).toContain(
    "| [`org.acme.thinking_pause`](stop-reason/org.acme.thinking_pause.md) | stop-reason | The model rests",
  );
});

it.each([
  ["an unknown kind", { ...entry, kind: "mood" }, "no kind is called mood"],
  [
    "a name without a dot",
    { ...entry, name: "paused", text: text.replace("# org.acme.thinking_pause", "# paused") },
    "is no name with a dot",
  ],
  ["another title", { ...entry, text: text.replace("# org", "# net") }, "not the name"],
  ["a page without a meaning", { ...entry, text: text.replace("The model rests, and", "and") }, "what the name means"],
  ["a page without an owner", { ...entry, text: text.replace("## Owner", "") }, "expected Owner, Form"],
  [
    "an entry that ended without a word",
    { ...entry, text: text.replace("\nactive", "\nended") },
    'its state is "ended"',
  ],
])("refuses %s", (_, wrong, message) => {
  expect(entryMistakes(wrong)).toEqual([expect.stringContaining(message)]);
});

it("refuses a name that is for examples", () => {
  const name = "com.example.paused";
  const found = entryMistakes({ ...entry, name, text: text.replace("org.acme.thinking_pause", name) });
  expect(found).toEqual([expect.stringContaining("never entered")]);
});
