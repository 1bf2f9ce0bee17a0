// Shows that a relay hands every run over after each turn, and is red for a loop that does not keep what another wrote.

import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type {
  Case,
  InitializeResult,
  Message,
  RunResponse,
  Session,
  Snapshot,
  VariantResult,
} from "../../../schemas/types.ts";
import { mannerOf, relayable } from "./cases.ts";
import { RelayCoverage } from "./coverage.ts";
import { relayOf } from "./relay.ts";
import { runSuite } from "../run/runner.ts";
import type { TestedDriver } from "../run/types.ts";
import { inProcess } from "../driver/in-process.ts";
import { loadSuite } from "../suite/suite.ts";
import { journalledLoop } from "../testing/journalled-loop.ts";
import type { JournalFault } from "../testing/journalled-loop.ts";
import { relayedLoop } from "../testing/relayed-loops.ts";
import { suspendingLoop } from "../testing/suspending-loop.ts";
import { smallSuite } from "../testing/zoo.ts";
import { exitCodeOf } from "../run/verdicts.ts";

const source: Case = {
  title: "Three turns",
  since: "1.0",
  requires: ["LOOP-1"],
  given: {
    messages: [{ role: "user", content: "Count." }],
    tools: [{ name: "count", input_schema: { type: "object" } }],
    handlers: { count: { output: "one more" } },
  },
  model: [
    {
      respond: [{ thinking: "One.", signature: "c2lnbmVk" }, { tool_call: { id: "$a", name: "count", input: {} } }],
      usage: {
        input_tokens: 3,
        output_tokens: null,
        cache_read_tokens: null,
        cache_write_tokens: null,
        reasoning_tokens: null,
      },
    },
    { respond: [{ tool_call: { id: "$b", name: "count", input: { by: 2 } } }] },
    { text: "Done." },
  ],
  expect: { status: "completed", tools: [{ id: "$a" }, { id: "$b" }] },
};

const file = fileURLToPath(new URL("../testing/cases/culprit.yaml", import.meta.url));
const fakeDriver = fileURLToPath(new URL("../testing/fake-driver.ts", import.meta.url));

/** What becomes of the case in a relay. */
async function relayed(first: TestedDriver, second: TestedDriver, played: Case = source): Promise<VariantResult> {
  const suite = await smallSuite();
  const only = { ...suite, cases: [{ ...suite.cases[0]!, id: "three-turns", file, case: played }] };
  const select = { providers: ["generic"] };
  const { report } = await runSuite({ ...relayOf(first, second), suite: only, select, timeoutMs: 3000 });
  expect(report.driver).toBe(`${first.name} ⇄ ${second.name}`);
  const [result] = report.variants;
  // A breach is red whichever requirement the case is about.
  const isRed = result!.verdict !== "pass" || (result!.failures ?? []).length > 0;
  expect(exitCodeOf({ report })).toBe(!isRed ? 0 : report.start_error ? 3 : 1);
  return result!;
}

const messagesOf = ({ failures = [] }: VariantResult) =>
  failures.map(({ requirement, message }) => `${requirement} ${message}`);

/** A session that was read in another way than it was written. */
const reading = (change: (message: Message) => Message | Message[]) => (session: Session) => ({
  ...session,
  messages: session.messages.flatMap(change),
});
const without = (field: string) => (message: Message) =>
  Object.fromEntries(Object.entries(message).filter(([key]) => key !== field)) as unknown as Message;

/** An answer with the session written in another way. */
const changed =
  (write: (session: Session) => Session) =>
  (answer: RunResponse): RunResponse => ({ ...answer, session: write(answer.session!) });
const renumbered = reading((message) => ("id" in message ? { ...message, id: `x_${String(message.id)}` } : message));
const reversedResults = ({ messages, ...rest }: Session): Session => {
  const results = messages.filter(({ type }) => type === "tool_result").toReversed();
  return {
    ...rest,
    messages: messages.map((message) => (message.type === "tool_result" ? results.shift()! : message)),
  };
};
const otherUsage = ({ session, result }: RunResponse): RunResponse => ({
  session: session!,
  result: { ...result!, usage: { ...result!.usage, input_tokens: 7 } },
});

describe("a relay", () => {
  it("plays a run in legs of one turn, one after the other by each driver, and passes where nothing is lost [KIT-19]", async () => {
    const sessions: Session[] = [];
    const noting = (name: string) =>
      relayedLoop(name, {
        read: (session) => {
          sessions.push({ ...session, metadata: { reader: name } });
          return session;
        },
      });
    const result = await relayed(noting("a"), noting("b"));
    expect(messagesOf(result)).toEqual([]);
    expect(result.verdict).toBe("pass");
    expect(sessions.map(({ metadata, messages }) => [metadata?.["reader"], messages.length])).toEqual([
      ["a", 1],
      ["b", 4],
      ["a", 6],
    ]);
  });

  it("is red with the sentence for a loop that loses what a provider needs back [KIT-19]", async () => {
    const result = await relayed(relayedLoop("a"), relayedLoop("b", { read: reading(without("opaque")) }));
    expect(messagesOf(result)[0]).toMatch(/^SESSION-2 b changed what a had handed over: \/messages\/1\/opaque/);
    expect(messagesOf(result)).toContainEqual(
      expect.stringMatching(/^PROVIDER-7 in the turn of b: model request 2 does not carry exactly the messages so far/),
    );
  });

  it("is red for a loop that puts the messages of another in another order", async () => {
    const read = (session: Session) => {
      const [user, thinking, call, ...rest] = session.messages;
      return { ...session, messages: call ? [user!, call, thinking!, ...rest] : session.messages };
    };
    const result = await relayed(relayedLoop("a"), relayedLoop("b", { read }));
    expect(messagesOf(result)[0]).toMatch(/^SESSION-2 b changed what a had handed over/);
    expect(messagesOf(result)).toContainEqual(expect.stringMatching(/^LOOP-1 in the turn of b: model request 2 /));
  });

  it.each([
    ["of a message", reading(without("handed_over")), /\/messages\/1\/handed_over/],
    [
      "of the session",
      ({ spec_version, id, messages }: Session) => ({ spec_version, id, messages }),
      /: \/handed_over/,
    ],
  ])("is red for a loop that drops a field %s that it does not know", async (_, read, where) => {
    const result = await relayed(relayedLoop("a"), relayedLoop("b", { read }));
    expect(messagesOf(result)[0]).toMatch(/^SESSION-2 b changed what a had handed over/);
    expect(messagesOf(result)[0]).toMatch(where);
  });

  it("is red for a loop that loses a message", async () => {
    const read = (session: Session) => ({ ...session, messages: session.messages.slice(0, 4) });
    const result = await relayed(relayedLoop("a"), relayedLoop("b", { read }), {
      ...source,
      model: [source.model[0]!, source.model[1]!, source.model[1]!, source.model[2]!],
      expect: { status: "completed" },
    });
    expect(messagesOf(result)).toContainEqual(expect.stringMatching(/^SESSION-\d b changed what a had handed over/));
  });

  it.each<[string, (answer: RunResponse) => RunResponse, string]>([
    [
      "that it numbers calls anew",
      changed(renumbered),
      "SESSION-9 in the turn of a: the session differs from what happened",
    ],
    [
      "results in another order",
      changed(reversedResults),
      "SESSION-7 in the turn of a: the session differs from what happened",
    ],
    [
      "no signature",
      changed(reading(without("opaque"))),
      "SESSION-4 in the turn of a: the session differs from what happened",
    ],
    ["another usage", otherUsage, "RESULT-4 in the turn of a: the usage is not what the model reported in this turn"],
  ])("names the loop that writes %s, before another one reads it [KIT-19]", async (_, write, sentence) => {
    const { model, ...rest } = source;
    const both = [...model[0]!.respond!, { tool_call: { id: "$c", name: "count", input: {} } }];
    const played: Case = { ...rest, model: [{ respond: both }, { text: "Done." }], expect: { status: "completed" } };
    expect((await relayed(relayedLoop("a"), relayedLoop("b"), played)).verdict).toBe("pass");
    const result = await relayed(relayedLoop("a", { write }), relayedLoop("b"), played);
    expect(messagesOf(result)[0]).toContain(sentence);
  });

  it("is red for a loop that takes more turns than it was given", async () => {
    const result = await relayed(relayedLoop("a", { neverStops: true }), relayedLoop("b"));
    expect(messagesOf(result)).toContainEqual("LOOP-23 a took 3 turns, though max_turns was 1");
  });

  it.each([
    ["exits mid-case", "driver_crashed", "the driver fake exited with code 0"],
    ["garbage", "protocol_error", "fake: stdout had a line that is not JSON"],
    ["driver error", "driver_error", "fake: the driver answered run with error -32000"],
    ["hangs", "driver_timeout", "it is the turn of fake"],
  ])("says which of the two it was that %s", async (behaviour, code, message) => {
    const messages: Message[] = [{ role: "user", content: "I am the culprit." }];
    const played = { ...source, given: { ...source.given, messages } };
    const argv: [string, ...string[]] = ["node", fakeDriver, behaviour];
    const { verdict, failures } = await relayed(
      relayedLoop("a"),
      { name: "fake", argument: "fake", command: { argv } },
      played,
    );
    expect(verdict).toBe("fail");
    expect(failures![0]).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  it("needs drivers that report sessions and results", async () => {
    const result = await relayed(relayedLoop("a"), relayedLoop("b", { handshake: { reports: ["result"] } }));
    expect(result.verdict).toBe("not-run");
    expect(result.reason).toContain("b does not report its session");
  });

  it("says how a person sees a failure again", async () => {
    const result = await relayed(relayedLoop("a"), relayedLoop("b", { neverStops: true }));
    expect(result.repro).toMatch(
      / test --driver a --relay b --case three-turns --variant generic --seed \d+ --timeout 3000$/,
    );
  });
});

describe("the cases of a relay", () => {
  const why = (change: Partial<Case>) => relayable({ ...source, ...change });
  it("are those that have something to hand over, and nothing that is about one run", () => {
    expect(why({})).toBe(true);
    expect(why({ features: ["external_tools", "context"] })).toBe(true);
    expect(why({ features: ["context", "retry"] })).toBe(true);
    expect(relayable({ ...source, features: ["hooks"] }, false)).toMatch(/^it is handed over by its journal/);
    expect(why({ features: ["next_message"] })).toMatch(/^it is about the conversation that one loop keeps/);
    expect(why({ model: [{ text: "Done." }] })).toMatch(/^its run has one turn/);
    expect(why({ model: [{ respond: [], stop_reason: "pause" }, { text: "Done." }] })).toMatch(/^its run has one turn/);
    expect(why({ expect: { events: [] } })).toMatch(/^it is about the events/);
    const keyed = { status: "completed", wire: { "openai-chat": [{ prompt_cache_key: "$key" }] } } as Case["expect"];
    expect(why({ expect: keyed })).toMatch(/^under which key/);
    const counting = (condition: object) => ({ given: { ...source.given, options: { stop_when: [condition] } } });
    expect(why(counting({ tool_called: "count" }) as Partial<Case>)).toBe(true);
  });

  it("are played by what they need to have handed over", () => {
    const manner = (change: Partial<Case>) => mannerOf({ ...source, ...change });
    const given = (more: object): Partial<Case> => ({ given: { ...source.given, ...more } });
    expect(manner({})).toEqual({ manner: "session" });
    expect(manner({ features: ["limits"] })).toEqual({ manner: "snapshot" });
    expect(manner(given({ options: { stop_when: [{ same_call: 2 }] } }))).toEqual({ manner: "snapshot" });
    expect(manner(given({ options: { max_truncation_recoveries: 1 } }))).toEqual({ manner: "snapshot" });
    const actions = [{ when: { suspended: true }, do: { resume: [] } }];
    const changing = { actions, given: { ...source.given, snapshot_on_resume: { turn: 1 } } } as Partial<Case>;
    expect(manner(changing)).toEqual({ manner: "boundary" });
    const limited = { main: { name: "main", limits: { max_turns: 3 } } };
    expect(manner(given({ agents: limited }))).toEqual({ manner: "snapshot" });
    expect(manner({ features: ["limits", "context"] })).toEqual({ manner: "boundary" });
    expect(manner({ features: ["hooks"] })).toEqual({ manner: "boundary" });
    const stopping = { actions: [{ when: { request: 1 }, do: "stop" }], features: ["stop"] } as Partial<Case>;
    expect(manner(stopping)).toEqual({ manner: "boundary" });
    expect(manner({ features: ["limits"], ...given({ handlers: { count: { output: "", final: true } } }) })).toEqual({
      manner: "boundary",
    });
    const written = { features: ["journal"], ...given({ journal: { ends: "everywhere" } }) };
    expect(manner(written)).toEqual({ manner: "journal" });
    expect(manner({ ...written, ...given({ journal: {} }) })).toEqual({
      why: "no process ends in it, so that nothing is handed over",
    });
  });
});

describe("a relay by snapshot", () => {
  const counted: Case = {
    ...source,
    features: ["limits"],
    given: { ...source.given, options: { max_tool_calls: 9 } },
    model: source.model.map((entry, index) => (index === 0 ? { ...entry, respond: entry.respond!.slice(1) } : entry)),
  };

  it("executes the tools itself, and hands the whole state over at each batch [KIT-19]", async () => {
    const result = await relayed(suspendingLoop("a"), suspendingLoop("b"), counted);
    expect(messagesOf(result)).toEqual([]);
    expect(result.verdict).toBe("pass");
  });

  it.each<[string, (snapshot: Snapshot) => Snapshot, string]>([
    [
      "drops a field that it does not know",
      (snapshot) => ({ ...snapshot, "com.example.handed_over": undefined }) as Snapshot,
      "LOOP-107 in the turn of b: what no loop knows in the snapshot is not handed on: /com.example.handed_over",
    ],
    [
      "drops a counter that it does not know",
      (snapshot) => ({ ...snapshot, counters: {} }),
      "LOOP-107 in the turn of b: what no loop knows in the snapshot is not handed on: /counters/com.example.handed_over",
    ],
    ["forgets a turn", (snapshot) => ({ ...snapshot, turn: snapshot.turn - 1 }), "LOOP-22"],
    [
      "forgets what the turns before have used",
      (snapshot) => ({ ...snapshot, steps: snapshot.steps.slice(-1) }),
      "RESULT-",
    ],
  ])("is red for a loop that %s", async (_, write, sentence) => {
    const result = await relayed(suspendingLoop("a"), suspendingLoop("b", write), counted);
    expect(messagesOf(result)).toContainEqual(expect.stringContaining(sentence));
  });
});

describe("a relay by journal", () => {
  const played = async (second: JournalFault | undefined) => {
    const suite = await loadSuite();
    const loop = (name: string, fault?: JournalFault) => {
      return { name, argument: name, command: inProcess(journalledLoop(fault)) };
    };
    const relay = relayOf(loop("a"), loop("b", second));
    const select = { cases: ["journal/process-ends-anywhere"] };
    const { report } = await runSuite({ ...relay, suite, select });
    return { result: report.variants[0]!, summary: relay.summary(report.variants) };
  };

  it("lets the other driver recover what one has written, and says what was handed over and what not [KIT-19, KIT-36]", async () => {
    const { result, summary } = await played(undefined);
    expect(messagesOf(result)).toEqual([]);
    expect(summary[0]).toMatch(/^handed over \d+ times in \d+ runs: by journal \d+$/);
    expect(summary[1]).toMatch(/^covered: journal \d+$/);
  });

  it("is red for a loop that executes again what another has executed", async () => {
    const { result } = await played("repeats_everything");
    expect(messagesOf(result)).toContainEqual(
      expect.stringMatching(/^JOURNAL-9 where the process ends when .* was executed twice/),
    );
  });
});

describe("a relay by boundary", () => {
  const looping = (name: string, fault?: JournalFault): TestedDriver => ({
    name,
    argument: name,
    command: inProcess(journalledLoop(fault)),
  });
  const { model, given, ...rest } = source;
  const [first, ...others] = model;
  const needsAll: Case = {
    ...rest,
    model: [{ ...first, respond: first!.respond!.slice(1) }, ...others],
    given: {
      ...given,
      handlers: { count: { output: "one more", final: false } },
      options: { max_truncation_recoveries: 1 },
    },
  };

  it("takes the journal of each driver after its turn, and lets the other one recover the run", async () => {
    expect(mannerOf(needsAll)).toEqual({ manner: "boundary" });
    const result = await relayed(looping("a"), looping("b"), needsAll);
    expect(messagesOf(result)).toEqual([]);
    expect(result.verdict).toBe("pass");
  });

  it.each<[string, JournalFault, string]>([
    ["goes on although its journal was taken", "overtaken", "JOURNAL-10 in the turn of b: model/invoke came after"],
    ["drops what it does not know", "drops_extensions", "LOOP-107 in the turn of b: what no loop knows in the state"],
    ["says that there are other records than there are", "miscounts", "DRIVER-32 in the turn of b: the records are to"],
    ["begins the run anew", "forgets_everything", "LOOP-"],
  ])("is red for a loop that %s", async (_, fault, sentence) => {
    const result = await relayed(looping("a"), looping("b", fault), needsAll);
    expect(messagesOf(result)).toContainEqual(expect.stringContaining(sentence));
  });
});

describe("what a relay has covered", () => {
  const handshake = (...features: string[]) => ({ features }) as InitializeResult;
  it("is said of each feature that both drivers have, with the reason where it was not [KIT-36]", () => {
    const coverage = new RelayCoverage();
    coverage.between(
      handshake("limits", "cancel", "streaming", "hooks"),
      handshake("streaming", "cancel", "limits", "hooks"),
    );
    coverage.handedOver("r1", { case: { ...source, features: ["limits"] } }, "snapshot");
    coverage.handedOver("r1", { case: { ...source, features: ["limits"] } }, "snapshot");
    coverage.handedOver("r2", { case: source }, "session");
    expect(coverage.lines([{ verdict: "pass" } as VariantResult])).toEqual([
      "handed over 3 times in 2 runs: by snapshot 2, by session 1",
      "covered: core 1, limits 1",
      "not covered: cancel, hooks: no case of it hands anything over",
      "not covered: streaming: its cases are about events, and each process tells its own",
    ]);
    expect(coverage.lines([{ verdict: "not-run" } as VariantResult])).toEqual([]);
  });
});
