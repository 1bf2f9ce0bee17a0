// Proves that the linter catches every import that the layout of the project forbids, and no import that it allows.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./schema-files.ts";

/** File, import, and a word of the rule's message; null where the import is allowed. */
const imports: [file: string, specifier: string, message: RegExp | null][] = [
  ["reference/core/a.ts", "./session.ts", null],
  ["reference/core/a.ts", "../../schemas/types.ts", null],
  ["reference/core/a.ts", "../state/repair-session.ts", /The core imports only itself/],
  ["reference/core/a.ts", "../tools.ts", /The core imports only itself/],
  ["reference/core/a.ts", "../providers/openai-chat/index.ts", /The core imports only itself/],
  ["reference/core/a.ts", "node:fs", /The core imports only itself/],
  ["reference/core/a.ts", "@cfworker/json-schema", /The core imports only itself/],
  ["reference/core/a.ts", "../../conformance/kit/base/validate.ts", /The core imports only itself/],
  ["reference/plugins/turns/limits.ts", "../../core/session.ts", null],
  ["reference/plugins/turns/limits.ts", "@cfworker/json-schema", null],
  ["reference/plugins/turns/limits.ts", "node:crypto", /no node:\*/],
  ["reference/plugins/turns/limits.ts", "openai", /no SDK/],
  ["reference/plugins/turns/limits.ts", "@anthropic-ai/sdk", /no SDK/],
  ["reference/plugins/turns/limits.ts", "../../providers/anthropic-messages/index.ts", /no provider adapter/],
  ["reference/plugins/turns/limits.ts", "../../../conformance/kit/base/validate.ts", /through a driver/],
  ["reference/providers/anthropic-messages/index.ts", "@anthropic-ai/sdk", null],
  ["reference/providers/anthropic-messages/index.ts", "../../core/ports.ts", null],
  ["reference/providers/anthropic-messages/index.ts", "openai", /no other adapter/],
  ["reference/providers/anthropic-messages/index.ts", "../openai-chat/index.ts", /no other adapter/],
  ["reference/providers/openai-chat/index.ts", "openai/resources", null],
  ["reference/providers/openai-chat/index.ts", "@anthropic-ai/sdk/core", /no other adapter/],
  ["reference/providers/openai-chat/index.ts", "../anthropic-messages/index.ts", /no other adapter/],
  ["reference/providers/openai-chat/index.ts", "../../../conformance/kit/base/validate.ts", /through a driver/],
  ["reference/providers/replay/index.ts", "../../../conformance/kit/base/validate.ts", /through a driver/],
  ["conformance/kit/run/runner.ts", "../base/validate.ts", null],
  ["conformance/kit/run/runner.ts", "../../../reference/session.ts", /a driver process/],
  ["conformance/kit/wire/wire.ts", "../../../reference/providers/openai-chat/index.ts", /a driver process/],
  ["conformance/kit/run/runner.ts", "../../dev/generate.ts", /not shipped/],
  ["conformance/reporters/pretty.ts", "../../reference/session.ts", /a driver process/],
  ["conformance/traffic/record/proxy.ts", "../../../reference/session.ts", /a driver process/],
  ["conformance/traffic/in-process/tape-provider.ts", "../../../reference/providers/openai-chat/index.ts", null],
  [
    "conformance/traffic/in-process/tape-provider.ts",
    "../../../reference/state/repair-session.ts",
    /only the adapters/,
  ],
  ["conformance/cli/main.ts", "../../reference/state/check-session.ts", null],
  ["conformance/cli/main.ts", "../../reference/state/repair-session.ts", null],
  ["conformance/cli/main.ts", "../../reference/providers/openai-chat/index.ts", null],
  ["conformance/cli/main.ts", "../../reference/core/agent-loop.ts", /only check-session/],
  ["conformance/cli/main.ts", "../dev/check.ts", /not shipped/],
  ["conformance/drivers/reference/main.ts", "../../../reference/index.ts", null],
];

const folder = mkdtempSync(join(tmpdir(), "lint-rules-"));
const found = new Map<string, string>();

beforeAll(() => {
  copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  imports.forEach(([file, specifier], index) => {
    write(numbered(file, index), `import { x } from "${specifier}";\nexport const y = x;\n`);
    write(numbered(file, index, "types-"), `import type { X } from "${specifier}";\nexport type Y = X;\n`);
  });
  for (const { filename, message } of lint()) found.set(filename.replaceAll("\\", "/"), message);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(imports.map((one, index) => [...one, index] as const))("%s imports %s", (file, specifier, message, index) => {
  const said = found.get(numbered(file, index));
  if (message === null) expect(said).toBeUndefined();
  else expect(said, `no rule forbids ${specifier} in ${file}`).toMatch(message);
});

test("types of the reference may be imported by the kit", () => {
  const index = imports.findIndex(
    ([file, specifier]) => file === "conformance/kit/run/runner.ts" && specifier.endsWith("session.ts"),
  );
  expect(found.get(numbered("conformance/kit/run/runner.ts", index, "types-"))).toBeUndefined();
});

function numbered(file: string, index: number, prefix = ""): string {
  return file.replace(/([^/]+)\.ts$/, (_, name: string) => `${name.split("-")[0]}-${prefix}${index}.ts`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function lint(): { filename: string; message: string }[] {
  try {
    execFileSync(join(root, "node_modules/.bin/oxlint"), ["--format", "json", "."], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    const { diagnostics } = JSON.parse((error as { stdout: string }).stdout) as Output;
    return diagnostics
      .filter(({ code }) => code.includes("no-restricted-imports"))
      .map((one) => ({ ...one, message: one.help ?? one.message }));
  }
  return [];
}

interface Output {
  diagnostics: { filename: string; code: string; message: string; help?: string }[];
}
