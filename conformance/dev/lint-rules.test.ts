// Proves that the linter catches every import that the layout of the project forbids, and no import that it allows.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./schema-files.ts";

const core = /^reference\/core\/ — The loop, .* knows neither modules nor providers nor Node\.$/;
const plugIns = /^reference\/plugins\/ — Everything that plugs into a run.* Never another plug-in and never run\//;
const adapter = /imports its own SDK and no other adapter/;
const ownDoor = /a driver process\.$/;
const commandLine = /only check-session and repair-session/;

/** File, import, and words of the rule's message; null where the import is allowed. */
const imports: [file: string, specifier: string, message: RegExp | null][] = [
  ["reference/core/a.ts", "./session.ts", null],
  ["reference/core/a.ts", "../../schemas/types.ts", null],
  ["reference/core/a.ts", "../state/repair-session.ts", core],
  ["reference/core/a.ts", "../tools.ts", core],
  ["reference/core/a.ts", "../providers/openai-chat/index.ts", core],
  ["reference/core/a.ts", "node:fs", core],
  ["reference/core/a.ts", "@cfworker/json-schema", core],
  ["reference/core/a.ts", "../../conformance/kit/base/validate.ts", core],
  ["reference/state/counters.ts", "../core/session.ts", null],
  [
    "reference/state/counters.ts",
    "../run/run.ts",
    /^reference\/state\/ — .* It may import itself, schemas\/types\.ts, core\//,
  ],
  ["reference/plugins/turns/limits.ts", "../../core/session.ts", null],
  ["reference/plugins/turns/limits.ts", "../plugin.ts", null],
  ["reference/plugins/turns/limits.ts", "./steering.ts", plugIns],
  ["reference/plugins/turns/limits.ts", "../model/budget.ts", plugIns],
  ["reference/plugins/turns/limits.ts", "../hooks/hooks.ts", plugIns],
  ["reference/plugins/turns/limits.ts", "../../run/run.ts", plugIns],
  ["reference/plugins/turns/limits.ts", "../../stores/jsonl.ts", plugIns],
  ["reference/plugins/turns/limits.ts", "node:crypto", /no node:\*/],
  ["reference/plugins/turns/limits.ts", "openai", /no SDK/],
  ["reference/plugins/turns/limits.ts", "@anthropic-ai/sdk", /no SDK/],
  ["reference/plugins/turns/limits.ts", "../../providers/anthropic-messages/index.ts", /no provider adapter/],
  ["reference/plugins/turns/limits.ts", "../../../conformance/kit/base/validate.ts", plugIns],
  ["reference/plugins/compaction/compact.ts", "./strategy.ts", null],
  ["reference/plugins/compaction/compact.ts", "../hooks/ask-hooks.ts", /never run\//],
  ["reference/run/run.ts", "../plugins/turns/limits.ts", null],
  ["reference/run/run.ts", "../stores/jsonl.ts", /^reference\/run\//],
  ["reference/run/run.ts", "../testing/doomed.ts", /^reference\/run\//],
  ["reference/providers/anthropic-messages/index.ts", "@anthropic-ai/sdk", null],
  ["reference/providers/anthropic-messages/index.ts", "../shared/losses.ts", null],
  ["reference/providers/anthropic-messages/index.ts", "openai", adapter],
  ["reference/providers/anthropic-messages/index.ts", "../openai-chat/index.ts", adapter],
  ["reference/providers/openai-chat/index.ts", "openai/resources", null],
  ["reference/providers/openai-chat/index.ts", "../openai/sdk.ts", null],
  ["reference/providers/openai-chat/index.ts", "@anthropic-ai/sdk/core", adapter],
  ["reference/providers/openai-chat/index.ts", "../anthropic-messages/index.ts", adapter],
  ["reference/providers/openai-chat/index.ts", "../openai-responses/index.ts", adapter],
  ["reference/providers/openai-chat/index.ts", "../../../conformance/kit/base/validate.ts", adapter],
  [
    "reference/providers/replay/index.ts",
    "../../../conformance/kit/base/validate.ts",
    /^reference\/providers\/replay\//,
  ],
  ["conformance/kit/run/runner.ts", "../base/validate.ts", null],
  ["conformance/kit/run/runner.ts", "../relay/relay.ts", /^conformance\/kit\/run\//],
  ["conformance/kit/run/runner.ts", "../../../reference/session.ts", ownDoor],
  ["conformance/kit/run/runner.ts", "../../dev/generate.ts", ownDoor],
  ["conformance/kit/checks/events.ts", "../play/tools.ts", /^conformance\/kit\/checks\/ — Compares what was seen/],
  [
    "conformance/kit/wire/wire.ts",
    "../../../reference/providers/openai-chat/index.ts",
    /Never the reference's adapters/,
  ],
  ["conformance/kit/wire/openai-chat/rules/calls.ts", "../request.ts", null],
  ["conformance/kit/wire/openai-chat/rules/calls.ts", "../../codec.ts", null],
  ["conformance/kit/wire/openai-chat/rules/calls.ts", "../../../suite/script.ts", /^conformance\/kit\/wire\//],
  ["conformance/reporters/pretty.ts", "../kit/index.ts", null],
  ["conformance/reporters/pretty.ts", "../../reference/session.ts", ownDoor],
  ["conformance/traffic/record/proxy.ts", "../../../reference/session.ts", ownDoor],
  ["conformance/traffic/in-process/tape-provider.ts", "../../../reference/providers/openai-chat/index.ts", null],
  [
    "conformance/traffic/in-process/tape-provider.ts",
    "../../../reference/state/repair-session.ts",
    /only the adapters/,
  ],
  ["conformance/cli/main.ts", "../../reference/state/check-session.ts", null],
  ["conformance/cli/main.ts", "../../reference/state/repair-session.ts", null],
  ["conformance/cli/main.ts", "../../reference/providers/openai-chat/index.ts", null],
  ["conformance/cli/main.ts", "../../reference/core/agent-loop.ts", commandLine],
  ["conformance/cli/main.ts", "../dev/check.ts", commandLine],
  ["conformance/drivers/reference/main.ts", "../../../reference/index.ts", null],
];

/** The same of what is imported as a type where nothing that runs may be. */
const typesOnly: [file: string, specifier: string, message: RegExp][] = [
  ["reference/providers/openai-chat/index.ts", "../../core/ports.ts", adapter],
  ["reference/providers/shared/node-fetch.ts", "node:http", /^reference\/providers\/shared\//],
  ["reference/patterns/planning.ts", "../plugins/turns/limits.ts", /^reference\/patterns\//],
  ["conformance/kit/driver/command.ts", "../suite/catalogue.ts", ownDoor],
  ["conformance/kit/observed/follow-up.ts", "../wire/codec.ts", ownDoor],
  ["conformance/traffic/in-process/tape-provider.ts", "../../../reference/core/ports.ts", /only the adapters/],
];

const folder = mkdtempSync(join(tmpdir(), "lint-rules-"));
const found = new Map<string, string>();
const circular: string[] = [];

beforeAll(() => {
  for (const name of [".oxlintrc.json", ".oxlintrc.rooms.json"]) copyFileSync(join(root, name), join(folder, name));
  [...imports, ...typesOnly].forEach(([file, specifier], index) => {
    write(numbered(file, index), `import { x } from "${specifier}";\nexport const y = x;\n`);
    write(numbered(file, index, "types-"), `import type { X } from "${specifier}";\nexport type Y = X;\n`);
    write(numbered(file, index, "loaded-"), `export const load = () => import("${specifier}");\n`);
  });
  write("reference/support/one.ts", `import type { B } from "./other.ts";\nexport type A = B | 1;\n`);
  write("reference/support/other.ts", `import type { A } from "./one.ts";\nexport type B = A | 2;\n`);
  for (const { filename, code, message, help } of lint()) {
    const file = filename.replaceAll("\\", "/");
    if (code.includes("no-restricted-imports")) found.set(file, help ?? message);
    if (code.includes("no-cycle")) circular.push(file);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(imports.map((one, index) => [...one, index] as const))("%s imports %s", (file, specifier, message, index) => {
  for (const prefix of ["", "types-", "loaded-"]) {
    const reported = found.get(numbered(file, index, prefix));
    if (message === null) expect(reported).toBeUndefined();
    else expect(reported, `no rule forbids ${prefix}${specifier} in ${file}`).toMatch(message);
  }
});

test.each(typesOnly.map((one, index) => [...one, imports.length + index] as const))(
  "%s imports types of %s, and nothing else",
  (file, _, message, index) => {
    expect(found.get(numbered(file, index))).toMatch(message);
    expect(found.get(numbered(file, index, "types-"))).toBeUndefined();
  },
);

test("two files that import types of each other are seen", () => {
  expect(circular.toSorted()).toEqual(["reference/support/one.ts", "reference/support/other.ts"]);
});

function numbered(file: string, index: number, prefix = ""): string {
  return file.replace(/([^/]+)\.ts$/, (_, name: string) => `${name.split("-")[0]}-${prefix}${index}.ts`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function lint(): Diagnostic[] {
  try {
    execFileSync(join(root, "node_modules/.bin/oxlint"), ["--format", "json", "."], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    return (JSON.parse((error as { stdout: string }).stdout) as { diagnostics: Diagnostic[] }).diagnostics;
  }
  return [];
}

interface Diagnostic {
  filename: string;
  code: string;
  message: string;
  help?: string;
}
