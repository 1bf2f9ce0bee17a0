// That a fixture which cannot be played is refused when it is read, by whoever reads it: before a program runs or a port is open.

import { mkdtempSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Fixture } from "../../schemas/types.ts";
import { maxLevels } from "../kit/base/nesting.ts";
import { InProcessTape, openTape, replay as replayInTest } from "../traffic/in-process/index.ts";
import { FixtureError } from "../traffic/fixture/fixture-file.ts";
import { TapeServer } from "../traffic/replay/tape-server.ts";
import { replay } from "./replay.ts";
import { serve } from "./serve.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-unplayable-"));
const file = join(folder, "f.json");
const started = join(folder, "started");
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that leaves a trace. */
const program = [process.execPath, "-e", `require("node:fs").writeFileSync(${JSON.stringify(started)}, "")`];

const fixtureOf = (response: unknown): Fixture => ({
  fixture: 1,
  origin: "crafted",
  why: "to be refused",
  exchanges: [
    { provider: "openai-chat", request: null, response: response as Fixture["exchanges"][number]["response"] },
  ],
});

let deep: unknown = "the end";
for (let level = 0; level <= maxLevels + 10; level += 1) deep = [deep];

/** What no server can send, and the place that the refusal names. */
const unplayable: [what: string, response: unknown, place: RegExp][] = [
  ["a line break in a header", { status: 200, headers: { "x-a": "b\r\nc: d" }, body: {} }, /response\/headers/],
  ["a zero in a header", { status: 200, headers: { "x-a": "b\0" }, body: {} }, /response\/headers/],
  ["a header with white space in its name", { status: 200, headers: { "x a": "b" }, body: {} }, /response\/headers/],
  ["a status of four digits", { status: 2000, body: {} }, /response\/status/],
  ["a status that ends nothing", { status: 101, body: {} }, /response\/status/],
  ["a status that is a text", { status: "200", body: {} }, /response\/status/],
  ["an answer without a body", { status: 200 }, /exchanges\/0\/response/],
  ["an answer with two bodies", { status: 200, body: {}, text: "" }, /exchanges\/0\/response/],
  ["a write that is none", { status: 200, writes: [null] }, /response\/writes/],
  ["no answer", null, /exchanges\/0\/response/],
  ["an answer without an end of its levels", { status: 200, body: deep }, /nested deeper than/],
];

/** Everybody who plays a fixture of a file. */
const readers: Record<string, () => Promise<unknown>> = {
  replay: () => replay(file, program, { timing: "fast", rules: true }),
  "replay --update": () => replay(file, program, { timing: "fast", rules: true, update: true }),
  serve: () => serve([file], { port: 0, timing: "fast", rules: true }),
  "replay of a test": () => replayInTest(file),
};

/** Everybody who plays a fixture that is handed over as a value. */
const holders: Record<string, (fixture: Fixture) => unknown> = {
  openTape: (fixture) => openTape(fixture),
  InProcessTape: (fixture) => new InProcessTape(fixture, {}),
};

const opened = vi.spyOn(TapeServer, "start");
beforeEach(() => opened.mockClear());

describe.each(unplayable)("a fixture with %s", (_, response, place) => {
  test.each(Object.keys(readers))("is refused by %s, with its place, before anything is started", async (name) => {
    writeFileSync(file, JSON.stringify(fixtureOf(response)));
    const refusal = await readers[name]!().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(refusal).toBeInstanceOf(FixtureError);
    expect((refusal as Error).message).toMatch(file);
    expect((refusal as Error).message).toMatch(place);
    expect([opened.mock.calls, existsSync(started)]).toEqual([[], false]);
  });

  test.each(Object.keys(holders))("is refused by %s, with its place", (name) => {
    const hold = () => holders[name]!(fixtureOf(response));
    expect(hold).toThrow(FixtureError);
    expect(hold).toThrow(place);
  });
});
