// What is found in combinations: what a loop breaks is its own, and of two that differ neither is blamed.

import { expect, it } from "vitest";
import type { InitializeResult, RunResult } from "../../../schemas/types.ts";
import { inProcess } from "../driver/in-process.ts";
import type { TestedDriver } from "../run/types.ts";
import { fakeLoop } from "../testing/fake-loop.ts";
import { smallSuite } from "../testing/zoo.ts";
import { examine, reduce } from "./examine.ts";
import { combinationOf } from "./make-combination.ts";

const handshake: InitializeResult = {
  protocol: 1,
  implementation: { name: "small", version: "1", language: "typescript" },
  seams: ["generic"],
  features: ["context", "handoff", "tool_data"],
};

/** A right loop, but for what it changes of the result wherever another agent went on. */
function loop(change: (result: RunResult) => Partial<RunResult>): TestedDriver {
  const changed = (result: RunResult) => (result.agent === "second" ? { ...result, ...change(result) } : result);
  const command = inProcess((kit) => ({
    initialize: () => handshake,
    async run(params) {
      const { result, session } = await fakeLoop(params, {
        ask: (method, request) => kit.request(method, request as never) as Promise<unknown>,
        emit: (event) =>
          kit.notify("event", {
            run: params.run,
            event: event.type === "run_end" ? { ...event, result: changed(event.result as RunResult) } : event,
          }),
      });
      return { result: changed(result), session };
    },
  }));
  return { name: "small", argument: "small", command };
}

const right = loop(() => ({}));
/** It says a reason, which no sentence forbids, and nobody else does. */
const talks = loop(() => ({ reason: "the second one did it" }));
const miscounts = loop(({ turns }) => ({ turns: turns + 1 }));

const combinations = [
  combinationOf(3, ["tool data", "handoff", "context"]),
  combinationOf(4, ["tool data", "context"]),
];

it("finds nothing in two loops that do the same", async () => {
  const suite = await smallSuite();
  const { found, played } = await examine(combinations, {
    drivers: new Map([
      ["one", right],
      ["two", right],
    ]),
    suite,
  });
  expect(found).toEqual([]);
  expect([...played]).toEqual([
    ["one", 2],
    ["two", 2],
  ]);
});

it("says where two loops differ, and blames neither [KIT-44]", async () => {
  const suite = await smallSuite();
  const { found } = await examine(combinations, {
    drivers: new Map([
      ["one", right],
      ["two", talks],
    ]),
    suite,
  });
  expect(found).toEqual([
    {
      combination: combinations[0],
      broken: [],
      different: [
        { driver: "two", differences: [{ at: "result/reason", left: undefined, right: "the second one did it" }] },
      ],
    },
  ]);
});

it("says what a loop breaks of what holds in every run [KIT-44]", async () => {
  const suite = await smallSuite();
  const { found } = await examine(combinations, { drivers: new Map([["one", miscounts]]), suite });
  expect(found.map(({ broken }) => broken.map(({ driver }) => driver))).toEqual([["one"]]);
  expect(found[0]!.broken[0]!.failures.map(({ requirement }) => requirement)).toContain("LOOP-22");
});

it("leaves out every ingredient without which it is found, too", async () => {
  const options = {
    drivers: new Map([
      ["one", right],
      ["two", talks],
    ]),
    suite: await smallSuite(),
  };
  const { found } = await examine(combinations, options);
  const least = await reduce(found, options);
  expect(least.map(({ combination }) => combination.ingredients)).toEqual([["handoff"]]);
});
