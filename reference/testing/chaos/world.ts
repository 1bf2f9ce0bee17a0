// The agent that chaos is made of: twelve turns, overlapping calls, tools that must not run twice, one approval. Every start and every
// end of what it does is noted in one file, which all processes append to.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import type { InvokeModel } from "../../core/ports.ts";
import type { RunSetup } from "../../run/setup.ts";
import type { DefinedTool } from "../../tools/define-tool.ts";
import type { Message, PendingCall } from "../../../schemas/types.ts";

export const TURNS = 12;

/** How long things take, in milliseconds. */
export interface Pace {
  model: number;
  slow: number;
  quick: number;
}

export interface Note {
  at: number;
  pid: number;
  kind: "up" | "start" | "end" | "pending" | "done" | "left";
  run: string;
  /** A call, or what there is to say. */
  what: string;
  pending?: PendingCall[];
}

/** One file of notes; an append of a line is one write. */
export function notesIn(file: string) {
  return {
    add(kind: Note["kind"], run: string, what: string, more: Partial<Note> = {}): void {
      const note: Note = { at: performance.timeOrigin + performance.now(), pid: process.pid, kind, run, what, ...more };
      appendFileSync(file, `${JSON.stringify(note)}\n`);
    },
    read(): Note[] {
      const text = existsSync(file) ? readFileSync(file, "utf8") : "";
      return text
        .slice(0, text.lastIndexOf("\n") + 1)
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Note);
    },
  };
}

/** When a process died, or stood still from then on, by its id. */
export type Blows = Map<number, number>;

export type Notes = Pick<ReturnType<typeof notesIn>, "add">;

/** Tools of which a second start would be a second effect. */
export const isOnlyOnce = (call: string): boolean => /^(charge|deploy)_/.test(call);

/** The setup of a run: all that it does depends on its session alone. */
export function setupOf(
  run: string,
  { model, slow, quick }: Pace,
  notes: Notes,
  wait: (ms: number) => Promise<unknown> = sleep,
): RunSetup {
  const invokeModel: InvokeModel = async ({ messages }) => {
    const last = messages.findLast((message) => message.type === "tool_call");
    const turn = last ? Number(/\d+/.exec(String(last.id))) + 1 : 1;
    await wait(model);
    if (turn === TURNS) return { messages: [{ role: "assistant", content: "Done." }], stop_reason: "end_turn" };
    const call = (name: string): Message => ({ type: "tool_call", id: `${name}_${turn}`, name, input: { turn } });
    return { messages: namesIn(turn).map(call), stop_reason: "tool_use" };
  };
  const tool = (name: string, ms: number): DefinedTool => ({
    name,
    input_schema: { type: "object" },
    annotations: { idempotent: !isOnlyOnce(`${name}_`), concurrent: true },
    async execute(_input, { call }) {
      notes.add("start", run, call.id);
      await wait(ms);
      notes.add("end", run, call.id);
      return `${name} has done ${call.id}`;
    },
  });
  return {
    provider: { name: "scripted", invokeModel },
    tools: [tool("lookup", slow), tool("peek", slow / 3), tool("charge", quick), tool("deploy", quick)],
    options: {
      permissions: { mode: "bypass", rules: [{ effect: "ask", match: "deploy" }] },
      scheduling: "parallel",
    },
  };
}

function namesIn(turn: number): string[] {
  if (turn === 6) return ["deploy"];
  if (turn % 3 === 0) return ["charge"];
  return turn % 3 === 2 ? ["charge", "lookup"] : ["lookup", "peek"];
}
