// The trace context that a tool was handed: unchanged, of the same trace, or wrong.

import { describe, expect, it } from "vitest";

import { checkTrace } from "./trace.ts";

const id = "0af7651916cd43dd8448eb211c80319c";
const given = { traceparent: `00-${id}-b7ad6b7169203331-01`, tracestate: "vendor=a" };
const messages = (...args: Parameters<typeof checkTrace>) => checkTrace(...args).map(({ message }) => message);

describe("the trace context of a tool", () => {
  it("may be that of the run, or another one of its trace", () => {
    expect(checkTrace("t", given, given, "TOOL-36")).toEqual([]);
    expect(checkTrace("t", given, { traceparent: `00-${id}-00f067aa0ba902b7-01` }, "TOOL-36")).toEqual([]);
  });

  it("may be anything where the run has none", () => {
    expect(checkTrace("t", undefined, undefined, "TOOL-36")).toEqual([]);
    expect(checkTrace("t", undefined, given, "TOOL-36")).toEqual([]);
  });

  it("must be there, of the same trace, and with its tracestate", () => {
    const other = { ...given, traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01" };
    expect(messages("t", given, undefined, "TOOL-37")).toEqual(["tool t was given no trace context"]);
    expect(messages("t", given, other, "TOOL-36")).toEqual(["tool t was given the context of another trace"]);
    expect(messages("t", given, { traceparent: given.traceparent }, "TOOL-36")).toEqual([
      "tool t was given another tracestate with the same traceparent",
    ]);
    expect(checkTrace("t", given, undefined, "TOOL-37")).toMatchObject([{ requirement: "TOOL-37" }]);
  });
});
