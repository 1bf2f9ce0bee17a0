// Plays the example of spec/loop/state.md with every driver of this repository: what one writes is what the chapter shows, and what the chapter shows is resumed.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findDriver } from "../kit/driver/command.ts";
import { DriverSession } from "../kit/driver/session.ts";
import type { Playable } from "../kit/driver/session.ts";
import { matchData } from "../kit/base/matcher.ts";
import { validate } from "../kit/base/validate.ts";
import { snapshotEntries } from "../traffic/read/snapshot-entries.ts";
import type { ModelRequest, ResumeDecision, RunParams, RunResponse, RunResult, Snapshot } from "../../schemas/types.ts";
import { drivers, whyNot } from "./conformance.ts";
import { fencedBlocks } from "./fenced-blocks.ts";
import { root } from "./schema-files.ts";

const blocks = fencedBlocks("spec/loop/state.md", readFileSync(join(root, "spec/loop/state.md"), "utf8"));
/** What the chapter has of a kind, as it stands there. */
const shown = (info: string): string => blocks.find((block) => block.info === info)!.text;
const start = JSON.parse(shown("json RunParams")) as RunParams;
const snapshot = JSON.parse(shown("json Snapshot")) as Snapshot;
const decision = JSON.parse(shown("ndjson ResumeDecision")) as ResumeDecision;
const result = JSON.parse(shown("json RunResult")) as RunResult;

const needed = ["permissions", "approval"];
const usage = (input_tokens: number, output_tokens: number) => {
  return { ...snapshot.steps[0]!.usage, input_tokens, output_tokens };
};
const answers = [
  { messages: snapshot.session.messages.slice(1), stop_reason: "tool_use", model: "m1", usage: usage(20, 10) },
  { messages: [{ role: "assistant", content: "Sent." }], stop_reason: "end_turn", model: "m1", usage: usage(40, 5) },
];

/** What a run asked for, and what came of it. */
interface Played {
  requests: ModelRequest[];
  executed: unknown[];
  answer: RunResponse;
}

/** Plays the example from one request of the kit to its answer. */
async function play(session: DriverSession, method: "run" | "resume", params: object, left: object[]): Promise<Played> {
  const played: Pick<Played, "requests" | "executed"> = { requests: [], executed: [] };
  const run = `${method}-of-the-example`;
  let answer: unknown;
  const playable: Playable = {
    play: async () => void (answer = await session.connection.request(method, { ...params, run })),
    request: (asked, given, reply) => {
      if (asked === "model/invoke") {
        played.requests.push((given as { request: ModelRequest }).request);
        return reply.result(left.shift());
      }
      played.executed.push((given as { call: unknown }).call);
      reply.result({ output: "Done." });
    },
    notification: () => undefined,
    onActivity: () => undefined,
  };
  await session.play(run, playable, { idleMs: 30_000, totalMs: 60_000 });
  return { ...played, answer: answer as RunResponse };
}

describe("the example of spec/loop/state.md", () => {
  it("has the hash of the bytes that it shows", () => {
    const bytes = Buffer.from(shown("text bytes").replaceAll(/\s/g, ""), "hex");
    expect(bytes.toString("utf8")).toBe('["c2","send",{"to":"Ann"}]');
    const hash = createHash("sha256").update(bytes).digest("hex");
    expect(decision).toMatchObject({ input_hash: hash });
    expect(snapshot.decisions[1]).toMatchObject({ input_hash: hash });
  });

  describe.each(drivers.filter((name) => whyNot(name) === undefined))("with the driver %s", (name) => {
    const begin = () => {
      const listener = { lateMessage: (_: string, error: Error) => expect.unreachable(error.message) };
      return DriverSession.start(findDriver(name).command, 60_000, listener);
    };

    it("can be read, by a validator and by a person, where the second call is left to the caller", async () => {
      const [look, send] = start.agents["main"]!.tools!;
      const agents = { main: { name: "main", tools: [look!, { ...send!, external: true as const }] } };
      const session = await begin();
      const { answer } = await play(session, "run", { ...start, agents, options: {} }, answers.slice(0, 1));
      await session.stop();
      const written = answer.result!.snapshot!;
      expect(validate("Snapshot", written)).toEqual([]);
      const words = snapshotEntries(written).map(({ text }) => text);
      expect(words).toEqual(expect.arrayContaining(['send {"to":"Ann"}', "waits for its result"]));
      expect(words).toContain("look [c1] is executed, if it is permitted by then");
    });

    it("is what it writes, and what it resumes", async (test) => {
      const session = await begin();
      try {
        const features = session.handshake.features ?? [];
        if (!needed.every((feature) => features.includes(feature))) return test.skip("it has no approval");
        const first = await play(session, "run", start, answers.slice(0, 1));
        const written = first.answer.result!.snapshot!;
        expect(validate("Snapshot", written)).toEqual([]);
        expect(first.executed).toEqual([]);
        expect(matchData(withoutOutcomes(snapshot), withoutOutcomes(written))).toEqual([]);
        expect(written.options).toEqual(snapshot.options);

        const { agents, model, clock } = start;
        const params = { snapshot, decisions: [decision], agents, model, clock, clock_ms: 86_400_000 };
        const then = await play(session, "resume", params, answers.slice(1));
        expect(then.executed).toMatchObject([
          { id: "c1", name: "look", input: { at: "the oven" } },
          { id: "c2", name: "send", input: { to: "Ann" } },
        ]);
        const { messages } = snapshot.session;
        const results = ["c1", "c2"].map((id) => ({ type: "tool_result", id, output: "Done.", outcome: "ok" }));
        expect(matchData([...messages, ...results], then.requests.at(-1)!.messages)).toEqual([]);
        expect(matchData(result, then.answer.result)).toEqual([]);
        expect(then.answer.session).toMatchObject({ "com.acme.ticket": 4711 });
      } finally {
        await session.stop();
      }
    });
  });
});

/** What stands in `outcomes` before the batch is done is read by nobody. */
function withoutOutcomes({ steps, ...rest }: Snapshot): object {
  return { ...rest, steps: steps.map(({ outcomes: _, ...step }) => step) };
}
