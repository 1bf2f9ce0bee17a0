// How a driver is named: words as a shell splits them, folders with a manifest, names of the package, and clear refusals.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findDriver, listDrivers, quoteWord, splitWords } from "./driver-command.ts";

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
    expect(listDrivers().map(({ name }) => name)).toContain("go");
  });
  it("says what is wrong with a manifest", () => {
    const place = join(folder, "broken");
    mkdirSync(place);
    writeFileSync(join(place, "agent-loop.json"), "{}");
    expect(() => findDriver(place)).toThrow(
      /agent-loop\.json does not say how its driver is started:[^]*missing "command"/,
    );
    writeFileSync(join(place, "agent-loop.json"), "{");
    expect(() => findDriver(place)).toThrow(/is not JSON/);
  });
  it("says what a name could have been", () => {
    expect(() => findDriver("no-such-driver")).toThrow(/no driver is called no-such-driver.*reference/);
    expect(() => findDriver("")).toThrow(/--driver is empty/);
  });
});
