// Whatever a loop does wrong when its process ends is found, of its requirement, and with the moment.

import { describe, expect, it } from "vitest";
import { inProcess } from "../driver/in-process.ts";
import type { MakeDriver } from "../driver/in-process.ts";
import type { OpenDriver } from "../driver/types.ts";
import { sharedSuite } from "../testing/shared-suite.ts";
import { journalledLoop } from "../testing/journalled-loop.ts";
import type { JournalFault } from "../testing/journalled-loop.ts";
import { playSuite } from "../testing/play-suite.ts";
import { runSuite } from "./runner.ts";

const suite = await sharedSuite();
const anywhere = "journal/process-ends-anywhere";

/** The failures of a loop, where the process ends at every moment. */
async function failuresOf(fault?: JournalFault): Promise<readonly { requirement?: string; message: string }[]> {
  const { variants: results } = await playSuite(journalledLoop(fault), { suite, select: { cases: [anywhere] } });
  expect(results).toHaveLength(1);
  return results[0]!.failures ?? [];
}

describe("a process that ends at any moment", () => {
  it("is no fault of a loop that writes down what it does", async () => {
    expect(await failuresOf()).toEqual([]);
  });

  it.each([
    ["starts_unwritten", "JOURNAL-3"],
    ["results_unwritten", "JOURNAL-4"],
    ["repeats_everything", "JOURNAL-9"],
    ["makes_results_up", "JOURNAL-9"],
    ["miscounts", "DRIVER-32"],
  ] as const)("finds a loop that %s [KIT-35]", async (fault, requirement) => {
    const failures = await failuresOf(fault);
    expect(failures.map((one) => one.requirement)).toContain(requirement);
  });

  it("is played once for each moment at which the driver waits for the kit [KIT-35]", async () => {
    const waits: string[] = [];
    const noting: MakeDriver = (kit) =>
      journalledLoop()({
        ...kit,
        request: (method, asked) => {
          waits.push(`${asked.run} ${method}`);
          return kit.request(method, asked);
        },
      });
    await playSuite(noting, { suite, select: { cases: [anywhere] } });
    const runs = Map.groupBy(waits, (line) => line.split(" ", 1)[0]);
    const [whole = []] = runs.values();
    // Records may be lost before they are kept, and kept without an answer.
    const appends = whole.filter((line) => line.endsWith(" journal/append"));
    expect(appends.length).toBeGreaterThan(2);
    expect(runs.size).toBe(1 + whole.length + appends.length);
  });

  it("says at which moment it ended [KIT-35]", async () => {
    const [failure] = await failuresOf("repeats_everything");
    expect(failure!.message).toMatch(
      /^where the process ends when tool\/execute has come: the call .* was executed twice/,
    );
    const [forgotten] = await failuresOf("forgets_everything");
    expect(forgotten!.message).toMatch(/^where the process ends when /);
  });
});

describe("a process that a case leaves alive", () => {
  const cases = ["journal/result-is-kept-before-it-is-reported", "journal/steps-wait-for-their-records"];
  const [first] = cases as [string];

  it("is there for the next case", async () => {
    let started = 0;
    const counted: MakeDriver = (kit) => {
      started += 1;
      return journalledLoop()(kit);
    };
    const { variants } = await playSuite(counted, { suite, select: { cases }, jobs: 1 });
    expect(variants.map(({ verdict }) => verdict)).toEqual(["pass", "pass"]);
    // That of the cases without a journal, which were not selected, and one more.
    expect(started).toBe(2);
  });

  it("is ended with the run, however that ends", async () => {
    const open: OpenDriver[] = [];
    let stopped = 0;
    const counted: OpenDriver = (listener) => {
      const driver = inProcess(journalledLoop())(listener);
      open.push(counted);
      return Object.assign(Object.create(driver) as typeof driver, {
        write: (line: string) => driver.write(line),
        stop: async () => void (stopped += 1),
      });
    };
    const end = new AbortController();
    const driver = { name: "memory", argument: "memory", command: counted };
    const onBegin = ({ check }: { check: string }) => check.startsWith(first) && end.abort("it is enough");
    await runSuite({ driver, suite, knownFailures: null, select: { cases }, jobs: 1, signal: end.signal, onBegin });
    await expect.poll(() => stopped).toBe(open.length);
  });

  it("and dies before it says anything of the next one was killed by the one before", async () => {
    const dying: OpenDriver = (listener) => {
      const driver = inProcess(journalledLoop())(listener);
      let runs = 0;
      return Object.assign(Object.create(driver) as typeof driver, {
        write: (line: string) => {
          if (line.includes('"method":"run"') && ++runs > 1) listener.exit({ code: 1, signal: null, halfLine: "" });
          else driver.write(line);
        },
        stop: () => driver.stop(),
        kill: () => driver.kill(),
      });
    };
    const driver = { name: "memory", argument: "memory", command: dying };
    const { report } = await runSuite({ driver, suite, knownFailures: null, select: { cases }, jobs: 1 });
    expect(report.variants.map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
    expect(report.variants[0]!.failures).toEqual([expect.objectContaining({ code: "driver_crashed" })]);
  });
});
