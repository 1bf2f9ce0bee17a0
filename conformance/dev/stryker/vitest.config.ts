// Which unit tests stand behind the mutants: those beside the code that is changed, but those that take long, those that replace modules, and the one that reads its text.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { replacing } from "../vitest.config.ts";

export default defineConfig({
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  test: {
    include: [`${process.env["STRYKER_CHANGES"]}*.test.ts`],
    exclude: ["**/*.long.test.ts", "reference/core/size.test.ts", ...replacing],
    isolate: false,
    // As much as elsewhere: on a busy machine nothing is to look as if it were seen.
    testTimeout: 20_000,
  },
});
