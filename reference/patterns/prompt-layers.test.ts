// Prompt layers: their order, parents, filters, and the stable prefix.

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { agentLoop } from "../run/run.ts";
import { initSession } from "../core/session.ts";
import type { ToldInTurn } from "../tools/turn-info.ts";
import { inheritLayers, orderedLayers, promptLayers, type PromptLayer } from "./prompt-layers.ts";

const info = (context: Record<string, unknown> = {}, turn = 1): ToldInTurn => ({
  context,
  turn,
  agent: "main",
  session: initSession({ id: "s", user: "Go." }),
});
const names = (layers: PromptLayer[], tags?: string[]) =>
  orderedLayers(layers, tags ? { tags } : {}).map(({ name }) => name);
const layer = (name: string, more: Partial<PromptLayer> = {}): PromptLayer => ({ name, text: name, ...more });

describe("the order of prompt layers", () => {
  it("is stable before volatile, then by priority, then by name", () => {
    const layers = [
      layer("now", { text: () => "12:00" }),
      layer("z"),
      layer("b", { priority: 2 }),
      layer("a", { priority: 2 }),
      layer("first", { priority: -1 }),
      layer("mood", { volatile: true, priority: -9 }),
      layer("rules", { text: () => "rules", volatile: false }),
    ];
    expect(names(layers)).toEqual(["first", "rules", "z", "a", "b", "mood", "now"]);
    expect(names(layers.toReversed())).toEqual(names(layers));
  });

  it("puts each layer after its parent, and treats descendants of a volatile one as volatile", () => {
    const layers = [
      layer("detail", { parent: "topic", priority: -5 }),
      layer("topic", { parent: "base", priority: 3 }),
      layer("other", { parent: "base", priority: 1 }),
      layer("base", { priority: 9 }),
      layer("news", { volatile: true, parent: "base" }),
      layer("footnote", { parent: "news", priority: -9 }),
      layer("last", { priority: 10 }),
    ];
    expect(names(layers)).toEqual(["base", "other", "topic", "detail", "last", "news", "footnote"]);
  });

  it("is independent of the input order, and has each layer once, after its parent", () => {
    fc.assert(
      fc.property(forest, fc.infiniteStream(fc.nat()), (layers, random) => {
        const order = names(layers);
        const shuffled = layers.map((one) => [random.next().value!, one] as const).toSorted(([a], [b]) => a - b);
        expect(names(shuffled.map(([, one]) => one))).toEqual(order);
        expect(order.toSorted()).toEqual(layers.map(({ name }) => name).toSorted());
        for (const { name, parent } of layers) {
          if (parent !== undefined) expect(order.indexOf(parent)).toBeLessThan(order.indexOf(name));
        }
      }),
    );
  });
});

describe("layers that inherit from another list", () => {
  const base = [layer("who"), layer("rules", { parent: "who" }), layer("tone", { priority: 5 })];

  it("are those of both, and their own where a name is in both", () => {
    const own = [layer("tone", { text: "Be brief.", priority: -1 }), layer("task", { parent: "rules" })];
    const layers = inheritLayers(base, own);
    expect(names(layers)).toEqual(["tone", "who", "rules", "task"]);
    expect(layers.find(({ name }) => name === "tone")?.text).toBe("Be brief.");
    expect(names(base)).toEqual(["who", "rules", "tone"]);
  });

  it("are refused where their own list has a name twice", () => {
    expect(() => promptLayers(inheritLayers(base, [layer("task"), layer("task")]))).toThrow(/Two prompt layers/);
  });
});

describe("a filter", () => {
  it("keeps the layers without tags, and those with a matching tag, if their parents match", () => {
    const layers = [
      layer("always"),
      layer("coding", { tags: ["code", "review"] }),
      layer("style", { parent: "coding" }),
      layer("writing", { tags: ["prose"] }),
      layer("none", { tags: [] }),
    ];
    expect(names(layers)).toEqual(["always", "coding", "style", "none", "writing"]);
    expect(names(layers, ["review"])).toEqual(["always", "coding", "style"]);
    expect(names(layers, [])).toEqual(["always"]);
  });
});

describe("layers that cannot be ordered are rejected", () => {
  it.each<[string, PromptLayer[], RegExp]>([
    ["two of one name", [layer("a"), layer("b"), layer("a", { owner: "ann" })], /Two prompt layers are named a/],
    [
      "an unknown parent",
      [layer("a", { parent: "x", owner: "ann" }), layer("b")],
      /"x" of a \(of ann\) .* Layers: a, b/,
    ],
    ["its own parent", [layer("a", { parent: "a" })], /cycle: a → a\./],
    [
      "a cycle",
      [
        layer("d", { parent: "c" }),
        layer("a", { parent: "c" }),
        layer("b", { parent: "a" }),
        layer("c", { parent: "b" }),
      ],
      /cycle: c → a → b → c\.|cycle: a → b → c → a\.|cycle: b → c → a → b\./,
    ],
  ])("%s", (_, layers, message) => {
    expect(() => promptLayers(layers)).toThrow(TypeError);
    expect(() => promptLayers(layers)).toThrow(message);
  });

  it("even if the filter would exclude them", () => {
    expect(() => promptLayers([layer("a", { parent: "x", tags: ["t"] })], { tags: [] })).toThrow(/does not exist/);
  });
});

describe("the text of prompt layers", () => {
  it("is that of the layers separated by a blank line, without empty ones", async () => {
    const make = promptLayers([
      layer("who", { text: "You are a clerk." }),
      layer("silent", { text: "" }),
      layer("user", { text: async ({ context }) => `The user is ${String(context["user"])}.` }),
      layer("hint", { text: ({ turn }) => (turn > 1 ? "Hurry." : ""), priority: 1 }),
    ]);
    expect(await make(info({ user: "Ann" }))).toBe("You are a clerk.\n\nThe user is Ann.");
    expect(await make(info({ user: "Bob" }, 2))).toBe("You are a clerk.\n\nThe user is Bob.\n\nHurry.");
  });

  it("begins with the stable layers, whatever the text of the volatile ones", async () => {
    const texts = fc.dictionary(fc.string({ maxLength: 3 }), fc.string());
    await fc.assert(
      fc.asyncProperty(forest, texts, texts, async (layers, one, other) => {
        const spoken = layers.map((it) => (it.volatile ? { ...it, text: spokenBy(it.name) } : it));
        const isStable = (it: PromptLayer): boolean =>
          !it.volatile && (it.parent === undefined || isStable(layers.find(({ name }) => name === it.parent)!));
        const make = promptLayers(spoken);
        const prefix = await promptLayers(layers.filter(isStable))(info());
        expect((await make(info(one))).slice(0, prefix.length)).toBe(prefix);
        expect((await make(info(other))).slice(0, prefix.length)).toBe(prefix);
      }),
    );
  });

  it("is sent to the model", async () => {
    const systems: unknown[] = [];
    const instructions = promptLayers([layer("who"), layer("turn", { text: ({ turn }) => `turn ${turn}` })]);
    const provider = {
      name: "scripted",
      invokeModel: async ({ messages }: { messages: unknown[] }) => {
        systems.push(messages[0]);
        return { messages: [{ role: "assistant" as const, content: "Done." }], stop_reason: "end_turn" as const };
      },
    };
    await agentLoop({ session: initSession({ id: "s", user: "Go." }), provider, instructions }).result;
    expect(systems).toEqual([{ role: "system", content: "who\n\nturn 1" }]);
  });
});

/** Random layers, whose parents are earlier layers. */
const forest: fc.Arbitrary<PromptLayer[]> = fc
  .uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 8 })
  .chain((all) =>
    fc.tuple(
      ...all.map((name, at) =>
        fc.record(
          {
            name: fc.constant(name),
            text: fc.string(),
            priority: fc.integer({ min: -2, max: 2 }),
            parent: at > 0 ? fc.constantFrom(...all.slice(0, at)) : fc.constant(undefined as never),
            volatile: fc.boolean(),
          },
          { requiredKeys: ["name", "text"] },
        ),
      ),
    ),
  )
  .map((layers) =>
    (layers as PromptLayer[]).map(({ parent, ...one }) => (parent === undefined ? one : { ...one, parent })),
  );

function spokenBy(name: string): Exclude<PromptLayer["text"], string> {
  return ({ context }) => String(context[name] ?? name);
}
