// Shows which texts of the spec become requirements, and which are refused with file and line.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readRequirements } from "./generate-requirements.ts";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

test("a requirement has its text, keyword, actor, reason, feature and level", () => {
  const found = readRequirements(
    spec({
      "loop/loop.md":
        "# Loop\n\nLevel: core. It is of this loop.\n\n**LOOP-1** The loop MUST NOT stop\nbefore `MAY`.\nWhy: because,\nas they say.\nFeature: cancel\n\nText.\n\n**LOOP-2** An adapter SHOULD wait.\nUntestable: nobody sees it.\n",
      "loop/providers/x.md":
        "```text\n**X-9** in a block\n```\n\n**X-1** A driver MAY sleep.\nLevel: essential, loses. The work is gone.\nBug: slept\n",
    }),
  );
  expect(found).toEqual([
    {
      id: "LOOP-1",
      chapter: "loop",
      file: "spec/loop/loop.md",
      line: 5,
      keyword: "MUST NOT",
      actor: "loop",
      feature: "cancel",
      text: "The loop MUST NOT stop before `MAY`.",
      why: "because, as they say.",
      level: "feature",
      level_reason: "Only an implementation that declares the feature has to keep it.",
    },
    {
      id: "LOOP-2",
      chapter: "loop",
      file: "spec/loop/loop.md",
      line: 13,
      keyword: "SHOULD",
      actor: "adapter",
      text: "An adapter SHOULD wait.",
      untestable: "nobody sees it.",
      level: "core",
      level_reason: "It is of this loop.",
    },
    {
      id: "X-1",
      chapter: "x",
      file: "spec/loop/providers/x.md",
      line: 5,
      keyword: "MAY",
      actor: "driver",
      text: "A driver MAY sleep.",
      level: "essential",
      severity: "loses",
      level_reason: "The work is gone.",
      bug: "slept",
    },
  ]);
});

test("what a chapter says of why no case tests its sentences holds for each that does not say it itself", () => {
  const chapter =
    "# Kit\n\nLevel: kit. Who relies on it.\n\nUntestable: the kit is the actor.\n\n**KIT-1** The kit MUST run.\n";
  const own = "\n**KIT-2** The kit MUST stop.\nUntestable: nobody sees it.\n";
  expect(readRequirements(spec({ "kit.md": chapter + own })).map(({ untestable }) => untestable)).toEqual([
    "the kit is the actor.",
    "nobody sees it.",
  ]);
});

test("a requirement that said something else has the version until which it did, and the sentence", () => {
  const text = (until: string) =>
    spec({
      "loop.md": `# Loop\n\nLevel: core. It is of this loop.\n\n**LOOP-1** The loop MUST stop.\nUntil: ${until}\n`,
    });
  const until = "1.0. The loop MUST NOT stop.";
  expect(readRequirements(text(until))).toMatchObject([{ id: "LOOP-1", text: "The loop MUST stop.", until }]);
  expect(() => readRequirements(text("lately"))).toThrow("write the version and the sentence of then");
});

test.each([
  ["no keyword", "**A-1** The loop stops.", /spec\/a\.md:1: A-1 must have exactly one of .*it has none/],
  [
    "two keywords",
    "**A-1** The loop MUST stop and SHOULD say so.",
    /A-1 must have exactly one of .*it has MUST, SHOULD/,
  ],
  ["a keyword of another kind", "**A-1** The loop MUST stop and SHALL say so.", /A-1 uses SHALL/],
  [
    "an id twice",
    "**A-1** The loop MUST stop.\n\n**A-1** The loop MUST go.",
    /a\.md:3: A-1 is already defined in spec\/a\.md:1/,
  ],
  ["a gap", "**A-3** The loop MUST stop.\n\n**A-1** The loop MUST go.", /a\.md:1: A-3 stands without A-2/],
  ["an unknown feature", "**A-1** The loop MUST stop.\nFeature: sing", /A-1 names the feature "sing"/],
  ["an unknown actor", "**A-1** People MUST stop.", /A-1 must begin with its actor/],
  ["no level", "**A-1** The loop MUST stop.", /A-1 has no level; write "Level: <essential\|core/],
  ["an unknown level", "**A-1** The loop MUST stop.\nLevel: vital. It is.", /A-1 has no level/],
  ["a level without a reason", "**A-1** The loop MUST stop.\nLevel: core.", /A-1 has no level/],
  [
    "essential without a severity",
    "**A-1** The loop MUST stop.\nLevel: essential. It is.",
    /A-1 is essential and has no severity/,
  ],
  [
    "a severity of what is not essential",
    "**A-1** The loop MUST stop.\nLevel: core, loses. It is.",
    /A-1 is core and has the severity loses/,
  ],
  ["untestable without a reason", "**A-1** The loop MUST stop.\nUntestable:", /A-1 says Untestable without a reason/],
])("%s is refused", (_, text, message) => {
  expect(() => readRequirements(spec({ "a.md": text }))).toThrow(message);
});

function spec(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "spec-"));
  folders.push(folder);
  mkdirSync(join(folder, "loop/providers"), { recursive: true });
  writeFileSync(join(folder, "features.json"), JSON.stringify({ cancel: "…" }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
