// Where the tests are: beside what they test. Which of them share their modules.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { isWhole, wholeVariable } from "./whole.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const include = ["reference/**/*.test.ts", "conformance/**/*.test.ts"];
const exclude = ["**/node_modules/**", "dist/**"];

const tests = globSync(include, { cwd: root });
/** What is too slow to wait for while one works. */
const whole = tests.filter((file) => file.endsWith(".whole.test.ts"));
const long = tests.filter((file) => file.endsWith(".long.test.ts"));
/** A test that replaces a module would replace it for every later test, too. */
export const replacing = tests.filter((file) => readFileSync(join(root, file), "utf8").includes("vi.mock("));

// Without it, vitest would say no more than that there is no such file.
if (!isWhole && process.argv.some((word) => word.includes(".whole.test.")))
  throw new Error(`a test of the whole form is run with ${wholeVariable}=whole before its command`);

export default defineConfig({
  root,
  test: {
    // A time limit is for a test that hangs, and says nothing of a machine that has much else to do.
    testTimeout: 60_000,
    // What a test leaves behind may be thousands of files, and the disk may be busy.
    hookTimeout: 120_000,
    // As little as one second is enough where nothing else runs; a browser or a process on a busy machine may need many.
    expect: { poll: { timeout: 30_000 } },
    // One more than the two processors that these times are planned for: the longest tests wait for processes most of the time.
    maxWorkers: 3,
    // Node loads the sources as it does for everybody else, from its own cache.
    experimental: { viteModuleRunner: false },
    projects: [
      // To load the modules anew for each file takes longer than most of its tests: a third of the time of all of them.
      {
        extends: true,
        test: { name: "shared", include, exclude: [...exclude, ...long, ...whole, ...replacing], isolate: false },
      },
      { extends: true, test: { name: "apart", include: replacing, exclude: [...exclude, ...long] } },
      {
        extends: true,
        test: {
          name: "long",
          include: isWhole ? [...long, ...whole] : long,
          exclude: [...exclude, ...replacing],
          testTimeout: 180_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "long apart", include: long.filter((file) => replacing.includes(file)), testTimeout: 180_000 },
      },
    ],
  },
});
