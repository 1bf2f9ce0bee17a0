// A stream of Gemini that is cut or lost at any of its bytes.

import { describe, it } from "vitest";
import { geminiCodec } from "./index.ts";
import { expectNoneMadeUpWhereverLost, expectSameWhereverCut } from "../../testing/check-cuts.ts";
import { geminiStreams } from "../../testing/gemini-streams.ts";

describe.each(geminiStreams())("a stream with %s", (_, bytes) => {
  it("is the same where it is cut", () => expectSameWhereverCut(geminiCodec, "gemini-3-flash-preview", bytes));
  it("is an error where it is lost, and nothing is made up", () =>
    expectNoneMadeUpWhereverLost(geminiCodec, "gemini-3-flash-preview", bytes));
});
