// Which types are extracted from a file of generated types.

import { describe, expect, it } from "vitest";
import { neededTypes } from "./needed-types.ts";

describe("neededTypes", () => {
  const source = `// Generated.

/** One. @see Three, which it does not need */
export interface One {
  /** A Three is not needed. */
  two: Two[];
}
export type Two =
  | "Four"
  | { one?: One };

/** Three. */
export interface Three {
  one: One;
}
`;
  it("takes what was asked for and what that is made of, and no more", () => {
    const taken = neededTypes(source, ["Two"]);
    expect(taken).toContain("export interface One {");
    expect(taken).toContain("/** One. @see");
    expect(taken).toContain('  | "Four"');
    expect(taken).not.toContain("interface Three");
  });
  it("says which type there is not", () => {
    expect(() => neededTypes(source, ["Five"])).toThrow(/have no Five; run: npm run generate/);
  });
});
