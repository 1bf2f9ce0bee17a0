// The verdict of the chaos test sees every fault that it is there for.

import { beforeAll, expect, it } from "vitest";

import { initSession } from "../../core/session.ts";
import { agentLoop, resume } from "../../run/run.ts";
import type { Snapshot, ToolResultMessage } from "../../../schemas/types.ts";
import { isFaultless, verdictOn } from "./verdict.ts";
import { setupOf, type Note } from "./world.ts";

const none = { died: new Map<number, number>(), frozen: new Map<number, number>() };
let done: Snapshot;
let notes: Note[];

beforeAll(async () => {
  notes = [];
  const add = (kind: Note["kind"], run: string, what: string) =>
    void notes.push({ at: notes.length, pid: 1, kind, run, what });
  const setup = setupOf("a", { model: 0, slow: 0, quick: 0 }, { add });
  const first = await agentLoop({ ...setup, session: initSession({ id: "a", user: "Begin." }) }).result;
  const decisions = first.pending!.map(({ id, input_hash }) => ({
    id,
    action: "approve" as const,
    input_hash: input_hash!,
  }));
  const run = resume({ ...setup, snapshot: first.snapshot!, decisions });
  done = {
    ...first.snapshot!,
    phase: "done",
    session: await run.session,
    ending: { status: (await run.result).status },
  };
});

/** What is found if the run or the notes are other ones. */
async function verdict(snapshot: Snapshot | undefined, noted: Note[] = notes, blows = none) {
  return verdictOn([{ run: "a", ...(snapshot && { snapshot }) }], noted, blows);
}

/** The session with another result for a call. */
function withResult(call: string, change: Partial<ToolResultMessage>): Snapshot {
  const messages = done.session.messages.map((one) =>
    one.type === "tool_result" && one.id === call ? { ...one, ...change } : one,
  );
  return { ...done, session: { ...done.session, messages } };
}

const interrupted = { outcome: "interrupted", is_error: true, output: "Nobody knows." } as const;
const isEnd = (what: string) => (note: Note) => note.kind === "end" && note.what === what;

it("finds nothing in a run that nobody disturbed", async () => {
  const found = await verdict(done);
  expect(found).toMatchObject({ runs: 1, interrupted: 0, handovers: 0 });
  expect(isFaultless(found)).toBe(true);
});

it("counts what is reported as interrupted, and takes no offence", async () => {
  const found = await verdict(
    withResult("charge_3", interrupted),
    notes.filter((note) => !isEnd("charge_3")(note)),
    {
      ...none,
      died: new Map([[1, 1e9]]),
    },
  );
  expect(found.interrupted).toBe(1);
  expect(isFaultless(found)).toBe(true);
});

it.each<
  [fault: string, list: "lost" | "twice" | "unreported" | "changed" | "atOnce", found: () => ReturnType<typeof verdict>]
>([
  ["a run that has not begun", "lost", () => verdict(undefined)],
  ["a run that has not ended", "lost", () => verdict({ ...done, phase: "suspended" })],
  ["a run that ended with an error", "lost", () => verdict({ ...done, ending: { status: "error" } })],
  [
    "a payment made twice",
    "twice",
    () => verdict(done, [...notes, { at: 99, pid: 1, kind: "start", run: "a", what: "charge_3" }]),
  ],
  [
    "an interruption that is not reported",
    "unreported",
    () =>
      verdict(
        done,
        notes.filter((one) => !isEnd("charge_3")(one)),
      ),
  ],
  [
    "a call that is done in the session, and nowhere else",
    "unreported",
    () =>
      verdict(
        done,
        notes.filter(({ what }) => what !== "charge_3"),
      ),
  ],
  ["another result", "changed", () => verdict(withResult("lookup_1", { output: "something else" }))],
  [
    "a lost message",
    "changed",
    () => verdict({ ...done, session: { ...done.session, messages: done.session.messages.slice(0, -1) } }),
  ],
  [
    "two processes at once",
    "atOnce",
    () =>
      verdict(done, [
        ...notes,
        { at: 0.5, pid: 2, kind: "start", run: "a", what: "peek_1" },
        { at: 0.6, pid: 2, kind: "end", run: "a", what: "peek_1" },
      ]),
  ],
])("finds %s", async (_, list, found) => {
  expect((await found())[list]).toHaveLength(1);
});
