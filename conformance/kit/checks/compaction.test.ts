// What the kit lets pass as a compaction, and which sentence it names where it does not.

import { describe, expect, it } from "vitest";
import type { LoopEvent, Message, Session, ToolResultMessage } from "../../../schemas/types.ts";
import { checkChanges } from "./events.ts";
import { checkCompacted, goesOn, isShortened, type Compaction } from "./compaction.ts";
import { rebuildSession } from "../observed/session-from-events.ts";

const long = "A long text. ".repeat(30);
const user: Message = { role: "user", content: "Go." };
const thought: Message = { type: "thinking", content: long };
const signed: Message = { type: "thinking", content: long, opaque: { provider: "p", model: "m", signature: "s" } };
const call = (id: string, input: Record<string, unknown> = { text: long }): Message => ({
  type: "tool_call",
  id,
  name: "save",
  input,
});
const result = (id: string, output = "saved"): Message => ({ type: "tool_result", id, output });
const error: Message = { type: "tool_result", id: "e", output: "disk full", is_error: true };
const short = (id: string): Message =>
  ({ ...call(id, { _compacted: true, preview: "{" }), compacted: true }) as Message;
const summary: Message = { role: "user", content: "It was saved.", synthetic: true, compacted: true };

const whole: Message[] = [
  user,
  thought,
  signed,
  call("a"),
  result("a"),
  call("e"),
  error,
  call("z"),
  result("z", long),
];
const tail = whole.slice(-2);
const shortens: Compaction = { failed: new Set(["e"]), hasMarks: true, onlyShortens: true, maxChars: 300 };
const summarizes: Compaction = { ...shortens, onlyShortens: false };

const broken = (messages: Message[], known = summarizes) =>
  checkCompacted(whole, messages, "the session", known)[0]?.requirement;

describe("a compaction", () => {
  it.each<[string, Message[], Compaction]>([
    ["leaves everything as it is", whole, shortens],
    [
      "shortens what it may",
      [
        user,
        { ...thought, content: long.slice(0, 200), compacted: true } as Message,
        signed,
        short("a"),
        ...whole.slice(4),
      ],
      shortens,
    ],
    ["puts a summary in front of an error", [user, summary, call("e"), error, ...tail], summarizes],
    [
      "shortens a large result of the last response",
      [...whole.slice(0, -1), { ...result("z", "Much."), compacted: true } as Message],
      shortens,
    ],
  ])("that %s passes", (_, messages, known) => expect(broken(messages, known)).toBeUndefined());

  it.each<[string, string, Message[], Compaction?]>([
    ["COMPACT-5", "loses the task", [summary, ...tail]],
    ["COMPACT-5", "puts the task in other words", [{ ...user, content: "Go!" }, ...whole.slice(1)]],
    ["COMPACT-6", "shortens the last response", [...whole.slice(0, -2), short("z"), whole.at(-1)!]],
    ["COMPACT-6", "loses the last response", [user, summary]],
    ["COMPACT-8", "edits a signed thought", [user, { ...signed, content: "A long" } as Message, ...whole.slice(3)]],
    ["COMPACT-9", "loses an error", [user, summary, ...tail]],
    ["COMPACT-9", "shortens an error", [...whole.slice(0, 6), { ...error, output: "disk" } as Message, ...tail]],
    ["COMPACT-10", "cuts arguments off", [...whole.slice(0, 3), call("a", { text: "A lo" }), ...whole.slice(4)]],
    [
      "COMPACT-11",
      "does not mark a call",
      [...whole.slice(0, 3), call("a", { _compacted: true, preview: "{" }), ...whole.slice(4)],
    ],
    [
      "COMPACT-11",
      "does not mark a summary",
      [user, { role: "user", content: "It was saved." }, call("e"), error, ...tail],
    ],
    ["COMPACT-13", "leaves a message out", [...whole.slice(0, 1), ...whole.slice(2)], shortens],
    [
      "COMPACT-18",
      "shortens a result that is small",
      [...whole.slice(0, 4), { ...result("a", "s"), compacted: true } as Message, ...whole.slice(5)],
    ],
    ["LOOP-1", "makes up what the model said", [user, { role: "assistant", content: "I did." }, ...whole.slice(1)]],
  ])("%s: that %s does not", (requirement, _, messages, known) => expect(broken(messages, known)).toBe(requirement));
});

describe("requests", () => {
  it("go on from one another where nothing was replaced", () => {
    expect(goesOn(whole.slice(0, 5), whole)).toBe(true);
    expect(
      goesOn(
        [user],
        [
          {
            role: "user",
            content: [
              { type: "text", text: "Go." },
              { type: "text", text: "On." },
            ],
          },
        ],
      ),
    ).toBe(true);
    expect(goesOn(whole, [user, summary, ...tail])).toBe(false);
  });
});

describe("rebuilding a session", () => {
  it("puts what a compaction says in place of what it replaced [COMPACT-21]", () => {
    const session: Session = { spec_version: "1.0", id: "s", messages: whole };
    const sizes = { turn: 1, seq: 1, strategy: "own", before_tokens: 2, after_tokens: 1 };
    const events: LoopEvent[] = [
      { type: "compaction", ...sizes, from: 1, to: 5, messages: [summary] },
      { type: "message", seq: 2, turn: 2, message: { role: "assistant", content: "Done." } },
    ];
    const { messages } = rebuildSession(session, events);
    expect(messages).toEqual([user, summary, call("e"), error, ...tail, { role: "assistant", content: "Done." }]);
    expect(session.messages).toHaveLength(whole.length);
  });
});

describe("what is sent", () => {
  const breached = (...requests: Message[][]) =>
    checkChanges({
      requests: requests.map((messages) => ({ messages, tools: [] })),
      events: [],
      filled: { case: { given: { options: { compaction: { max_result_chars: 300 } } } } },
    } as unknown as Parameters<typeof checkChanges>[0]).map(({ requirement }) => requirement);
  const system = (content: string): Message => ({ role: "system", content });

  it("is sent again, under whatever instructions [COMPACT-21]", () => {
    expect(breached([system("one"), user], [system("two"), user, ...tail])).toEqual([]);
    expect(breached([user], [system("two"), user, ...tail])).toEqual([]);
  });

  it("does not change without an event [COMPACT-21]", () => {
    expect(breached([system("one"), user, ...tail], [system("one"), user])).toEqual(["COMPACT-21"]);
    expect(breached([system("one"), user, ...tail], [system("two"), user, call("z"), result("z")])).toEqual([
      "COMPACT-21",
    ]);
  });
});

describe("a result with the next message", () => {
  const seen = (compaction?: object) =>
    ({ filled: { case: { given: { options: { ...(compaction && { compaction }) } } } } }) as never;
  const large = result("z", long) as ToolResultMessage;
  const left = (output: string) => result("z", output) as ToolResultMessage;
  it.each<[string, object | undefined, ToolResultMessage, ToolResultMessage, boolean]>([
    ["may be shortened where it was too large", { max_result_chars: 300 }, large, left("Much."), true],
    ["may not be too large after it", { max_result_chars: 300 }, large, left(`${long}.`), false],
    ["may not be another one that is not too large", { max_result_chars: 300 }, left("saved"), left("lost"), false],
    ["may not be shortened unasked", undefined, large, left("Much."), false],
  ])("%s [SESSION-27]", (_, compaction, whole, actual, expected) => {
    expect(isShortened(whole, actual, seen(compaction))).toBe(expected);
  });
});
