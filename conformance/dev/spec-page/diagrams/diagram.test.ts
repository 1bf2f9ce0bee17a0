// Each kind of diagram becomes a picture that says in words what it shows, and a line that its kind does not have is named.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fencedBlocks } from "../../fenced-blocks.ts";
import { root } from "../../schema-files.ts";
import { diagram } from "./diagram.ts";

const kinds = {
  sequence: `sequenceDiagram
    participant a
    participant b as the other
    a->>b: ask
    loop until it is enough
      b-->>a: answer
      Note over a,b: both know
    end
    alt it went well
      a->>a: think
    else it did not
      b->>a: say so
    end`,
  timeline: "gantt\n  dateFormat X\n  section one\n  runs :0, 3\n  section two\n  waits :done, 0, 3\n  runs :3, 5",
  flow: 'flowchart LR\n  a["begin here"] --> b\n  a -->|or| c\n  b --> d\n  c --> d',
  states: "stateDiagram-v2\n  [*] --> open\n  open --> closed: nothing is left\n  closed --> [*]",
};
const words = {
  sequence: "a to the other: ask. loop: until it is enough. the other to a: answer. both know. End.",
  timeline: "one: runs, from 0 to 3. two: waits, from 0 to 3. two: runs, from 3 to 5.",
  flow: "begin here to b. begin here to c: or. b to d. c to d.",
  states: "start to open. open to closed: nothing is left. closed to end.",
};

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])("a diagram of the kind %s", (kind) => {
  const { text } = diagram(kinds[kind]);

  it("says in words what it shows", () => {
    expect(text).toContain(`aria-label="${words[kind]}`);
  });

  it("has everything inside of its frame, and loads nothing", () => {
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(text)!.map(Number);
    const rects = [...text.matchAll(/x="([\d.-]+)"\s+y="([\d.-]+)"\s+width="([\d.]+)"\s+height="([\d.]+)"/g)];
    expect(rects.length).toBeGreaterThan(1);
    for (const [x, y, w, h] of rects.map((rect) => rect.slice(1).map(Number) as [number, number, number, number])) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + w).toBeLessThanOrEqual(width!);
      expect(y + h).toBeLessThanOrEqual(height!);
    }
    expect(text).not.toMatch(/href|src=|url\((?!#)/);
  });
});

it("boxes of a flowchart stand behind those that lead to them", () => {
  const { text } = diagram(kinds.flow);
  const xs = [...text.matchAll(/<rect\s+class="box"\s+x="([\d.]+)"/g)].map(([, x]) => Number(x));
  expect(xs[0]).toBeLessThan(xs[1]!);
  expect(xs[1]).toBe(xs[2]);
  expect(xs[2]).toBeLessThan(xs[3]!);
});

it.each([
  ["another kind", "pie\n a: 1", 'nobody draws "pie"'],
  ["a line of no sequence", "sequenceDiagram\n  participant a\n  a -> b", "is no line of a sequence diagram"],
  ["a participant that is not declared", "sequenceDiagram\n  participant a\n  a->>b: x", "b is no participant"],
  ["a line of no time line", "gantt\n  section one\n  runs", "is no line of a time line"],
  ["an arrow of no flowchart", "flowchart TD\n  a --- b", "is no arrow of a flowchart"],
  ["a circle", "flowchart TD\n  a --> b\n  b --> a", "goes in a circle"],
  ["a transition of no states", "stateDiagram-v2\n  a <- b", "is no transition"],
])("refuses %s", (_, source, message) => {
  expect(() => diagram(source)).toThrow(message);
});

it.each(globSync("spec/**/*.md", { cwd: root }))("%s has diagrams that can be drawn", (file) => {
  const blocks = fencedBlocks(file, readFileSync(join(root, file), "utf8")).filter(({ info }) => info === "mermaid");
  for (const { text } of blocks) expect(diagram(text.trimEnd()).text).toContain("<svg");
});
