// Plays cases with drivers of level wire over HTTP: what they need not say, and what is found of them all the same.

import { describe, expect, it } from "vitest";
import type { Failure, RunResponse, VariantResult, WireRunParams } from "../../../schemas/types.ts";
import { inProcess } from "../driver/in-process.ts";
import type { Kit } from "../driver/in-process.ts";
import { runSuite } from "../run/runner.ts";

/** What is said of a case on openai-chat/json, of a framework that answers its run so. */
async function verdict(
  id: string,
  answer: (kit: Kit, params: WireRunParams) => Promise<RunResponse>,
): Promise<VariantResult> {
  const results: VariantResult[] = [];
  const command = inProcess((kit) => ({
    initialize: () => ({
      protocol: 1,
      implementation: { name: "framework", version: "1", language: "typescript" },
      level: "wire",
      seams: ["openai-chat"],
      transports: ["json"],
      models: { "openai-chat": "gpt-5" },
    }),
    run: () => Promise.reject(new Error("a driver of level wire is sent no session")),
    wireRun: (params) => answer(kit, params),
  }));
  await runSuite({
    driver: { name: "framework", argument: "framework", command },
    select: { cases: [id], variants: ["openai-chat/json"] },
    knownFailures: null,
    onResult: (result) => results.push(result),
  });
  return results[0]!;
}

async function ask({ model }: WireRunParams, messages: object[], tools = [tool]): Promise<Response> {
  if (model.seam === "generic") throw new Error("it is asked over HTTP");
  return await fetch(`${model.base_url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${model.api_key}` },
    body: JSON.stringify({ model: model.model, messages, ...(tools.length > 0 && { tools }) }),
  });
}

const tool = { type: "function", function: { name: "delete_files", parameters: { type: "object", properties: {} } } };

/** Asks, hands the list to the tool, and asks again. */
async function careless(kit: Kit, params: WireRunParams): Promise<void> {
  const question = { role: "user", content: params.input };
  const { choices } = (await (await ask(params, [question])).json()) as { choices: { message: never }[] };
  const { message } = choices[0]!;
  const [call] = (message as { tool_calls: { id: string; function: { arguments: string } }[] }).tool_calls;
  const input: unknown = JSON.parse(call!.function.arguments);
  const { output } = await kit.request("tool/execute", { run: params.run, call: { name: "delete_files", input } });
  await ask(params, [question, message, { role: "tool", tool_call_id: call!.id, content: output }]);
}

const requirements = (failures: readonly Failure[] = []) => failures.map(({ requirement }) => requirement);

const list = "tools/arguments-are-a-list";

describe("a driver of level wire", () => {
  it("hands a list to a tool, without an id, and that is found of its requirement", async () => {
    const { verdict: given, failures } = await verdict(list, async (kit, params) => {
      await careless(kit, params);
      return { ended: "completed" };
    });
    expect(given).toBe("fail");
    expect(requirements(failures)).toContain("TOOL-3");
  });
  it.each([
    ["as an error", "error", "pass"],
    ["as success", "completed", "fail"],
  ] as const)("tells a failure %s", async (_, ended, wanted) => {
    const result = await verdict("stop/refused-request", async (_kit, params) => {
      await (await ask(params, [{ role: "user", content: params.input }], [])).text();
      return { ended };
    });
    expect(result.verdict).toBe(wanted);
    if (wanted === "fail") expect(result.failures?.[0]?.message).toMatch(/reported as completed/);
  });
  it("says that a run is not expressible, which is no pass [DRIVER-25, KIT-28]", async () => {
    const result = await verdict(list, async () => ({ not_expressible: "it has no tools" }));
    expect(result.verdict).toBe("not-applicable");
    expect(result.reason).toBe("the driver cannot express it: it has no tools");
  });
  it("is not played a case for which it has no verb, and the reason is said [KIT-28]", async () => {
    const { verdict: given, reason } = await verdict("cancel/nothing-new-begins", () => expect.unreachable());
    expect([given, reason]).toEqual(["not-applicable", expect.stringMatching(/does not offer cancel/)]);
  });
  it("says so too late [DRIVER-25]", async () => {
    const { verdict: given, failures } = await verdict(list, async (kit, params) => {
      await careless(kit, params);
      return { not_expressible: "it went wrong" };
    });
    expect(given).toBe("fail");
    expect(failures?.[0]?.message).toMatch(/not expressible, but it had begun: it went wrong/);
  });
});
