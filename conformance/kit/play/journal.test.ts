// Shows what the kit, as the store of a journal, demands of a loop, and what it does not: by hand, message by message.

import { describe, expect, it } from "vitest";
import type { Case, InitializeResult, JournalRecord, Message, Snapshot } from "../../../schemas/types.ts";
import { checkJournal } from "../checks/journal.ts";
import { CaseRun } from "./play-variant.ts";
import { fillCase } from "../suite/fill-case.ts";
import type { DriverRequest } from "../base/protocol.ts";
import { readScript } from "../suite/script.ts";

const driver: InitializeResult = {
  protocol: 1,
  implementation: { name: "by hand", version: "1", language: "typescript" },
  seams: ["generic"],
  features: ["journal", "pause", "guardrails"],
  reports: [],
};

const user: Message = { role: "user", content: "Go." };
const call: Message = { type: "tool_call", id: "c1", name: "send", input: {} };
const result: Message = { type: "tool_result", id: "c1", output: "sent", outcome: "ok" };
const tools = [{ name: "send", input_schema: { type: "object" as const } }];

const caseWith = (model: Case["model"], more: Partial<Case> = {}): Case => ({
  title: "A run with a journal",
  since: "1.0",
  requires: ["JOURNAL-1"],
  features: ["journal"],
  given: {
    messages: [user],
    tools,
    handlers: { send: { output: "sent" } },
    journal: {},
    ...more.given,
  } as Case["given"],
  model,
  expect: {},
});

const begun: Snapshot = {
  spec_version: "1.0",
  phase: "turn_boundary",
  session: { spec_version: "1.0", id: "session-r1", messages: [user] },
  agent: "main",
  options: {},
  turn: 0,
  truncations: 0,
  response_start: 1,
  decisions: [],
  steps: [],
};
const begin: JournalRecord = { type: "begin", spec_version: "1.0", snapshot: begun };
const next = (
  phase: Snapshot["phase"],
  messages: Message[],
  set: Partial<Snapshot> = {},
): Extract<JournalRecord, { type: "transition" }> => ({
  type: "transition",
  phase,
  turn: 1,
  ...(messages.length > 0 && { messages: { from: 1, items: messages } }),
  set,
});
type Ask = (method: DriverRequest, params: object) => Promise<unknown>;
type Drive = (ask: Ask) => Promise<unknown>;

const append = (ask: Ask, after: number, ...records: JournalRecord[]) => ask("journal/append", { after, records });
const invoke = (ask: Ask, ...messages: Message[]) => ask("model/invoke", { request: { messages, tools } });

/** What is broken by a driver that does this when it is told to run, and that, after its process has ended, to recover. */
async function brokenBy(source: Case, drive: Drive, recover?: Drive) {
  const ask: Ask = (method, params) =>
    new Promise((resolve, reject) => {
      run.request(method, { run: "r1", ...params }, { result: resolve, error: (text) => reject(new Error(text)) });
    });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const filled = fillCase(source, 1, "test");
  const run: CaseRun = new CaseRun({
    run: "r1",
    filled,
    script: readScript(filled.case, "r1"),
    variant: { name: "generic", seam: "generic" },
    driver,
    connection: {
      request: async (method) => {
        if (method === "recover") await recover!(ask);
        else await Promise.race([drive(ask), ended.promise]);
        return {};
      },
      notify: () => undefined,
    },
    sessionId: "session-r1",
    apiKey: "test-key",
    process: { endProcess: async () => ended.reject(new Error("ended")) },
  });
  const seen = await run.play();
  return { broken: seen.failures.map(({ requirement }) => requirement), seen };
}

describe("a store", () => {
  const half: Message = { role: "assistant", content: "Half" };
  const paused = caseWith([{ respond: [{ text: "Half" }], stop_reason: "pause" }, { text: " done." }]);

  it("does not wait for the segments of a response that paused [JOURNAL-2]", async () => {
    const { broken } = await brokenBy(paused, async (ask) => {
      await append(ask, 0, begin);
      await invoke(ask, user);
      await invoke(ask, user, half);
    });
    expect(broken).toEqual([]);
  });

  it("waits for the response before, also where the next one has paused [JOURNAL-2]", async () => {
    const source = caseWith([{ respond: [{ tool_call: { id: "c1", name: "send", input: {} } }] }, ...paused.model]);
    const run = async (...written: JournalRecord[]) => {
      const { broken } = await brokenBy(source, async (ask) => {
        await append(ask, 0, begin);
        await invoke(ask, user);
        await append(ask, 1, next("executing", [call]), { type: "tool_started", id: "c1", name: "send" });
        await ask("tool/execute", { call: { id: "c1", name: "send", input: {} } });
        await append(ask, 3, { type: "tool_finished", result: result as never }, ...written);
        await invoke(ask, user, call, result);
        await invoke(ask, user, call, result, half);
      });
      return broken;
    };
    expect(await run(next("turn_boundary", [call, result]))).toEqual([]);
    expect(await run()).toEqual(["JOURNAL-2", "JOURNAL-2"]);
  });

  it("has the call of a subagent, and not what the subagent calls [JOURNAL-3]", async () => {
    const agents = {
      main: { name: "main", tools: [{ ...tools[0]!, agent: "cook" }] },
      cook: { name: "cook", tools: [{ name: "stir", input_schema: { type: "object" as const } }] },
    };
    const source = caseWith(
      [
        { respond: [{ tool_call: { id: "c1", name: "send", input: { prompt: "Cook." } } }] },
        { agent: "cook", respond: [{ tool_call: { id: "s1", name: "stir", input: {} } }] },
      ],
      { given: { messages: [user], agents, agent: "main", handlers: { stir: { output: "stirred" } } } },
    );
    const run = async (...written: JournalRecord[]) => {
      const { broken } = await brokenBy(source, async (ask) => {
        await append(ask, 0, begin);
        await invoke(ask, user);
        await append(ask, 1, next("executing", [{ ...call, input: { prompt: "Cook." } } as Message]), ...written);
        await invoke(ask, { role: "user", content: "Cook." });
        await ask("tool/execute", { call: { id: "s1", name: "stir", input: {} } });
      });
      return broken.filter((requirement) => requirement?.startsWith("JOURNAL"));
    };
    expect(await run({ type: "tool_started", id: "c1", name: "send" })).toEqual([]);
    expect(await run()).toEqual(["JOURNAL-3"]);
  });

  it("knows what a subagent took only where its result is written [SUBAGENT-10]", async () => {
    const agents = {
      main: { name: "main", tools: [{ ...tools[0]!, agent: "cook" }] },
      cook: { name: "cook", tools: [] },
    };
    const source: Case = {
      ...caseWith(
        [
          { respond: [{ tool_call: { id: "c1", name: "send", input: { prompt: "Cook." } } }] },
          { agent: "cook", text: "Soup." },
        ],
        { given: { messages: [user], agents, agent: "main" } },
      ),
      actions: [{ when: { append: "turn_boundary" }, do: { end_process: "after" } }],
    };
    const disturbed = async (...written: JournalRecord[]) => {
      const drive: Drive = async (ask) => {
        await append(ask, 0, { ...begin, snapshot: { ...begun, phase: "calling_model" } } as JournalRecord);
        await invoke(ask, user);
        const called = { ...call, input: { prompt: "Cook." } } as Message;
        await append(ask, 1, next("executing", [called]), { type: "tool_started", id: "c1", name: "send" });
        await invoke(ask, { role: "user", content: "Cook." });
        await append(ask, 3, ...written, next("turn_boundary", written.length > 0 ? [called, result] : []));
      };
      const { seen } = await brokenBy(source, drive, async () => undefined);
      return seen.subruns.map((run) => run.disturbed);
    };
    expect(await disturbed({ type: "tool_finished", result: result as never })).toEqual([false]);
    expect(await disturbed()).toEqual([true]);
  });

  it("is asked by a run whose cancel was lost with its process, and its model answers [CANCEL-2]", async () => {
    const source: Case = {
      ...caseWith([{ text: "Done." }]),
      actions: [
        { when: { append: "turn_boundary" }, do: "cancel" },
        { when: { append: "turn_boundary" }, do: { end_process: "after" } },
      ],
    };
    const answers: unknown[] = [];
    const { broken } = await brokenBy(
      source,
      (ask) => append(ask, 0, begin, next("turn_boundary", [])),
      async (ask) => void answers.push(await invoke(ask, user)),
    );
    expect(answers).toMatchObject([{ stop_reason: "end_turn" }]);
    expect(broken).toEqual([]);
  });

  it("demands no second tool_finished of a call that was executed before the run was suspended [JOURNAL-4]", async () => {
    const source = caseWith([{ respond: [{ tool_call: { id: "c1", name: "send", input: {} } }] }]);
    const run = async (unfinished: Snapshot["unfinished"]) => {
      const { broken } = await brokenBy(source, async (ask) => {
        await append(ask, 0, begin);
        await invoke(ask, user);
        await append(ask, 1, next("executing", [call]), { type: "tool_started", id: "c1", name: "send" });
        await ask("tool/execute", { call: { id: "c1", name: "send", input: {} } });
        await append(ask, 3, next("suspended", [], { ...(unfinished && { unfinished }) }));
        await append(ask, 4, next("turn_boundary", [call, result]));
      });
      return broken;
    };
    expect(await run({ c1: { result } } as never)).toEqual([]);
    expect(await run(undefined)).toEqual(["JOURNAL-4"]);
  });

  it("forgets what guardrails told a process that has ended, unless it is written that one tripped [GUARDRAIL-9]", async () => {
    const source = (trip: boolean): Case => ({
      ...caseWith([{ respond: [{ tool_call: { id: "c1", name: "send", input: {} } }] }], {
        given: { messages: [user], guardrails: [{ name: "watch", points: ["model_output"], finding: { trip } }] },
      }),
      actions: [{ when: { append: "deciding" }, do: { end_process: "after" } }],
    });
    const check = { point: "model_output", turn: 1, agent: "main" };
    const findings = async (trip: boolean, set: Partial<Snapshot> = {}) => {
      const drive: Drive = async (ask) => {
        await append(ask, 0, begin);
        await invoke(ask, user);
        await ask("guardrail/check", { guardrail: 0, check });
        await append(ask, 1, next("deciding", [call], set));
      };
      return (await brokenBy(source(trip), drive, async () => undefined)).seen.findings;
    };
    expect(await findings(false)).toEqual([]);
    expect(await findings(true)).toEqual([]);
    expect(await findings(true, { tripped: { status: "guardrail" } })).toHaveLength(1);
  });

  it("is written to by a run that ended for its configuration, and not by one that was refused [JOURNAL-12]", () => {
    const { session } = begun;
    const ending = { status: "error", error: { kind: "configuration", message: "no" } } as const;
    const found = (isUnderWay: boolean) =>
      checkJournal({
        journal: {
          records: [begin, next("done", [], { ending })],
          appendedLast: 2,
          isUnderWay,
          interrupted: new Set(),
        },
        results: [{ result: { ...ending, turns: 1, steps: [] }, session }],
        filled: { case: { given: { journal: {} } } },
      } as never).map(({ requirement }) => requirement);
    expect(found(true)).toEqual([]);
    expect(found(false)).toEqual(["JOURNAL-12"]);
  });
});
