// The walk, with keys as a terminal sends them: it goes on and back, scrolls, and leaves the terminal as it was.

import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { walk } from "./walk.ts";

const right = "\u001b[C";
const left = "\u001b[D";
const down = "\u001b[B";
const home = "\u001b[H";
const end = "\u001b[F";

/** A walk of four screens, each as long as said, and what is on the screen after the keys. */
async function walked(
  keys: readonly string[],
  length = 1,
): Promise<{ shown: string; written: string; raw: boolean[] }> {
  const raw: boolean[] = [];
  const keyboard = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => raw.push(isRaw) });
  let written = "";
  let shown = "";
  const screen = {
    rows: 5,
    columns: 40,
    write: (text: string) => {
      written += text;
      if (text.includes("\u001b[2J")) shown = text.split("\u001b[2J")[1]!;
    },
  };
  const linesOf = (at: number) => Array.from({ length }, (_, line) => `screen ${at} line ${line}`);
  const walking = walk(4, linesOf, keyboard, screen);
  for (const key of keys) {
    keyboard.write(key);
    await setImmediate();
  }
  keyboard.write("q");
  await walking;
  expect(keyboard.listenerCount("keypress")).toBe(0);
  return { shown, written, raw };
}

describe("a walk", () => {
  it.each([
    [[], "screen 0"],
    [[right], "screen 1"],
    [[" ", "n"], "screen 2"],
    [[right, right, left], "screen 1"],
    [[right, "p"], "screen 0"],
    [[left], "screen 0"],
    [[end], "screen 3"],
    [[end, right], "screen 3"],
    [[end, home], "screen 0"],
  ])("after %j is at %s", async (keys, place) => {
    expect((await walked(keys)).shown).toContain(`${place} line 0`);
  });

  it("scrolls what is longer than the screen, not beyond its end, and begins each screen at its top", async () => {
    const scrolled = await walked([down, down], 6);
    expect(scrolled.shown).toMatch(/^screen 0 line 2\r\n/);
    expect(
      (
        await walked(
          Array.from({ length: 9 }, () => down),
          6,
        )
      ).shown,
    ).toMatch(/^screen 0 line 3\r\n/);
    expect((await walked([down, right], 6)).shown).toMatch(/^screen 1 line 0\r\n/);
  });

  it("leaves the terminal as it was", async () => {
    const { written, raw } = await walked([right]);
    expect(raw).toEqual([true, false]);
    expect([written.startsWith("\u001b[?1049h"), written.endsWith("\u001b[?1049l")]).toEqual([true, true]);
  });

  it.each([["\u0003"], ["\u001b\u001b"]])("ends with %j too", async (key) => {
    const keyboard = new PassThrough();
    const walking = walk(1, () => [""], keyboard, { write: () => true });
    keyboard.write(key);
    await walking;
  });

  it("ends when the keyboard is gone", async () => {
    const keyboard = new PassThrough();
    const walking = walk(1, () => [""], keyboard, { write: () => true });
    keyboard.end();
    await walking;
  });
});
