// Code of the caller before a call: it may change the input, answer instead, or forbid it.

import type { Hook } from "../index.ts";

export const onlyNotes: Hook = {
  point: "before_tool",
  run: ({ call }) => (call.name === "remove" ? { block: "The notes are not yours." } : undefined),
};
