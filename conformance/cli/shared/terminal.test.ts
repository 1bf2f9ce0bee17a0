// Colours and the live line, as people know them from other programs.

import { describe, expect, it } from "vitest";
import { liveColumns, wantsColor } from "./terminal.ts";

const terminal = { isTTY: true, columns: 100 };

describe("wantsColor", () => {
  it.each([
    [terminal, {}, true],
    [{}, {}, false],
    [terminal, { NO_COLOR: "1" }, false],
    [terminal, { NO_COLOR: "" }, true],
    [terminal, { TERM: "dumb" }, false],
    [terminal, { CI: "true" }, true],
    [{}, { FORCE_COLOR: "1" }, true],
    [{}, { FORCE_COLOR: "" }, true],
    [{}, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [terminal, { FORCE_COLOR: "0" }, false],
    [terminal, { FORCE_COLOR: "false" }, false],
  ])("%j %j → %s", (stream, env, wanted) => expect(wantsColor(stream, env)).toBe(wanted));
});

describe("liveColumns", () => {
  it.each([
    [terminal, {}, 100],
    [{ isTTY: true }, {}, 80],
    [{ isTTY: true, columns: 0 }, {}, 80],
    [{ columns: 100 }, {}, undefined],
    [{}, { FORCE_COLOR: "1" }, undefined],
    [terminal, { CI: "true" }, undefined],
    [terminal, { CI: "1" }, undefined],
    [terminal, { CI: "false" }, 100],
    [terminal, { CI: "" }, 100],
    [terminal, { NO_COLOR: "1" }, undefined],
    [terminal, { TERM: "dumb" }, undefined],
  ])("%j %j → %s", (stream, env, columns) => expect(liveColumns(stream, env)).toBe(columns));
});
