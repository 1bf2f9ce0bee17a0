// Everything that has a name explains itself; a name with several meanings has each, and a wrong name finds the right one.

import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../../kit/testing/shared-suite.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import type { Sources } from "./kind.ts";
import { kinds, meaningsOf, otherKinds, unknownName } from "./index.ts";
import { requirementTables } from "./requirement-tables.ts";
import { tableOf } from "./spec-tables.ts";
import { vocabularies, wordsOf } from "./vocabularies.ts";
import { placesOf } from "./where.ts";

const sources = { suite: await sharedSuite() };
const textOf = (id: string, from: Sources = sources) =>
  meaningsOf(id, from)
    .flatMap(({ lines }) => lines)
    .join("\n");

describe.each([...kinds, ...otherKinds].map((kind) => [kind.called, kind] as const))("every name of %s", (_, kind) => {
  test("is explained, with a sentence", () => {
    const names = [...kind.names(sources)];
    expect(names.length).toBeGreaterThan(0);
    const silent = names.filter((name) => {
      const lines = [...kind.explain(name, sources)];
      const explanation = lines.join("\n").slice(name.length);
      return !lines[0]!.startsWith(name) || !/\w+ \w+/.test(explanation) || /( {2}|: )undefined$/m.test(explanation);
    });
    expect(silent).toEqual([]);
  });
});

test("the tables of the spec explain every word of the lists that they are for", () => {
  const missing = vocabularies.flatMap((vocabulary) => {
    if (vocabulary.table === undefined) return [];
    const table = tableOf(...vocabulary.table);
    return wordsOf(vocabulary).filter((word) => !table.has(word));
  });
  // The schema says of it that it stands only in events.
  expect(missing).toEqual(["suspended"]);
});

describe("a name", () => {
  test("with several meanings has each of them under a heading", () => {
    const found = meaningsOf("cancelled", sources);
    expect(found.map(({ called }) => called)).toEqual(["a status of a run", "an outcome of a tool call"]);
    const [status, outcome] = found.map(({ lines }) => lines.join("\n"));
    expect(status).toContain("CANCEL-1");
    expect(status).not.toContain("CANCEL-6");
    expect(outcome).toContain("CANCEL-6");
    expect(outcome).not.toContain("CANCEL-1 ");
  });

  test("is found whatever its case and its dashes, a case by its file and its check too", () => {
    expect(textOf("loop-9")).toBe(textOf("LOOP-9"));
    expect(textOf("tool-start")).toBe(textOf("tool_start"));
    expect(textOf("tool call")).toMatch(/^tool call, a term {2}/m);
    const path = "tools/unknown-tool";
    for (const id of [`conformance/cases/${path}.yaml`, `${path}#TOOL-9`]) expect(textOf(id)).toBe(textOf(path));
  });

  test("that only a field of the schemas has is explained as one", () => {
    expect(textOf("raw_input")).toMatch(/^raw_input, a field\n {2}Of:\n {4}.*ToolCallMessage {2}/ms);
  });

  test("that nothing has is answered with the nearest", () => {
    expect(unknownName("LOOP-999", sources)).toMatch(/LOOP-999 is the name of no .*do you mean LOOP-9/);
    expect(unknownName("canceled", sources)).toMatch(/do you mean cancelled/);
    expect(unknownName("zzzzzzzzzzzz", sources)).toMatch(/see what there is with: .* list requirements/);
  });
});

describe("a sentence that is not whole without a table", () => {
  const speaking = /\b(tables?|closed list|(?<!in a )rows?)\b/;
  const all = [...sources.suite.catalogue.requirements.values()];
  const found = all.filter(({ text }) => speaking.test(text));
  test.each(found.map(({ id }) => id))("%s is followed by it", (id) => {
    expect(textOf(id)).toMatch(/^\S+ {2}.*\n {2}\S+\.md:\d+\n\n {2}.*\n {2}-+( {2}-+)+\n {2}\S/);
  });
  test("has the one that follows it, the one above it, or those of other chapters", () => {
    expect(found.length).toBeGreaterThan(10);
    expect(textOf("CHAT-19")).toMatch(/^ {2}`content_filter` {2,}`content_filter`$/m);
    expect(textOf("PERMISSION-1")).toMatch(/^ {2}3 {2}the mode is `bypass` +executed$/m);
    expect(textOf("RESPONSES-16")).toMatch(/^ {2}`function_call` {2,}`tool_call` with the `call_id`/m);
    for (const head of ["`stop_reason`", "`finish_reason`", "`status` or `reason`"])
      expect(textOf("PROVIDER-16")).toMatch(new RegExp(`^ {2}${head} +generic$`, "m"));
    expect(textOf("PROVIDER-21")).toMatch(/^ {2}`rate_limit` {2}/m);
  });
  test("is known by its words: no other requirement has a table, but those that one follows", () => {
    const others = all.filter(({ text }) => !speaking.test(text));
    const having = others.filter((requirement) => requirementTables(requirement, "").length > 0);
    expect(having.map(({ id }) => id)).toEqual(["SESSION-8", "ANTHROPIC-33", "ANTHROPIC-19", "CHAT-20"]);
  });
});

describe("an explanation", () => {
  test("of a chapter has its sentences and its tables", () => {
    const text = textOf("openai-chat");
    const own = [...sources.suite.catalogue.requirements.values()].filter(({ id }) => id.startsWith("CHAT-"));
    for (const { id, text: sentence } of own) expect(text).toContain(`\n    ${id}  ${sentence}\n`);
    expect(text).toMatch(/CHAT-19 .*\n\n {6}`finish_reason` +generic\n/);
    expect(text).not.toMatch(/\n\n\n|\n$/);
  });

  test("that is cut says how to have it whole, and is whole then", () => {
    for (const id of ["SUBAGENT-1", "warning", "openai-chat"]) {
      const cut = textOf(id);
      const whole = textOf(id, { ...sources, isFull: true });
      const [, more] = /… and (\d+) (?:\w+ )?more, see --full$/m.exec(cut) ?? [];
      expect(Number(more)).toBeGreaterThan(0);
      expect(whole).not.toContain("--full");
      expect(whole.split("\n").length).toBeGreaterThanOrEqual(cut.split("\n").length + Number(more) - 1);
    }
  });

  test("of a name that the glossary and the schemas have has both meanings", () => {
    const called = meaningsOf("Snapshot", sources).map((meaning) => meaning.called);
    expect(called).toEqual(["a term", "a type"]);
    expect(textOf("Snapshot")).toMatch(/^ {4}session \(Session\) {2}The session so far\.$/m);
  });

  test.each(["warning", "WarningEvent", "WarningCode"])("of %s lists the warnings with what they mean", (name) => {
    expect(textOf(name)).toMatch(/^ {4}setting_dropped {2}a setting was left out of a request/m);
  });

  test("of a type says of each field what it is, and what it is where it is absent", () => {
    const options = textOf("RunOptions");
    expect(options).toMatch(/^ {4}max_turns \(integer or null, default 20\) {2}How many turns/m);
    expect(options).toMatch(/^ {4}scheduling \("barrier" or .*, default "barrier"\) {2}/m);
    expect(options).toMatch(/^ {4}prices \(PriceTable, optional\) {2}/m);
    expect(textOf("Step")).toMatch(/^ {4}outcomes \(list of Outcome\) {2}/m);
    expect(textOf("agent-loop.json")).toMatch(/^Manifest, a type {2}[^]*^ {4}build \(list of string, optional\) {2}/m);
  });

  test("of a type that is one of several has these, and their fields where they are few", () => {
    expect(textOf("ModelAccess")).toMatch(/^ {4}WireModel {2}[^]*^ {6}base_url \(string\) {2}/m);
    const events = textOf("LoopEvent");
    expect(events).toMatch(/^LoopEvent, a type {2}.*\n {2}One of:\n {4}RunStartEvent {2}/);
    expect(events).not.toContain("session_id");
  });

  test("of a profile has what it requires, and the command that says whether it is kept", () => {
    expect(textOf("core")).toMatch(
      /^core, a profile {2}requires every case of an essential or core requirement that needs no feature.*\n.* --profile core$/,
    );
  });

  test("of a message of the driver protocol has who sends it, what stands in it, and what is answered", () => {
    const text = textOf("model/invoke");
    expect(text).toMatch(/^model\/invoke, a request of the driver {2}the loop calls the model/);
    expect(text).toMatch(/^ {2}Parameters, ModelInvokeParams:\n {4}run \(string\) {2}/m);
    expect(text).toMatch(/^ {2}Result: ModelResponse\n {2}Data of an error, ModelErrorData:\n/m);
    expect(text).toContain("DRIVER-8  A driver MUST");
    expect(textOf("shutdown")).toMatch(
      /^shutdown, a request of the kit {2}the last request\.\n {2}Parameters: an empty/m,
    );
  });

  test("of a requirement has an example, the real bugs, and where the reference keeps it", () => {
    const text = textOf("LOOP-9");
    expect(text).toMatch(/For example, stop\/.*:\n {4}model:\n/);
    expect(text).toContain("length-truncated-tool-call-executed  Arguments that the token limit cut off");
    expect(text).toMatch(/In the reference:\n {4}\S*reference\/core\/stop-table\.ts:\d+ {2}stopTable/);
  });

  test("of a bug has what keeps it out, and where it was seen", () => {
    const text = textOf("length-truncated-tool-call-executed");
    expect(text).toMatch(/What keeps it out:\n {4}LOOP-9 {2}/);
    expect(text).toMatch(/Seen at:\n {4}https:/);
  });

  test("of an event has its place, its fields and one that looks like it", () => {
    const text = textOf("tool_end");
    expect(text).toContain("  stands: last in its `tool`");
    expect(text).toContain("    outcome (Outcome)  ");
    expect(text).not.toContain("    seq ");
    expect(text).toMatch(/For example: \{"type":"tool_end"/);
  });
});

test("every place of the index is a declaration of a file that is there", () => {
  const names = sources.suite.catalogue.requirements.keys();
  const places = [...names].flatMap(placesOf);
  expect(places.length).toBeGreaterThan(400);
  const wrong = places.filter((place) => {
    const [, path, line] = /^(.+?):(\d+) {2}\w+$/.exec(place) ?? [];
    return line === undefined || !existsSync(packagePath(path!));
  });
  expect(wrong).toEqual([]);
});
