// Builds dist/ from the sources: JavaScript with types, and the compiled validators beside the code that loads them.

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./schema-files.ts";

rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", join(root, "conformance/dev/tsconfig.build.json")], {
  stdio: "inherit",
});
cpSync(join(root, "conformance/kit/validators.js"), join(root, "dist/conformance/kit/validators.js"));
const command = join(root, "dist/conformance/cli/main.js");
if (existsSync(command)) chmodSync(command, 0o755);
