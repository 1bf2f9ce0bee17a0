// A driver that replays the recorded answers of another one, whatever it receives: all answers of one seed.

import { DriverProcess } from "../driver/process.ts";
import type { DriverCommand, DriverEnd, OpenDriver } from "../driver/types.ts";

/** What was said, in order. */
export type Tape = { by: "kit" | "driver"; line: string }[];

type Call = { id?: number; method?: string; params?: { run?: string } };

/** What begins a conversation; the parrot finds its place in the tape by it. */
const beginnings = ["initialize", "run", "shutdown"];

/** A driver of which everything is written down. */
export function recordDialogue(command: DriverCommand, tape: Tape): OpenDriver {
  return (listener) => {
    const driver = new DriverProcess(command, {
      line: (line) => {
        tape.push({ by: "driver", line });
        listener.line(line);
      },
      unreadable: (why, line) => listener.unreadable(why, line),
      exit: (exit) => listener.exit(exit),
    });
    const write = (line: string) => {
      tape.push({ by: "kit", line });
      driver.write(line);
    };
    const { pid } = driver;
    return { pid, stderr: "", silence: "", write, stop: () => driver.stop(), kill: () => driver.kill() };
  };
}

/** The parrot. After each line of the kit it says what was said after the line that stood in its place. */
export function parrot(tape: Tape): OpenDriver {
  return (listener) => {
    let at = -1;
    /** How far the ids of the kit's requests are from those on the tape. */
    let shift = 0;
    const follow = (line: string): string[] => {
      const call = JSON.parse(line) as Call;
      at = beginnings.includes(call.method ?? "") ? tape.findIndex((entry) => isSame(entry, call)) : at + 1;
      if (call.method !== undefined && call.id !== undefined) shift = call.id - idAt(tape[at]);
      const replies: string[] = [];
      while (tape[at + 1]?.by === "driver") replies.push(withId(tape[++at]!.line, shift));
      return replies;
    };
    const end = async () => void listener.exit({ code: 0, signal: null, halfLine: "" });
    const driver: DriverEnd = {
      pid: undefined,
      stderr: "",
      silence: "",
      write(line) {
        const replies = follow(line);
        setImmediate(() => replies.forEach((one) => listener.line(one)));
      },
      stop: end,
      kill: end,
    };
    return driver;
  };
}

function isSame({ by, line }: Tape[number], { method, params }: Call): boolean {
  // Most lines are about something else, and long.
  if (by !== "kit" || !line.includes(`"method":"${method}"`)) return false;
  return (JSON.parse(line) as Call).params?.run === params?.run;
}

function idAt(entry: Tape[number] | undefined): number {
  return entry === undefined ? 0 : ((JSON.parse(entry.line) as Call).id ?? 0);
}

/** An answer with the id of what is answered now; anything else as it was. */
function withId(line: string, shift: number): string {
  const message = JSON.parse(line) as Call;
  return message.method === undefined ? JSON.stringify({ ...message, id: message.id! + shift }) : line;
}
