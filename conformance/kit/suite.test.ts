// Counterexamples for the case loader: each fault is found, at its line, with what to do; and the cache never hides one.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LoadError, loadSuite } from "./suite.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-suite-"));
afterAll(() => rmSync(folder, { recursive: true }));

const good = `title: A case that is fine
since: "1.0"
requires: [TOOL-9]
why:
  - bug: a-known-bug
given:
  messages:
    - { role: user, content: Hello. }
  tools:
    - { name: look, input_schema: { type: object } }
  handlers:
    look: { output: nothing }
model:
  - respond: [{ tool_call: { id: $a, name: look, input: {} } }]
  - text: Done.
expect:
  status: completed
  session:
    - { type: tool_call, id: $a }
    - { type: tool_result, id: $a, output: { $match: noth } }
    - { role: assistant, content: Done. }
`;

let count = 0;

/** What the loader says of a case, as `line:column message`. */
async function problemsOf(text: string): Promise<string[]> {
  const place = join(folder, `case-${++count}`);
  mkdirSync(join(place, "area"), { recursive: true });
  writeFileSync(join(place, "area/case.yaml"), text);
  const bugs = join(folder, "bugs.yaml");
  writeFileSync(bugs, "a-known-bug: { symptom: Something was wrong. }\n");
  try {
    await loadSuite({ cases: place, bugs, cache: null });
    return [];
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}

/** The case with one line replaced. */
const replaced = (from: string, to: string): string => {
  if (!good.includes(from)) throw new Error(`the case has no ${from}`);
  return good.replace(from, to);
};

describe("the loader", () => {
  it("takes a case that is fine", async () => expect(await problemsOf(good)).toEqual([]));

  const faults: [what: string, text: string, problem: RegExp][] = [
    ["broken YAML", replaced("requires: [TOOL-9]", "requires: [TOOL-9"), /^4:\d+ this is not valid YAML/],
    ["a duplicate key", replaced("since:", "title: Again\nsince:"), /^2:1 this key stands here twice/],
    [
      "an unknown key",
      replaced("given:\n", "given:\n  mesages: []\n"),
      /^7:3 \/given\/mesages: unknown property "mesages"; expected one of: messages/,
    ],
    [
      "an unknown key of a script",
      replaced("- text: Done.", "- { text: Done., stop: x }"),
      /^15:\d+ \/model\/1\/stop: unknown property/,
    ],
    ["a missing key", replaced("title: A case that is fine\n", ""), /^1:1 is missing "title"/],
    ["an unknown requirement", replaced("TOOL-9", "TOOL-999"), /^3:12 .*no requirement of the spec is called TOOL-999/],
    [
      "an unknown feature",
      replaced("why:", "features: [telepathy]\nwhy:"),
      /^4:12 .*no feature is called telepathy; known: /,
    ],
    ["an unknown bug", replaced("a-known-bug", "a-new-bug"), /^5:5 .*has no entry a-new-bug; add it there first/],
    ["a tool without a handler", replaced("look: { output: nothing }", "{}"), /^10:\d+ .*tool look has no handler/],
    [
      "a handler without a tool",
      replaced("    look: { output: nothing }", "    look: { output: nothing }\n    listen: { output: x }"),
      /^13:5 .*for no tool of given.tools \(look\)/,
    ],
    [
      "an external tool with a handler",
      replaced("type: object } }", "type: object }, external: true }"),
      /^10:\d+ .*external and has a handler/,
    ],
    [
      "two answers of a handler",
      replaced("{ output: nothing }", "{ output: nothing, throw: x }"),
      /^12:\d+ \/given\/handlers\/look/,
    ],
    [
      "fatal without throw",
      replaced("{ output: nothing }", "{ output: nothing, fatal: true }"),
      /^12:\d+ .*fatal stands only beside throw/,
    ],
    [
      "two answers of the model",
      replaced("- text: Done.", "- { text: Done., fault: { kind: network } }"),
      /^15:\d+ \/model\/1/,
    ],
    ["an empty text", replaced("- text: Done.", '- text: ""'), /^15:\d+ .*respond: \[\]/],
    [
      "a matcher in what is given",
      replaced("content: Hello.", "content: { $match: x }"),
      /^8:\d+ \/given\/messages\/0/,
    ],
    [
      "a matcher in a script",
      replaced("input: {} } }]", "input: { $any: true } } }]"),
      /^14:\d+ .*\$any may stand only under expect/,
    ],
    [
      "an unknown matcher",
      replaced("$match: noth", "$matches: noth"),
      /^20:\d+ .*no matcher is called \$matches; known: \$any/,
    ],
    ["a matcher beside other keys", replaced("{ $match: noth }", "{ $match: noth, x: 1 }"), /^20:\d+ .*one key/],
    ["a broken pattern", replaced("$match: noth", '$match: "("'), /^20:\d+ .*not a regular expression/],
    ["a wrong operand", replaced("$match: noth", "$type: text"), /^20:\d+ .*\$type takes a JSON type/],
    ["a binding that is none", replaced("content: Done. }\n", "content: $a }\n"), /^21:\d+ .*binds nothing here/],
    [
      "a name that nothing binds",
      replaced("{ type: tool_call, id: $a }", "{ type: tool_call, id: $b }"),
      /^16:1 .*\$b stands for nothing/,
    ],
    ["an unknown status", replaced("status: completed", "status: done"), /^17:3 .*done is no status; known: completed/],
    [
      "a cut where the kit knows no end",
      replaced("- text: Done.", '- { sse: ["data: x"], reset: before_end }'),
      /^15:\d+ .*does not know where http, sse and writes end/,
    ],
    [
      "a reset beside a fault",
      replaced("- text: Done.", "- { fault: { kind: network }, reset: mid_stream }"),
      /^15:\d+ .*reset does not stand beside fault or raw/,
    ],
    [
      "a reset on the generic seam",
      `${good.replace("- text: Done.", "- { text: Done., reset: mid_stream }")}variants: { seams: [generic] }\n`,
      /^15:\d+ .*reset run on the wire only/,
    ],
    [
      "an answer that is repeated",
      replaced("- text: Done.", "- { text: Done., repeat: true }"),
      /^15:\d+ .*only a failure can be repeated/,
    ],
    [
      "a failure that is repeated before others come",
      replaced("- respond:", "- { reset: before_headers, repeat: true }\n  - respond:"),
      /^14:\d+ .*only the last entry can be repeated/,
    ],
    [
      "a gate that no write holds",
      `${good.replace("- text: Done.", "- { writes: [{ text: x, hold: rest }] }")}actions: [{ when: { request: 2, after_writes: 1 }, do: { release: rst } }]\n`,
      /^22:\d+ .*no handler and no write holds the gate rst; known: rest/,
    ],
    [
      "an action after writes that are never made",
      `${good.replace("- text: Done.", "- { writes: [{ text: x }] }")}features: [cancel]\nactions: [{ when: { request: 2, after_writes: 2 }, do: cancel }]\n`,
      /^23:\d+ .*never fires: the answer has only 1 writes/,
    ],
    [
      "an action after writes that nobody counts",
      `${good}features: [cancel]\nactions: [{ when: { request: 2, after_writes: 2 }, do: cancel }]\n`,
      /^23:\d+ .*use after_parts/,
    ],
    [
      "an action after writes of no request",
      `${good}features: [cancel]\nactions: [{ when: { tool_end: look, after_writes: 2 }, do: cancel }]\n`,
      /^23:\d+ .*after_writes stands only beside request/,
    ],
    [
      "an action that cannot fire",
      `${good}actions: [{ when: { request: 9 }, do: { release: x } }]\n`,
      /^22:\d+ .*never fires: model has only 2 entries/,
    ],
    [
      "a tool that no action can see",
      `${good}actions: [{ when: { tool_start: fly }, do: { release: x } }]\n`,
      /^22:\d+ .*given.tools has no fly/,
    ],
    [
      "a gate that nothing holds",
      `${good}actions: [{ when: { tool_start: look }, do: { release: door } }]\n`,
      /^22:\d+ .*no handler and no write holds the gate door/,
    ],
    [
      "an action without its feature",
      `${good}actions: [{ when: { tool_start: look }, do: cancel }]\n`,
      /^22:\d+ .*needs features: \[cancel\]/,
    ],
    ["a requirement without its feature", replaced("[TOOL-9]", "[CANCEL-1]"), /^3:12 .*needs features: \[cancel\]/],
    [
      "an option without its feature",
      replaced("  handlers:", "  options: { tool_timeout_ms: 5 }\n  handlers:"),
      /^11:\d+ .*needs features: \[timeouts\]/,
    ],
    [
      "a fixture that is not there",
      replaced("- text: Done.", "- raw: no/such/fixture"),
      /^15:\d+ .*no fixture fixtures\/no\/such\/fixture.json/,
    ],
    [
      "bytes on the generic seam only",
      `${replaced("- text: Done.", "- http: { status: 500 }")}variants: { seams: [generic] }\n`,
      /^15:\d+ .*run on the wire only/,
    ],
    ["nothing expected", good.replace(/expect:[^]*/, "expect: {}\n"), /^16:1 .*expects nothing/],
  ];
  it.each(faults)("refuses %s", async (_, text, problem) => {
    expect((await problemsOf(text))[0]).toMatch(problem);
  });

  it("reports every problem, in the order of the lines", async () => {
    const text = good
      .replace("TOOL-9", "TOOL-999")
      .replace("a-known-bug", "a-new-bug")
      .replace("status: completed", "status: done");
    expect((await problemsOf(text)).map((problem) => Number.parseInt(problem, 10))).toEqual([3, 5, 17]);
  });
});

describe("the cache", () => {
  const place = join(folder, "cached");
  const options = { cases: join(place, "cases"), bugs: join(place, "bugs.yaml"), cache: join(place, "cache") };
  const write = (text: string) => {
    mkdirSync(options.cases, { recursive: true });
    writeFileSync(join(options.cases, "one.yaml"), text);
    writeFileSync(options.bugs, "a-known-bug: { symptom: Something was wrong. }\n");
  };

  it("gives the same suite again", async () => {
    write(good);
    const first = await loadSuite(options);
    const kept = readFileSync(join(options.cache, "suite.json"), "utf8");
    expect(await loadSuite(options)).toEqual(first);
    expect(readFileSync(join(options.cache, "suite.json"), "utf8")).toBe(kept);
    expect(first.cases.map(({ id }) => id)).toEqual(["one"]);
  });
  it("is not used when a case or what it names has changed", async () => {
    write(good.replace("TOOL-9", "TOOL-999"));
    await expect(loadSuite(options)).rejects.toThrow(/one.yaml:3:12 /);
    write(good);
    writeFileSync(options.bugs, "another-bug: { symptom: x }\n");
    await expect(loadSuite(options)).rejects.toThrow(/a-known-bug/);
  });
  it("is no help, but no harm either, where it is broken or cannot be written", async () => {
    write(good);
    mkdirSync(options.cache, { recursive: true });
    writeFileSync(join(options.cache, "suite.json"), "{");
    expect((await loadSuite(options)).cases.length).toBe(1);
    const readOnly = join(place, "read-only");
    mkdirSync(readOnly);
    chmodSync(readOnly, 0o500);
    expect((await loadSuite({ ...options, cache: join(readOnly, "cache") })).cases.length).toBe(1);
  });
});
