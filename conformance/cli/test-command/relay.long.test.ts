// The option --relay of `test` as a person meets it.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findDriver, readReport } from "../../kit/index.ts";
import { relayWith } from "./relay.ts";
import { UsageError } from "../../kit/base/usage-error.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

function relay(...args: string[]): Promise<{ code: number; stdout: string }> {
  const command = [main, "test", "--driver", "reference", "--relay", "reference", "-p", "generic", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, (error, stdout) => resolve({ code: error ? Number(error.code) : 0, stdout }));
  });
}

describe.concurrent("test --relay", () => {
  it("names both drivers, plays what can be handed over, and says why the rest is not played", async () => {
    const cases = ["external/resume-executes-the-rest", "tools/unknown-tool-without", "session/unknown-fields-survive"];
    const { code, stdout } = await relay(...cases.flatMap((id) => ["--case", id]), "--reporter", "json");
    const report = readReport(stdout, "stdout");
    expect(report.driver).toBe("reference ⇄ reference");
    expect(report.implementation?.implementation.language).toBe("typescript ⇄ typescript");
    expect(report.variants.map(({ case: id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ["external/resume-executes-the-rest", "pass", undefined],
      ["session/unknown-fields-survive", "not-applicable", "its run has one turn, so that nothing is handed over"],
      ["tools/unknown-tool-without-tools", "pass", undefined],
    ]);
    expect(code).toBe(0);
  });

  it("is red where nothing of what was selected is handed over", async () => {
    const { code, stdout } = await relay("--case", "session/unknown-fields-survive");
    expect(stdout).toContain("not-applicable");
    expect(code).toBe(1);
  });

  it("refuses what is about one driver, and a second one that is not there", () => {
    const reference = findDriver("reference");
    const other = { relay: "reference" };
    expect(relayWith(reference, {})).toBeUndefined();
    expect(relayWith(reference, other)?.driver.name).toBe("reference ⇄ reference");
    for (const option of [{ probe: true }, { updateKnownFailures: true }, { knownFailures: "list.yaml" }])
      expect(() => relayWith(reference, { ...other, ...option })).toThrow(UsageError);
    expect(() => relayWith(reference, { relay: "nobody" })).toThrow("no driver is called nobody");
  });
});
