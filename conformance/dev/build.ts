// Builds dist/ from the sources: JavaScript with types, and the compiled validators beside the code that loads them.

import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./schema-files.ts";

rmSync(join(root, "dist"), { recursive: true, force: true });
const compiler = join(root, "node_modules/.bin/tsc");
const { status } = spawnSync(compiler, ["-p", join(root, "conformance/dev/tsconfig.build.json")], { stdio: "inherit" });
if (status !== 0) {
  console.error("The build failed: correct the types above. dist/ is not complete.");
  process.exit(1);
}
cpSync(join(root, "conformance/kit/validators.js"), join(root, "dist/conformance/kit/validators.js"));
