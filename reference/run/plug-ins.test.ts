// Plug-ins of the user: where they stand, what they can do, what they cannot take away, and what is refused before the run begins.

import { describe, expect, it } from "vitest";

import type { LoopEvent, Message, ModelResponse, RunOptions, Session } from "../../schemas/types.ts";
import type { Provider } from "../core/ports.ts";
import { initSession } from "../core/session.ts";
import type { Plugin, Points, RunContext } from "../plugins/plugin.ts";
import { defineTool } from "../tools/define-tool.ts";
import { standardPlugins } from "./plugin-names.ts";
import { agentLoop, resume } from "./run.ts";
import type { RunSetup } from "./setup.ts";
import { standard } from "./standard-plugins.ts";
import { subagentTool } from "./subagent-tool.ts";

const call = (id: string, name = "look", input = {}): Message => ({ type: "tool_call", id, name, input });
const text = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});
const calls = (...messages: Message[]): ModelResponse => ({ messages, stop_reason: "tool_use" });
const scripted = (...responses: ModelResponse[]): Provider => ({
  name: "scripted",
  invokeModel: async () => responses.shift() ?? text("Done."),
});
const look = defineTool({ name: "look", input_schema: { type: "object" }, execute: () => "seen" });

async function play(setup: Partial<RunSetup> & { session?: Session } = {}) {
  const provider = scripted(calls(call("c1"), call("c2")));
  const run = agentLoop({ provider, tools: [look], input: "Go.", ...setup });
  const events: LoopEvent[] = [];
  for await (const event of run) events.push(event);
  const { messages } = await run.session;
  const results = messages.flatMap((message) => ("outcome" in message ? [[message.id, message.outcome]] : []));
  return { events, results, messages, result: await run.result };
}

/** Notes in `noted` at which of its points it was asked, in and out. */
const noting = (name: string, noted: string[], place: Partial<Plugin> = {}): Plugin => ({
  name,
  ...place,
  attach: (): Points => ({
    begin: () => void noted.push(`${name} begin`),
    end: () => void noted.push(`${name} end`),
    betweenTurns: {
      check: ({ ending }) => {
        if (!ending) noted.push(`${name} check`);
        return { do: "continue" };
      },
      beforeEnd: () => {
        noted.push(`${name} beforeEnd`);
        return { do: "continue" };
      },
    },
    aroundModel: (next) => async (request, turn, state) => {
      noted.push(`${name} model`);
      const answer = await next(request, turn, state);
      noted.push(`${name} answer`);
      return answer;
    },
  }),
});

describe("the order of plug-ins", () => {
  it("is published", () => {
    expect(standard.map(({ name }) => name)).toEqual(standardPlugins);
    expect(new Set(standardPlugins).size).toBe(standardPlugins.length);
  });

  it("is drawn as it is", async () => {
    const { readFileSync } = await import("node:fs");
    const readme = readFileSync(new URL("../plugins/README.md", import.meta.url), "utf8");
    const [, picture = ""] = /^## The order\n[^]*?```text\n([^]*?)```/m.exec(readme) ?? [];
    const drawn = picture.split("\n").filter((line) => !/[┌└]/.test(line));
    expect(drawn.flatMap((line) => line.match(/[a-z][a-z-]+/g) ?? [])).toEqual(standardPlugins);
  });

  it("is one onion: in from outside, out from inside", async () => {
    const noted: string[] = [];
    await play({ provider: scripted(text("Hi.")), use: [noting("outer", noted), noting("inner", noted)] });
    expect(noted).toEqual([
      "outer begin",
      "inner begin",
      "outer check",
      "inner check",
      "outer check", // what came before the turn has taken its time
      "inner check",
      "outer model",
      "inner model",
      "inner answer",
      "outer answer",
      "inner beforeEnd",
      "outer beforeEnd",
      "inner end",
      "outer end",
    ]);
  });

  it("puts a plug-in just outside or just inside of another one", async () => {
    const noted: string[] = [];
    const place = [
      noting("a", noted),
      noting("b", noted, { outside: "a" }),
      noting("c", noted, { inside: "a" }),
      noting("d", noted, { inside: "limits" }),
    ];
    await play({ provider: scripted(text("Hi.")), use: place });
    expect(noted.filter((one) => one.endsWith("model")).map(([name]) => name)).toEqual(["d", "b", "a", "c"]);
  });

  it("costs a run without plug-ins of its own nothing: the standard list itself is used", async () => {
    const { inOrder } = await import("./order.ts");
    expect(inOrder({ provider: scripted() }, {})).toBe(standard);
  });

  it("is that of a subagent, too", async () => {
    const noted: string[] = [];
    const helper = subagentTool({ name: "look", agent: { name: "helper" } });
    const provider = scripted(calls(call("c1", "look", { prompt: "Look." })), text("I looked."), text("Done."));
    await play({ provider, tools: [helper], use: [noting("a", noted)] });
    expect(noted.filter((one) => one === "a begin")).toHaveLength(2);
  });
});

describe("a standard plug-in", () => {
  /** Read by the core itself. */
  const OF_THE_CORE: (keyof RunOptions)[] = ["execute_tools", "max_truncation_recoveries", "approval_batch"];

  it("names the options that it reads, and no two name the same", async () => {
    const { readFileSync } = await import("node:fs");
    const schema = new URL("../../schemas/run-options.schema.json", import.meta.url);
    const { properties } = JSON.parse(readFileSync(schema, "utf8")) as { properties: object };
    const read = standard.flatMap(({ options = [] }) => options);
    expect([...read, ...OF_THE_CORE].toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  it("can be replaced", async () => {
    let overlap = 0;
    let most = 0;
    const slow = defineTool({
      name: "look",
      input_schema: { type: "object" },
      execute: async () => {
        most = Math.max(most, (overlap += 1));
        await Promise.resolve();
        overlap -= 1;
        return "seen";
      },
    });
    const allAtOnce: Plugin = {
      name: "all-at-once",
      replaces: "scheduling",
      attach: () => ({ aroundBatch: () => (batch, run) => Promise.all(batch.map(run)) }),
    };
    expect((await play({ tools: [slow] })).results).toHaveLength(2);
    expect(most).toBe(1);
    await play({ tools: [slow], use: [allAtOnce] });
    expect(most).toBe(2);
  });

  it.each(standard.map(({ name }) => name).filter((name) => !["use", "permissions"].includes(name)))(
    "%s: a run without it has an ending, and each of its calls one result",
    async (name) => {
      const { results, result } = await play({ use: [{ name: "nothing", replaces: name, attach: () => undefined }] });
      expect(result.error).toBeUndefined();
      expect(results).toEqual([
        ["c1", "ok"],
        ["c2", "ok"],
      ]);
    },
  );
});

describe("a plug-in cannot take away", () => {
  const options: RunOptions = { permissions: { rules: [{ effect: "deny", match: "look" }] } };
  const always = (points: Points): Plugin => ({ name: "always", attach: () => points });

  it("a rule that denies, in any way that it can try", async () => {
    const denied = [
      ["c1", "denied"],
      ["c2", "denied"],
    ];
    const run: Points = { beforeCall: () => async () => ({ do: "run" }) };
    const edited: Points = { beforeCall: () => async () => ({ do: "run", input: { anything: "else" } }) };
    for (const points of [run, edited]) {
      for (const place of [{}, { outside: "journal" }, { inside: "compaction" }, { inside: "permissions" }]) {
        const { results } = await play({ options, use: [{ ...always(points), ...place }] });
        expect(results).toEqual(denied);
      }
    }
    const { result, results } = await play({ options, use: [{ ...always({}), replaces: "permissions" }] });
    expect([result.status, results]).toEqual(["error", []]);
    expect(result.error?.message).toContain("it enforces the deny rules");
  });

  it("a rule that denies from what a caller approves, in this process or another", async () => {
    const rules = [
      { effect: "deny", match: "look(secret)" },
      { effect: "ask", match: "look" },
    ] as const;
    const lookAt = defineTool({
      name: "look",
      input_schema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
      execute: () => "seen",
    });
    const input = { at: "secret" };
    const setup = {
      tools: [lookAt],
      provider: scripted(calls(call("c1", "look", { at: "sky" }))),
      options: { permissions: { rules: [...rules] } },
    };
    const approved = await play({ ...setup, approve: async () => ({ action: "approve", input }) });
    expect(approved.results).toEqual([["c1", "denied"]]);
    const { result } = await play({ ...setup, provider: scripted(calls(call("c1", "look", { at: "sky" }))) });
    const decisions = result.pending!.map(({ id, input_hash }) => ({
      id,
      action: "approve" as const,
      input_hash: input_hash!,
      input,
    }));
    const { messages } = await resume({ ...setup, snapshot: result.snapshot!, decisions }).session;
    expect(messages.flatMap((message) => ("outcome" in message ? [message.outcome] : []))).toEqual(["denied"]);
  });

  it("the pairing of calls and results", async () => {
    const lossy: Points = {
      aroundBatch: (next) => async (batch, run, state) => (await next(batch, run, state)).slice(1),
    };
    for (const place of [{}, { outside: "session-lock" }, { outside: "scheduling" }, { replaces: "journal" }]) {
      const { result, results } = await play({ use: [{ ...always(lossy), ...place }] });
      expect(results).toEqual([
        ["c1", "ok"],
        ["c2", "ok"],
      ]);
      expect(result.error?.message).toContain(
        "No result for the call c1 of look: a plug-in around the batch omitted it.",
      );
    }
  });
});

describe("what is refused before the run begins", () => {
  const nothing = (plugin: Partial<Plugin>): Plugin => ({ name: "mine", attach: () => undefined, ...plugin });

  it.each<[string, Plugin[], Partial<RunSetup>, string]>([
    ["two of one name", [nothing({}), nothing({})], {}, "There are two plug-ins called mine. Give yours another name."],
    [
      "a standard name",
      [nothing({ name: "retry" })],
      {},
      'There is a standard plug-in called retry. Give yours another name, or set replaces: "retry"',
    ],
    [
      "a place that is not there",
      [nothing({ inside: "nowhere" })],
      {},
      "The plug-in mine refers to nowhere, which does not exist. Plug-ins, outermost first: session-lock, ",
    ],
    [
      "two places",
      [nothing({ inside: "retry", outside: "retry" })],
      {},
      "more than one of replaces, outside and inside",
    ],
    [
      "an option that nobody reads",
      [nothing({ replaces: "scheduling" })],
      { options: { scheduling: "serial" } },
      "options.scheduling is set, which only scheduling reads. Remove one of them.",
    ],
    [
      "a field that nobody reads",
      [nothing({ replaces: "hooks" })],
      { hooks: [] },
      "hooks is set, which only hooks reads. Remove one of them.",
    ],
    ["the place of all", [nothing({ replaces: "use" })], {}, "cannot replace use, which is only a position"],
    ["what is no plug-in", [{} as Plugin], {}, "Expected a plug-in { name, attach() } in use, got {}."],
    ["nothing", [null as unknown as Plugin], {}, "Expected a plug-in { name, attach() } in use, got null."],
    [
      "what is no list",
      { name: "mine" } as unknown as Plugin[],
      {},
      'Expected a list of plug-ins in use, got {"name":"mine"}.',
    ],
  ])("%s", async (_, use, setup, message) => {
    const { result, events } = await play({ use, ...setup });
    expect(result).toMatchObject({ status: "error", turns: 0, error: { kind: "configuration" } });
    expect(result.error?.message).toContain(message);
    expect(events.map(({ type }) => type)).toEqual(["run_start", "run_end"]);
  });

  it("what a plug-in itself refuses, or cannot prepare; what it took is given back", async () => {
    const error = { kind: "configuration", message: "No key." } as const;
    const released: string[] = [];
    const release = () => void released.push("x");
    const session = initSession({ id: "plug-ins", user: "Go." });
    for (const points of [
      { refuses: error, release },
      { prepare: async () => error, release },
    ]) {
      const { result } = await play({ session, use: [nothing({ attach: () => points })] });
      expect(result.error).toEqual(error);
    }
    const { result } = await play({
      session,
      use: [
        nothing({
          attach: () => {
            throw new Error("broken");
          },
        }),
      ],
    });
    expect(result.error).toMatchObject({ kind: "internal" });
    expect((await play({ session })).result.status).toBe("completed");
    expect(released).toEqual(["x", "x"]);
  });
});

it("a plug-in can do at its points what it is there for", async () => {
  let runContext: RunContext | undefined;
  const all: Plugin = {
    name: "all",
    attach(run) {
      runContext = run;
      const early = run.earlyEnding();
      return {
        agents: (agents) => ({ main: { ...agents.main!, instructions: "Be brief." } }),
        aroundRequest: (next) => async (request, at) => {
          const answer = await next({ ...request, messages: [...request.messages] }, at);
          return { ...answer, model: "other" };
        },
        aroundTool: (next) => async (one, context, state) => `${String(await next(one, context, state))}!`,
        afterBatch: () => {
          early.end({ status: "stopped", stop_condition: "seen" });
          return undefined;
        },
      };
    },
  };
  const requests: string[] = [];
  const inner = scripted(calls(call("c1")));
  const provider: Provider = {
    ...inner,
    invokeModel: (request, at) => {
      requests.push(JSON.stringify(request.messages));
      return inner.invokeModel(request, at);
    },
  };
  const { result, messages } = await play({ provider, use: [all] });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toContain("Be brief.");
  expect(messages.at(-1)).toMatchObject({ id: "c1", output: "seen!" });
  expect(result).toMatchObject({ status: "stopped", stop_condition: "seen" });
  expect(result.usage_by_model).toHaveProperty("other");
  expect(runContext?.elapsed()).toBeGreaterThanOrEqual(0);
});
