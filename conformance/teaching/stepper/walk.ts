// Walks through transitions in a terminal: one on the screen at a time, and keys that go on and back.

import { emitKeypressEvents } from "node:readline";
import type { Readable } from "node:stream";

/** Where keys come from. */
export interface Keyboard extends Readable {
  setRawMode?(isRaw: boolean): unknown;
}

/** What is drawn on. */
export interface Screen {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
  on?(event: "resize", listener: () => void): unknown;
  off?(event: "resize", listener: () => void): unknown;
}

interface Key {
  name?: string;
  sequence?: string;
  ctrl?: boolean;
}

const keysLine = "→ next  ← back  ↓ ↑ scroll  Home first  End last  q quit";
const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";
const clear = "\u001b[H\u001b[2J";

/**
 * Shows the first of `count` screens, and others as the person at the keyboard goes. Ends with q, Escape, Ctrl-C, or when the
 * keyboard is gone; the terminal is then as it was.
 * @param linesOf the lines of a screen, counted from 0, for so many columns
 */
export async function walk(
  count: number,
  linesOf: (at: number, columns: number) => string[],
  keyboard: Keyboard,
  screen: Screen,
): Promise<void> {
  const view = new View(count, linesOf, screen);
  const quit = Promise.withResolvers<void>();
  const onKey = (_: string | undefined, key: Key) => {
    if (isQuit(key)) quit.resolve();
    else view.press(key.name ?? key.sequence ?? "");
  };
  const redraw = () => view.draw();
  emitKeypressEvents(keyboard);
  keyboard.on("keypress", onKey).once("end", quit.resolve);
  keyboard.setRawMode?.(true);
  keyboard.resume();
  screen.on?.("resize", redraw);
  screen.write(enter);
  try {
    view.draw();
    await quit.promise;
  } finally {
    screen.write(leave);
    screen.off?.("resize", redraw);
    keyboard.off("keypress", onKey).off("end", quit.resolve);
    keyboard.setRawMode?.(false);
    keyboard.pause();
  }
}

/** What is on the screen. */
class View {
  readonly #count: number;
  readonly #linesOf: (at: number, columns: number) => string[];
  readonly #screen: Screen;
  #at = 0;
  /** How many lines are above the screen. */
  #above = 0;

  constructor(count: number, linesOf: (at: number, columns: number) => string[], screen: Screen) {
    this.#count = count;
    this.#linesOf = linesOf;
    this.#screen = screen;
  }

  press(name: string): void {
    switch (name) {
      case "right":
      case "space":
      case "n":
        return this.#go(this.#at + 1);
      case "left":
      case "backspace":
      case "p":
        return this.#go(this.#at - 1);
      case "home":
        return this.#go(0);
      case "end":
        return this.#go(this.#count - 1);
      case "down":
        this.#above += 1;
        return this.draw();
      case "up":
        this.#above -= 1;
        return this.draw();
    }
  }

  draw(): void {
    const { columns = 80, rows = 24 } = this.#screen;
    const lines = this.#linesOf(this.#at, columns);
    const room = Math.max(1, rows - 2);
    this.#above = Math.max(0, Math.min(this.#above, lines.length - room));
    const shown = lines.slice(this.#above, this.#above + room);
    const below = lines.length - this.#above - shown.length;
    const more = below > 0 ? `${keysLine}  (${below} lines below)` : keysLine;
    const blank = Array.from({ length: room - shown.length }, () => "");
    this.#screen.write(`${clear}${[...shown, ...blank, "", more.slice(0, columns)].join("\r\n")}`);
  }

  #go(at: number): void {
    this.#at = Math.max(0, Math.min(at, this.#count - 1));
    this.#above = 0;
    this.draw();
  }
}

function isQuit({ name, ctrl }: Key): boolean {
  return name === "q" || name === "escape" || (ctrl === true && name === "c");
}
