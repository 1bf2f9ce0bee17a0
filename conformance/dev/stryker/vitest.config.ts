// Which unit tests stand behind the mutants: those beside the code that is changed, but those that take long, and the one that reads its text.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  test: {
    include: [`${process.env["STRYKER_CHANGES"]}*.test.ts`],
    exclude: ["**/*.long.test.ts", "reference/core/size.test.ts"],
    isolate: false,
  },
});
