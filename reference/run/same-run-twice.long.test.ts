// With a virtual clock and fixed ids a run is a function of what it is given: twice the same, to the byte.

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";

import { agentLoop } from "./run.ts";
import { virtualClock } from "../support/clock.ts";
import { initSession } from "../core/session.ts";
import { anthropicMessages } from "../providers/anthropic-messages/index.ts";
import { openaiChat } from "../providers/openai-chat/index.ts";
import { openaiResponses } from "../providers/openai-responses/index.ts";
import { catalogue } from "../testing/catalogue.ts";
import { live, warmUp } from "../testing/live.ts";
import { randomScenario } from "../testing/random-scenario.ts";
import type { Scenario } from "../testing/scenario.ts";
import { firstTurn } from "../testing/wire-answers.ts";

/** Everything that can be seen of a life, as text. */
async function record(scenario: Scenario): Promise<string> {
  const { segments, world } = await live(scenario);
  const seen = segments.map(({ kind, events, result, session }) => ({ kind, events, result, session }));
  const { labels, asked } = world;
  return JSON.stringify({ seen, labels, asked: asked.map(({ json }) => json), ended: world.clock.now() });
}

beforeAll(warmUp);

describe("the same run twice", () => {
  it.each(Object.entries(catalogue))("%s", async (_, scenario) => {
    expect(await record(scenario)).toBe(await record(scenario));
  });

  it("whatever happens in it", async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, async (scenario) => {
        expect(await record(scenario)).toBe(await record(scenario));
      }),
      { numRuns: 300, seed: 1, plugins: [fc.unbiased()] },
    );
  });

  it.each(["anthropic-messages", "openai-chat", "openai-responses"] as const)(
    "through the adapter of %s",
    async (name) => {
      const once = async () => {
        const bodies: unknown[] = [];
        const post = (_path: string, { body }: { body: unknown }) => {
          bodies.push(structuredClone(body));
          const headers = { "content-type": "text/event-stream" };
          return { asResponse: async () => new Response(firstTurn[name].join(""), { headers }) };
        };
        const settings = { model: "m", client: { post } };
        const provider = {
          "anthropic-messages": anthropicMessages,
          "openai-chat": openaiChat,
          "openai-responses": openaiResponses,
        }[name](settings);
        let ids = 0;
        const run = agentLoop({
          session: initSession({ id: "s", user: "Go." }),
          provider,
          tools: [{ name: "look", input_schema: { type: "object" }, execute: () => "seen" }],
          clock: virtualClock(),
          newId: () => `id_${(ids += 1)}`,
          random: () => 0.5,
          options: { max_turns: 2 },
        });
        const events: unknown[] = [];
        for await (const event of run) events.push(event);
        return JSON.stringify([events, await run.result, await run.session, bodies]);
      };
      const first = await once();
      expect(first).toContain('"max_turns"');
      expect(await once()).toBe(first);
    },
  );
});
