// Shows what the kit says of loops that go on with the user's next message in a wrong way, judged by their request alone.

import { describe, expect, it } from "vitest";
import type { Case, Message, NextMessageParams, RunParams, RunResponse } from "../../../schemas/types.ts";
import { judge } from "../checks/judge.ts";
import { CaseRun } from "./play-variant.ts";
import { fillCase } from "../suite/fill-case.ts";
import { readScript } from "../suite/script.ts";
import { fakeLoop } from "../testing/fake-loop.ts";

const thinking: Message = { type: "thinking", content: "I look.", opaque: { provider: "generic", signature: "c2ln" } };

const source: Case = {
  title: "The user goes on",
  since: "1.0",
  requires: ["SESSION-26"],
  features: ["next_message"],
  given: {
    messages: [{ role: "user", content: "Look." }],
    tools: [{ name: "look", input_schema: { type: "object" } }],
    handlers: { look: { output: "a hill" } },
  },
  model: [
    { respond: [{ thinking: "I look.", signature: "c2ln" }, { tool_call: { id: "$a", name: "look", input: {} } }] },
    { text: "Seen." },
  ],
  next: ["And behind it?"],
  expect: { status: "completed" },
};

interface Fault {
  /** What the loop makes of its conversation before the user's next message. */
  keeps?(messages: Message[]): Message[];
  /** What it does instead of asking the model. */
  instead?: "nothing" | "executes again" | "fails";
  /** How its first run ends instead of with the text of the model. */
  ends?: "suspended";
}

/** The requirements that a loop breaks, which is right in its first run and has this fault in the next. */
async function broken({ keeps = (messages) => messages, instead, ends }: Fault): Promise<(string | undefined)[]> {
  const filled = fillCase({ ...source, expect: { status: ends ?? "completed" } }, 1, "test");
  const ask = (method: "model/invoke" | "tool/execute", params: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      run.request(method, params, { result: resolve, error: (message) => reject(new Error(message)) });
    });
  const ports = (name: string) => ({
    ask,
    emit: (event: Parameters<Parameters<typeof fakeLoop>[1]["emit"]>[0]) =>
      run.notification("event", { run: name, event }),
  });
  let first: { start: RunParams; response: Required<Pick<RunResponse, "result" | "session">> } | undefined;
  const goOn = async ({ run: name, input }: NextMessageParams): Promise<RunResponse> => {
    const { start, response } = first!;
    const call = response.session.messages.find((message) => message.type === "tool_call")!;
    if (instead === "executes again") await ask("tool/execute", { run: name, call }).catch(() => undefined);
    if (instead === "nothing") return response;
    const messages = [...keeps(response.session.messages), { role: "user" as const, content: input }];
    const next = await fakeLoop({ ...start, run: name, session: { ...response.session, messages } }, ports(name));
    return instead === "fails" ? { result: { ...next.result, status: "error" } } : next;
  };
  const connection = {
    request: async (_method: string, params: object) => {
      if ("after" in params) return await goOn(params as NextMessageParams);
      const start = structuredClone(params) as RunParams;
      const response = await fakeLoop(start, ports(start.run));
      first = { start, response: ends ? { ...response, result: { ...response.result, status: ends } } : response };
      return first.response;
    },
    notify: () => undefined,
  };
  const run = new CaseRun({
    run: "r1",
    filled,
    script: readScript(filled.case, "r1"),
    variant: { name: "generic", seam: "generic" },
    driver: {
      protocol: 1,
      implementation: { name: "memory", version: "1", language: "typescript" },
      seams: ["generic"],
      features: ["next_message", "report"],
    },
    connection,
    sessionId: "session-r1",
    apiKey: "test-key",
  });
  return judge(await run.play()).map(({ requirement }) => requirement);
}

const isResult = (message: Message): boolean => message.type === "tool_result";

describe("the user's next message", () => {
  it("is asked of the model, with everything that was said and done", async () => {
    expect(await broken({})).toEqual([]);
  });
  it("is said to no run that waits for its caller [SESSION-26]", async () => {
    expect(await broken({ ends: "suspended", instead: "nothing" })).not.toContain("SESSION-26");
  });
  it.each<[what: string, fault: Fault, requirements: string[]]>([
    ["is not asked", { instead: "nothing" }, ["SESSION-26"]],
    ["does not complete", { instead: "fails" }, ["SESSION-26"]],
    [
      "has a call without its result",
      { keeps: (messages) => messages.filter((one) => !isResult(one)) },
      ["SESSION-28", "SESSION-27"],
    ],
    [
      "has what was cut off",
      { keeps: (messages) => [...messages, { role: "assistant", content: "Half", status: "incomplete" }] },
      ["SESSION-28"],
    ],
    [
      "has another result",
      { keeps: (messages) => messages.map((one) => (one.type === "tool_result" ? { ...one, output: "(gone)" } : one)) },
      ["SESSION-27"],
    ],
    [
      "has a result twice",
      { keeps: (messages) => messages.flatMap((one) => (isResult(one) ? [one, one] : [one])) },
      ["SESSION-28", "SESSION-27"],
    ],
    ["executes again", { instead: "executes again" }, ["SESSION-29"]],
    [
      "has other thinking",
      {
        keeps: (messages) =>
          messages.map((one) => (one.type === "thinking" ? { ...thinking, content: "I see." } : one)),
      },
      ["SESSION-31"],
    ],
    [
      "has forgotten the question",
      { keeps: (messages) => messages.filter(({ role }) => role !== "user") },
      ["SESSION-30"],
    ],
  ])("%s", async (_, fault, requirements) => {
    expect(await broken(fault)).toEqual(requirements);
  });
});
