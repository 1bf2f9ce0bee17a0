// Which ending of a run wins is tested for every two neighbours of the table, or it says why they cannot meet.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./schema-files.ts";

interface Pair {
  first: string;
  second: string;
  /** The case in which both hold. */
  case?: string;
  /** Why both never hold where a case could see it. */
  never?: string;
}

interface Ending {
  name: string;
  status: string[];
}

const { endings, pairs } = JSON.parse(readFileSync(join(root, "spec/endings.json"), "utf8")) as {
  endings: Ending[];
  pairs: Pair[];
};
const place = (name: string) => endings.findIndex((ending) => ending.name === name);
const neighbours = endings.slice(1).map(({ name }, i) => [endings[i]!.name, name] as const);

test.for(neighbours)("%s before %s has a case, or a reason why it needs none", ([first, second]) => {
  expect(pairs.some((pair) => pair.first === first && pair.second === second)).toBe(true);
});

test.for(pairs)("$first before $second stands in the order of the table", ({ first, second, case: id, never }) => {
  expect(place(first)).toBeGreaterThanOrEqual(0);
  expect(place(second)).toBeGreaterThan(place(first));
  expect([id, never].filter((one) => one !== undefined)).toHaveLength(1);
});

const shown = pairs.filter((pair) => pair.case !== undefined);

test.for(shown)("$case ends as $first", ({ first, case: id }) => {
  const file = join(root, `conformance/cases/${id}.yaml`);
  expect(existsSync(file), file).toBe(true);
  const { expect: expected } = parse(readFileSync(file, "utf8")) as { expect: { status: string } };
  expect(endings[place(first)]!.status).toContain(expected.status);
});
