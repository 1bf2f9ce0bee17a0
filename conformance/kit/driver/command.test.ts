// How a driver is named: words as a shell splits them, folders with a manifest, names of the package, and clear refusals.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findDriver, listDrivers, splitWords } from "./command.ts";
import { quoteWord } from "./quote-word.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-driver-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("splitWords", () => {
  it.each([
    ["node driver.js", ["node", "driver.js"]],
    ["  a   b ", ["a", "b"]],
    [`'a b' "c d" e\\ f`, ["a b", "c d", "e f"]],
    [`"say \\"hi\\"" 'it\\s' ''`, ['say "hi"', "it\\s", ""]],
    ["a'b'c", ["abc"]],
    ["echo $HOME; rm *", ["echo", "$HOME;", "rm", "*"]],
  ])("%s", (line, words) => expect(splitWords(line)).toEqual(words));
  it("refuses an open quote", () => expect(() => splitWords("a 'b")).toThrow(/open '/));
  it("undoes quoteWord", () => {
    for (const word of ["plain", "two words", "it's", "", '"$x"'])
      expect(splitWords(quoteWord(word))).toEqual(word === "" ? [""] : [word]);
  });
});

describe("findDriver", () => {
  it("takes a command line", () => {
    expect(findDriver("node my/driver.js --fast").command).toEqual({ argv: ["node", "my/driver.js", "--fast"] });
  });
  it("takes a folder with a manifest, its files relative to it", () => {
    const place = join(folder, "mine");
    mkdirSync(place);
    writeFileSync(join(place, "driver.js"), "");
    writeFileSync(
      join(place, "agent-loop.json"),
      JSON.stringify({ name: "mine", version: "1", command: ["node", "driver.js", "--x"] }),
    );
    expect(findDriver(place).name).toBe(place);
    expect(findDriver(`${place}/.`)).toMatchObject({ name: "mine", argument: `${place}/.` });
    expect(findDriver(place).command).toEqual({ argv: ["node", join(place, "driver.js"), "--x"], cwd: place });
  });
  it("takes the name of a driver of the package", () => {
    const { command } = findDriver("reference");
    expect(command.argv[0]).toBe("node");
    expect(command.argv[1]).toMatch(/conformance\/drivers\/reference\/driver\.ts$/);
  });
  it("builds a driver that is to be built, and takes what was built", () => {
    const place = join(folder, "built");
    mkdirSync(place);
    const manifest = (script: string) =>
      writeFileSync(
        join(place, "agent-loop.json"),
        JSON.stringify({ name: "built", version: "1", build: ["node", "-e", script], command: ["./driver"] }),
      );
    manifest('require("node:fs").writeFileSync("driver", "")');
    expect(findDriver(place).command).toEqual({ argv: [join(place, "driver")], cwd: place });
    manifest('console.error("line 7 is wrong"); process.exit(1)');
    expect(() => findDriver(place)).toThrow(/could not be built by node -e .* in .*built: line 7 is wrong/);
    manifest("process.exit(4)");
    expect(() => findDriver(place)).toThrow(/could not be built by node .*: it ended with 4$/);
    writeFileSync(
      join(place, "agent-loop.json"),
      JSON.stringify({ name: "built", version: "1", build: ["no-such-compiler"], command: ["./driver"] }),
    );
    expect(() => findDriver(place)).toThrow(/there is no program no-such-compiler on this machine$/);
    expect(listDrivers().map(({ name }) => name)).toContain("go");
  });
  it("refuses a path at which nothing is", () => {
    expect(() => findDriver(join(folder, "nothing"))).toThrow(/nothing is not there; expected a driver of the package/);
  });
  it("says of a file that is no program what would start it", () => {
    const file = join(folder, "driver.py");
    writeFileSync(file, "print()\n");
    expect(() => findDriver(file)).toThrow(
      `${file} is a file, and --driver takes a command; say how it is started: --driver "python3 ${file}"`,
    );
    writeFileSync(file, "#!/usr/bin/env python3\n", { mode: 0o755 });
    chmodSync(file, 0o755);
    expect(findDriver(file).command.argv).toEqual([file]);
  });
  it("says what is wrong with a manifest", () => {
    const place = join(folder, "broken");
    mkdirSync(place);
    writeFileSync(join(place, "agent-loop.json"), "{}");
    expect(() => findDriver(place)).toThrow(
      /agent-loop\.json is not valid; the least is \{ "name": [^]*missing "command"/,
    );
    writeFileSync(join(place, "agent-loop.json"), "{");
    expect(() => findDriver(place)).toThrow(/is not JSON/);
  });
  it("takes the manifest for its folder", () => {
    const { name, command, argument } = findDriver(join(folder, "mine/agent-loop.json"));
    expect({ name, argument }).toEqual({ name: join(folder, "mine"), argument: join(folder, "mine") });
    expect(command.cwd).toBe(join(folder, "mine"));
  });
  it("says of a folder that nothing in it starts a driver", () => {
    mkdirSync(join(folder, "empty"));
    expect(() => findDriver(join(folder, "empty"))).toThrow(
      /empty is a folder without an agent-loop\.json, .*"command"/,
    );
  });
  it("takes a folder for no program, though one on PATH has its name", () => {
    const path = process.env["PATH"];
    const above = join(folder, "empty-too");
    mkdirSync(above);
    try {
      process.env["PATH"] = folder;
      expect(() => findDriver(above)).toThrow(/empty-too is a folder without an agent-loop\.json/);
    } finally {
      process.env["PATH"] = path;
    }
  });
  it("says what a name could have been", () => {
    expect(() => findDriver("pyton")).toThrow(/no driver is called pyton: .*; do you mean python\?/);
    expect(() => findDriver("no-such-driver")).toThrow(/no driver is called no-such-driver.*reference/);
    expect(() => findDriver("")).toThrow(/--driver is empty/);
  });
});
