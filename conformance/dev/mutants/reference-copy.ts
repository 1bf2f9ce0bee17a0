// A copy of the reference and its driver, into which one fault after another is put.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NamedDriver } from "../../kit/index.ts";
import type { Mutant } from "./read-mutants.ts";

/** A copy of the reference that can be broken. */
export interface ReferenceCopy {
  /** Starts the driver of the copy. */
  driver: NamedDriver;
  /** Puts a fault in, lets `run` use the copy, and takes the fault out again, whatever `run` does. */
  broken<T>(mutant: Mutant, run: () => Promise<T>): Promise<T>;
  /** Removes the copy. */
  remove(): void;
}

const driverFile = "conformance/drivers/reference/driver.ts";

/** Copies the reference, its driver and nothing else below `.cache`. What it needs of node_modules is found through a link. */
export function copyReference(root: string): ReferenceCopy {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const copy = mkdtempSync(join(root, ".cache/mutant-"));
  const isNeeded = (path: string) => !path.endsWith(".test.ts");
  for (const folder of ["reference", dirname(driverFile)])
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isNeeded });
  writeFileSync(join(copy, "package.json"), JSON.stringify({ type: "module" }));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const argv: [string, string] = ["node", join(copy, driverFile)];
  return {
    driver: { name: "mutant", command: { argv, cwd: copy }, argument: argv.join(" ") },
    broken: async (mutant, run) => {
      const file = join(copy, mutant.file);
      const whole = readFileSync(file, "utf8");
      writeFileSync(
        file,
        whole.replace(mutant.replace, () => mutant.by),
      );
      try {
        return await run();
      } finally {
        writeFileSync(file, whole);
      }
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
