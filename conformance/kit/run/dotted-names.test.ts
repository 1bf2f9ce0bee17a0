// Features and seams of a driver's own hinder nobody: the kit takes them, and plays what it knows.

import { expect, it } from "vitest";
import type { InitializeResult } from "../../../schemas/types.ts";
import type { MakeDriver } from "../driver/in-process.ts";
import { fakeLoop } from "../testing/fake-loop.ts";
import { playSuite } from "../testing/play-suite.ts";
import { smallSuite } from "../testing/zoo.ts";
import { readReport, reportLines } from "./report-file.ts";

/** What was played with a right loop that introduces itself so: the variants that passed, and all others with their verdicts. */
async function played(own: Partial<InitializeResult>) {
  const runs: string[] = [];
  const driver: MakeDriver = (kit) => ({
    initialize: () => ({
      protocol: 1,
      implementation: { name: "own", version: "1", language: "typescript" },
      seams: ["generic"],
      ...own,
    }),
    run: (params) => {
      runs.push(params.model.seam);
      return fakeLoop(params, {
        ask: (method, asked) => kit.request(method, asked as never),
        emit: (event) => kit.notify("event", { run: params.run, event }),
      });
    },
  });
  const report = await playSuite(driver, { suite: await smallSuite(), select: {} });
  expect(report.start_error).toBeUndefined();
  const { variants } = readReport(reportLines(report), "the report");
  return {
    runs: runs.length,
    verdicts: variants.map(({ check, variant, verdict }) => `${check} ${variant} ${verdict}`),
  };
}

it("a driver with a feature of its own is played what it is played without [KIT-38]", async () => {
  const without = await played({});
  expect(without.runs).toBeGreaterThan(4);
  expect(await played({ features: ["com.example.sings"] })).toEqual(without);
});

it("a driver with a seam of its own is played what it is played without [KIT-39]", async () => {
  const seams = ["generic", "com.example.models"] as InitializeResult["seams"];
  expect(await played({ seams })).toEqual(await played({}));
});
