// JUnit's XML: it is XML whatever the texts are, its counts add up, and nothing that was not executed has passed.

import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { junitReporter } from "./junit.ts";
import { elements, readXml } from "./testing/read-xml.ts";
import type { Element } from "./testing/read-xml.ts";
import { everyVerdict, hostileReport, reportOf, resultOf, written } from "./testing/sample.ts";

const nameOf = (test: Element) => test.attributes["name"]!.split("/").at(-1)!;
const counts = (element: Element) =>
  ["tests", "failures", "errors", "skipped"].map((name) => Number(element.attributes[name]));

describe("the junit reporter", () => {
  it("has an outcome for each verdict, and calls only a pass passed [REPORT-4]", () => {
    const report = reportOf(everyVerdict.map((verdict) => resultOf(verdict, "x")));
    const tests = elements(readXml(written(junitReporter, report)), "testcase");
    expect(Object.fromEntries(tests.map((test) => [nameOf(test), test.children.map(({ name }) => name)]))).toEqual({
      pass: [],
      fail: ["failure"],
      "expected-fail": ["skipped"],
      "unexpected-pass": ["failure"],
      unsupported: ["skipped"],
      "not-applicable": ["skipped"],
      "not-run": ["skipped"],
      "harness-error": ["error"],
      "TOOL-9 is kept": ["failure"],
      "what was selected is run": ["error"],
    });
    expect(
      elements(readXml(written(junitReporter, report)), "skipped").map((one) => one.attributes["message"]),
    ).toEqual(["expected-fail", "unsupported", "not-applicable", "not-run"].map((verdict) => `${verdict}: because x`));
  });
  it("says what failed, where, and in what", () => {
    const [beside, suite] = elements(
      readXml(written(junitReporter, reportOf([resultOf("fail", "x")], { seed: 7 }))),
      "testsuite",
    );
    expect(elements(beside!, "failure")[0]!.text).toContain("TOOL-9 essential, loses: expect.status: x\nbroken in 1");
    const [test] = elements(suite!, "testcase");
    const [failure] = test!.children;
    expect(suite!.attributes).toMatchObject({ name: "area", tests: "1", failures: "1", time: "1.234" });
    expect(test!.attributes).toMatchObject({ classname: "area.one", line: "12" });
    expect(test!.attributes["file"]).toMatch(/conformance\/cases\/area\/one\.yaml$/);
    expect(failure!.attributes).toEqual({ message: "assertion: expect.status: x", type: "assertion" });
    expect(failure!.text).toContain("TOOL-9 The loop MUST answer.");
    const properties = elements(suite!, "property").map(({ attributes }) => [attributes["name"], attributes["value"]]);
    expect(Object.fromEntries(properties)).toMatchObject({ driver: "x", spec: "1.0-draft", seed: "7" });
  });
  it("adds up, for each area and in all", () => {
    const results = everyVerdict.map((verdict) => resultOf(verdict, "x"));
    const other = results.map((result) => ({ ...result, case: "other/two", check: "other/two#TOOL-9" }));
    const root = readXml(written(junitReporter, { ...hostileReport(), variants: [...results, ...other] }));
    const suites = elements(root, "testsuite");
    expect(suites.map(({ attributes }) => attributes["name"])).toEqual(["run", "area", "other"]);
    expect(counts(root)).toEqual([0, 1, 2, 3].map((at) => suites.reduce((sum, suite) => sum + counts(suite)[at]!, 0)));
    for (const suite of suites)
      expect(counts(suite)).toEqual(
        ["testcase", "failure", "error", "skipped"].map((name) => elements(suite, name).length),
      );
  });
  it("is red where every variant is skipped because the driver never started", () => {
    const report = reportOf([resultOf("not-run", "x")], { start_error: "it exited" });
    const root = readXml(written(junitReporter, report));
    expect(counts(root)).toEqual([2, 0, 1, 1]);
    expect(elements(root, "error")[0]!.text).toBe("it exited");
  });
  it("is XML whatever the texts are [REPORT-12]", () => {
    const source = written(junitReporter, hostileReport());
    expect(elements(readXml(source), "testcase").length).toBe(everyVerdict.length + 3);
  });
  it.skipIf(spawnSync("python3", ["--version"]).status !== 0)("is XML to another reader too", () => {
    const program =
      "import sys, xml.etree.ElementTree as e; print(len(list(e.fromstring(sys.stdin.buffer.read()).iter('testcase'))))";
    const { stdout, stderr } = spawnSync("python3", ["-c", program], {
      input: written(junitReporter, hostileReport()),
    });
    expect([stdout.toString().trim(), stderr.toString()]).toEqual([String(everyVerdict.length + 3), ""]);
  });
  it("says how much was left out and how much is known to fail, which skipped tests hide", () => {
    const results = [resultOf("pass"), resultOf("unsupported"), resultOf("expected-fail")];
    const text = written(junitReporter, reportOf(results, { profiles: ["core"] }));
    for (const property of ['"profiles" value="core"', '"unsupported" value="1"', '"known_to_fail" value="1"'])
      expect(text).toContain(`<property name=${property}/>`);
  });
});
