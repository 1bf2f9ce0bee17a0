// Which command can be copied: the name alone where the package is at hand, and the packed file where nothing else is.

import { expect, it } from "vitest";
import { commandLine, commandOf } from "./cli-name.ts";

const name = "agent-loop-spec";

it.each<[published: boolean, taken: string | undefined, command: string]>([
  [false, undefined, "npx agent-loop-spec"],
  [true, undefined, "npx agent-loop-spec"],
  [true, "agent-loop-spec", "npx agent-loop-spec"],
  [true, "./agent-loop-spec-0.1.0.tgz", "npx agent-loop-spec"],
  [false, "./agent-loop-spec-0.1.0.tgz", "npx --package ./agent-loop-spec-0.1.0.tgz agent-loop-spec"],
  [false, "/my files/it's.tgz", "npx --package '/my files/it'\\''s.tgz' agent-loop-spec"],
])("published: %s, taken: %s is %s", (published, taken, command) => {
  expect(commandOf({ name, published }, taken)).toBe(command);
});

it("is the name alone in a checkout", () => {
  expect(commandLine).toBe("npx agent-loop-spec");
});
