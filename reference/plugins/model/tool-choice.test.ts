// The choice of tools beyond what a case can show: suspended runs, limits, and other things that are asked for.

import type { RunSetup } from "../../run/setup.ts";
import { describe, expect, it } from "vitest";

import { agentLoop, resume } from "../../run/run.ts";
import type { Provider } from "../../core/ports.ts";
import { initSession } from "../../core/session.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { ModelRequest, ModelResponse, RunOptions } from "../../../schemas/types.ts";

const session = initSession({ id: "s", user: "Go." });
const calls = (name: string, id = "c"): ModelResponse => ({
  messages: [{ type: "tool_call", id, name, input: {} }],
  stop_reason: "tool_use",
});
const text = (content: string): ModelResponse => ({
  messages: [{ role: "assistant", content }],
  stop_reason: "end_turn",
});

/** A provider with a script, and what it was asked to choose, request by request. */
function scripted(...responses: ModelResponse[]): Provider & { chosen: ModelRequest["tool_choice"][] } {
  const chosen: ModelRequest["tool_choice"][] = [];
  return {
    name: "scripted",
    chosen,
    invokeModel: async ({ tool_choice }) => {
      chosen.push(tool_choice);
      return responses.shift()!;
    },
  };
}

/** Without a handler: the caller answers. */
const ask = defineTool({ name: "ask", input_schema: { type: "object" } });
const look = defineTool({ name: "look", input_schema: { type: "object" }, execute: () => "ok" });
const setup = (provider: Provider, options: RunOptions): RunSetup => ({ provider, tools: [ask, look], options });

async function suspendedAndResumed(provider: Provider, options: RunOptions) {
  const { snapshot } = await agentLoop({ session, ...setup(provider, options) }).result;
  const kept = JSON.parse(JSON.stringify(snapshot)) as NonNullable<typeof snapshot>;
  const decisions = [{ id: "c", action: "respond" as const, output: "yes" }];
  return resume({ ...setup(provider, {}), snapshot: kept, decisions }).result;
}

describe("a choice for the first turn", () => {
  it("is not repeated after a resume [LOOP-60]", async () => {
    const provider = scripted(calls("ask"), calls("look", "d"), text("Done."));
    const result = await suspendedAndResumed(provider, { tool_choice: "required" });
    expect(result.status).toBe("completed");
    expect(provider.chosen).toEqual(["required", undefined, undefined]);
  });

  it("is not asked for again after a resume by an answer without calls [LOOP-61]", async () => {
    const provider = scripted(text("No."), calls("ask"), text("Done."));
    const result = await suspendedAndResumed(provider, { tool_choice: { name: "ask" } });
    expect(result).toMatchObject({ status: "completed", turns: 3 });
    expect(provider.chosen).toEqual([{ name: "ask" }, { name: "ask" }, undefined]);
  });
});

describe("a choice for every turn", () => {
  it("goes on after a resume [LOOP-60]", async () => {
    const provider = scripted(calls("ask"), calls("look", "d"));
    const options: RunOptions = { tool_choice: "required", tool_choice_for: "every_turn", max_turns: 2 };
    expect((await suspendedAndResumed(provider, options)).status).toBe("max_turns");
    expect(provider.chosen).toEqual(["required", "required"]);
  });

  it("that no tool may be called goes on, too [LOOP-60]", async () => {
    const provider = scripted(text(""), text("Done."));
    const options: RunOptions = { tool_choice: "none", tool_choice_for: "every_turn", on_empty: "retry" };
    await agentLoop({ session, ...setup(provider, options) }).result;
    expect(provider.chosen).toEqual(["none", "none"]);
  });
});

describe("insisting", () => {
  it("says which tool has to be called [LOOP-61]", async () => {
    const provider = scripted(text("No."), text("No."));
    const run = agentLoop({ session, ...setup(provider, { tool_choice: { name: "look" } }) });
    const { error } = await run.result;
    expect(error).toMatchObject({ kind: "tool_choice_violated", message: expect.stringContaining("the tool look") });
    expect((await run.session).messages.at(-2)).toMatchObject({ content: "You have to call the tool look now." });
  });

  it("comes before what else is wrong with the text [LOOP-61 LOOP-64]", async () => {
    const provider = scripted(text("No."), calls("look"), text("7"));
    const output_format = { name: "count", schema: { type: "integer" } };
    const result = await agentLoop({ session, ...setup(provider, { tool_choice: "required", output_format }) }).result;
    expect(result).toMatchObject({ status: "completed", turns: 3, output: 7 });
  });

  it("needs a turn that the run may still have [LOOP-23]", async () => {
    const provider = scripted(text("No."));
    const result = await agentLoop({ session, ...setup(provider, { tool_choice: "required", max_turns: 1 }) }).result;
    expect(result).toMatchObject({ status: "completed", final_text: "No." });
    expect(provider.chosen).toEqual(["required"]);
  });

  it("is for a call, not for its success [LOOP-61]", async () => {
    const provider = scripted(calls("unknown"), text("Done."));
    expect((await agentLoop({ session, ...setup(provider, { tool_choice: "required" }) }).result).turns).toBe(2);
  });
});
