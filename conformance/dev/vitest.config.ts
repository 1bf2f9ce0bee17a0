// Where the tests are: beside what they test.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["reference/**/*.test.ts", "conformance/**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**"],
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
