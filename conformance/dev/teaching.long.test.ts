// Does the exercises as a student would: plants each fault in a copy of the core, and has the kit look for it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placeOf } from "../copy/ejected-files.ts";
import { exercises } from "./exercises.ts";
import { readMutants } from "./mutants/read-mutants.ts";
import { root } from "./schema-files.ts";
import { isWhole } from "./whole.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-exercises-"));
const copy = join(folder, "my-loop");
const mutants = new Map(readMutants(root, () => false).mutants.map((mutant) => [mutant.id, mutant]));
beforeAll(() => expect(agentLoop("eject", copy).code).toBe(0));
afterAll(() => rmSync(folder, { recursive: true }));

function agentLoop(...args: string[]): { code: number | null; output: string } {
  const command = [join(root, "conformance/cli/main.ts"), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8", cwd: folder });
  return { code: status, output: stdout + stderr };
}
const play = (...ids: string[]) =>
  agentLoop("test", "--driver", copy, "--provider", "generic", ...ids.flatMap((id) => ["--case", id]));

// Each takes a start of the kit; what it shows is shown by the kill matrix, too.
it.each(exercises().filter((_, at) => isWhole || at % 3 === 0))(
  "$number: the fault $fault turns $case red",
  ({ fault, case: id }) => {
    const { file, replace, by, requirement } = mutants.get(fault)!;
    const place = join(copy, placeOf(file));
    const text = readFileSync(place, "utf8");
    expect(text.split(replace)).toHaveLength(2);
    writeFileSync(
      place,
      text.replace(replace, () => by),
    );
    const { code, output } = play(id);
    writeFileSync(place, text);
    expect(code).toBe(1);
    expect(output).toContain(requirement);
  },
);

it("without a fault all of them are green", () => {
  const { code, output } = play(...exercises().map(({ case: id }) => id));
  expect(output).toContain("none failed");
  expect(code).toBe(0);
});
