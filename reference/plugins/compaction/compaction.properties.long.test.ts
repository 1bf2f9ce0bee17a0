// Whatever the session: what a compaction leaves is valid, has everything that must stay, and is taken by all three providers.

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isWhole } from "../../../conformance/dev/whole.ts";
import { isType } from "../../core/session.ts";
import { checkSession } from "../../state/check-session.ts";
import { refusedBy } from "../../testing/provider-rules.ts";
import { randomSession } from "../../testing/random-session.ts";
import type { Message, Session } from "../../../schemas/types.ts";
import { brokenIn, replaced } from "./check-replacement.ts";
import { tokensIn } from "./estimate-tokens.ts";
import { isError, startOfLast } from "./responses.ts";
import { shortenResults } from "./shorten-results.ts";
import type { CompactionStrategy, CompactionTask } from "./strategy.ts";
import { summarize } from "./summarize.ts";
import { truncateOld } from "./truncate-old.ts";

const tools = [{ name: "work", input_schema: { type: "object" as const } }];
const RUNS = { numRuns: isWhole ? 300 : 100, seed: 7 };

function task({ messages }: Session, keep: number): CompactionTask {
  const keepFrom = startOfLast(messages, keep);
  const ask = async () => "A summary.";
  return { messages, keepFrom, tokens: 2, atTokens: 1, options: {}, ask, signal: new AbortController().signal };
}

/** The session after a strategy, which must not break it. */
async function compacted(session: Session, strategy: CompactionStrategy, keep: number): Promise<Session> {
  const replacement = await strategy.compact(task(session, keep));
  if (!replacement) return session;
  const done = replaced(session, replacement);
  if ("broken" in done) throw new Error(done.broken);
  return done.session;
}

function withShortResults(session: Session): Session {
  let now = session;
  for (const replacement of shortenResults(session.messages, { max_result_chars: 250 })) {
    const done = replaced(now, replacement);
    if ("broken" in done) throw new Error(done.broken);
    now = done.session;
  }
  return now;
}

const ways: Record<string, (session: Session, keep: number) => Promise<Session>> = {
  truncate_old: (session, keep) => compacted(session, truncateOld, keep),
  summarize: (session, keep) => compacted(session, summarize, keep),
  shorten_results: async (session) => withShortResults(session),
  "all of them": async (session, keep) =>
    compacted(await compacted(withShortResults(session), truncateOld, keep), summarize, keep),
};

const sealed = ({ messages }: Session) =>
  messages.filter((message) => /"(signature|encrypted_content)":/.test(JSON.stringify(message)));

describe.each(Object.entries(ways))("%s", (_, compact) => {
  const holds = (name: string, property: (before: Session, after: Session, keep: number) => void | Promise<void>) =>
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(randomSession, fc.integer({ min: 1, max: 3 }), async (session, keep) => {
          const before = structuredClone(session);
          const after = await compact(session, keep);
          expect(session).toEqual(before); // nothing is changed in place
          await property(session, after, keep);
        }),
        RUNS,
      );
    });

  holds("keeps pairing, order, ids and an ending that a run can go on from", (_before, after) => {
    expect(checkSession(after, { toStart: true })).toEqual([]);
  });
  holds("keeps the first user message and the system messages", (before, after) => {
    const first = ({ messages }: Session) => messages.find(({ role }) => role === "user");
    const system = ({ messages }: Session) => messages.filter(({ role }) => role === "system");
    expect(first(after)).toEqual(first(before));
    expect(system(after)).toEqual(system(before));
  });
  holds("keeps errors", (before, after) => {
    expect(after.messages.filter(isError)).toEqual(before.messages.filter(isError));
  });
  holds("edits no signed thinking, and invents none", (before, after) => {
    const known = sealed(before).map((message) => JSON.stringify(message));
    for (const message of sealed(after)) expect(known).toContain(JSON.stringify(message));
  });
  holds("keeps the last response, and what follows it, but for large results", (before, after) => {
    const tail = before.messages.slice(startOfLast(before.messages, 1));
    const now = after.messages.slice(-tail.length);
    const withoutResults = (messages: Message[]) => messages.filter((message) => !isType(message, "tool_result"));
    expect(withoutResults(now)).toEqual(withoutResults(tail));
  });
  holds("keeps arguments an object, or as broken as they were", (before, after) => {
    const calls = ({ messages }: Session) => messages.filter((message) => isType(message, "tool_call"));
    const inputs = new Map(calls(before).map(({ id, input }) => [id, input]));
    for (const { id, input } of calls(after))
      if (!input || !("_compacted" in input)) expect(input).toEqual(inputs.get(id));
  });
  holds("cuts no letter in half", (_before, after) => {
    expect(JSON.stringify(after)).not.toMatch(/\\ud[89a-f]/);
  });
  holds("does the same thing only once", async (_before, after, keep) => {
    expect(await compact(after, keep)).toEqual(after);
  });
  holds("never makes a session larger than by a summary", (before, after) => {
    expect(tokensIn(after.messages)).toBeLessThanOrEqual(tokensIn(before.messages) + 20);
  });
  it("is taken by the three providers", async () => {
    await fc.assert(
      fc.asyncProperty(randomSession, fc.integer({ min: 1, max: 3 }), async (session, keep) => {
        if (refusedBy(session, tools).length > 0) return;
        expect(refusedBy(await compact(session, keep), tools)).toEqual([]);
      }),
      { ...RUNS, numRuns: isWhole ? 100 : 50 },
    );
  });
});

describe("the check", () => {
  it("lets every session stand as it is", () => {
    fc.assert(
      fc.property(randomSession, ({ messages }) => {
        expect(brokenIn(messages, messages)).toBeUndefined();
      }),
      RUNS,
    );
  });
});
