// Proves that a script of a peer is made into one file that runs in an empty folder, and has in it only what it uses.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { standalone } from "./standalone.ts";

const peers = join(import.meta.dirname, "../peers");
const folder = mkdtempSync(join(tmpdir(), "agent-loop-standalone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes files below the folder, and returns the path of the first. */
function written(files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, Object.keys(files)[0]!);
}

/** An agent that asks once, executes what the model called, and heeds no stop reason. */
const agent = `
// A loop with a bug, for a test.
export function agentOf({ url, tools }) {
  return async (input) => {
    const body = JSON.stringify({ messages: [{ role: "user", content: input }] });
    const { choices } = await (await fetch(url, { method: "POST", body })).json();
    for (const { function: called } of choices[0].message.tool_calls)
      await tools.find(({ name }) => name === called.name).run(JSON.parse(called.arguments));
    return { text: "", stop: "stop" };
  };
}
`;
const script = `// A call beside max_tokens is executed.
// Shows: LOOP-9
import { play } from "../../shared/repro.mjs";
import { callBeside } from "../../shared/scenes.mjs";
import { agentOf } from "./_agent.mjs";

await play(agentOf, callBeside({ api: "openai-chat", stop: "max_tokens" }));
`;

describe("a script in JavaScript", () => {
  const shared = Object.fromEntries(
    ["model-server.mjs", "repro.mjs", "scenes.mjs"].map((name) => [
      `shared/${name}`,
      readFileSync(join(peers, "shared", name), "utf8"),
    ]),
  );
  const path = () =>
    written({
      "toy/repro/LOOP-9.mjs": script,
      "toy/repro/_agent.mjs": agent,
      ...shared,
    });

  it("runs in a folder that has nothing else, and shows the bug", () => {
    const alone = written({ "alone/bug.mjs": standalone(path()) });
    const { status, stdout } = spawnSync(process.execPath, ["bug.mjs"], {
      cwd: join(alone, ".."),
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([
      1,
      'EXECUTED delete_files {"path":"/etc"}, although the response ended with max_tokens\n',
    ]);
  });

  it("begins with what the bug is, and has nothing in it that it does not use", () => {
    const text = standalone(path());
    expect(text.split("\n").slice(0, 2)).toEqual(script.split("\n").slice(0, 2));
    expect(text).toContain("callBeside = ");
    expect(text).not.toMatch(/repeatedIds|halfALetter|from "\.|^export /m);
  });

  it("is refused where two parts declare different things by one name", () => {
    const twin = agent.replace("return async", "rendered();\n  return async");
    const two = {
      "two/repro/a.mjs": script,
      "two/repro/_agent.mjs": `${twin}\nfunction rendered() {}\n`,
      ...shared,
    };
    expect(() => standalone(written(two))).toThrow("two parts of one script declare rendered");
  });
});

describe("a script in Python", () => {
  it("has the shared module in the place where it imported it", () => {
    const script = [
      "# A bug.",
      "# Shows: LOOP-9",
      "import sys",
      "",
      'sys.path.insert(0, "../python")  # run it in the folder of the driver',
      "",
      "from provider import answer",
      "from json import dumps",
      "",
      "sys.exit(dumps(answer))",
    ];
    const path = written({
      "toy/repro/bug.py": script.join("\n"),
      "python/provider.py": '"""A provider."""\n\nanswer = [1]\n',
    });
    expect(standalone(path).split("\n")).toEqual([
      ...script.slice(0, 4),
      "# A provider.",
      "",
      "answer = [1]",
      ...script.slice(7),
    ]);
  });

  it("has each module once, its agent too, and their first words as comments", () => {
    const path = written({
      "toy/repro/twice.py": "from _agent import agent_of\nfrom scenes import play\n\nplay(agent_of)\n",
      "toy/repro/_agent.py": '"""An agent,\n\nof two lines.\n"""\n\nfrom provider import answer\n\nagent_of = answer\n',
      "python/provider.py": '"""A provider."""\n\nanswer = [1]\n',
      "python/scenes.py": '"""Scenes."""\n\nfrom provider import answer\n\nplay = print\n',
    });
    const lines = standalone(path).split("\n");
    expect(lines.filter((line) => line !== "")).toEqual([
      ...["# An agent,", "#", "# of two lines.", "# A provider.", "answer = [1]", "agent_of = answer"],
      ...["# Scenes.", "play = print", "play(agent_of)"],
    ]);
  });

  const scripts = readdirSync(peers).flatMap((peer) => {
    const repro = join(peers, peer, "repro");
    const names = existsSync(repro) ? readdirSync(repro).filter((name) => /^[^_].*\.py$/.test(name)) : [];
    return names.map((name) => join(repro, name));
  });
  it("leans on nothing beside it, whichever it is", () => {
    expect(scripts.length).toBeGreaterThan(100);
    const leaning = scripts.filter((path) => /^from (?:_agent|provider|scenes) |^"""/m.test(standalone(path)));
    expect(leaning).toEqual([]);
  });
});

it("comes back as it is where it leans on nothing", () => {
  expect(standalone(written({ "toy/repro/Bug.java": "// A bug.\n" }))).toBe("// A bug.\n");
});

describe.each(readdirSync(peers).filter((name) => existsSync(join(peers, name, "repro"))))(
  "the scripts of %s",
  (name) => {
    const scripts = readdirSync(join(peers, name, "repro")).filter((file) => /^[^_].*\.(mjs|py)$/.test(file));

    it("lean on nothing that is not installed with the framework", () => {
      for (const file of scripts) {
        const text = standalone(join(peers, name, "repro", file));
        expect(text, file).not.toMatch(/from "\.|sys\.path\.insert|^from (provider|peer) import/m);
        if (file.endsWith(".mjs")) expect(() => stripTypeScriptTypes(text), file).not.toThrow();
      }
    });
  },
);
