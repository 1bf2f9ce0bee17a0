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

/** A case with agents by name. */
/** The good case, with two behaviours in place of its status. */
function behaviours(one: string, other: string): string {
  return good.replace("status: completed", `one_of: [${one}, ${other}]`);
}

const several = good
  .replace(
    /  tools:[^]*?model:/,
    `  agents:
    clerk:
      tools:
        - { name: look, input_schema: { type: object } }
  agent: clerk
  handlers: { look: { output: x } }
model:`,
  )
  .replace("    clerk:\n", "    clerk:\n      name: clerk\n");

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

/** The case with a hook before its tool. */
const withHook = (yaml: string, features = "features: [hooks]\n") =>
  replaced("model:", `  hooks: [{ point: before_tool, ${yaml} }]\nmodel:`).replace("why:", `${features}why:`);

/** The case with a guardrail. */
const withGuardrail = (yaml: string, features = "features: [guardrails]\n") =>
  replaced("model:", `  guardrails: [{ name: one, points: [input], ${yaml} }]\nmodel:`).replace(
    "why:",
    `${features}why:`,
  );

/** The case with instructions that a function makes. */
const withInstructions = (yaml: string, features = "features: [dynamic_instructions]\n") =>
  replaced("model:", `  dynamic_instructions: { ${yaml} }\nmodel:`).replace("why:", `${features}why:`);

/** The case with tools that a function makes. */
const withTools = (yaml: string, features = "features: [dynamic_tools]\n") =>
  replaced("model:", `  dynamic_tools: { ${yaml} }\nmodel:`).replace("why:", `${features}why:`);

/** The case with an MCP server. */
const withMcp = (server: string, features = "features: [mcp_tools]\n") =>
  replaced("model:", `  mcp: [{ namespace: n, ${server} }]\nmodel:`).replace("why:", `${features}why:`);

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
    [
      "a summary that nobody asks for",
      replaced("- text: Done.", "- { text: Done., summary: true }"),
      /^15:\d+ .*no summary is asked for; say strategy: summarize/,
    ],
    [
      "a summary that is written byte for byte",
      replaced("- text: Done.", "- { http: { status: 200 }, summary: true }"),
      /^15:\d+ .*summary is allowed only with respond, text or fault/,
    ],
    [
      "compaction without its feature",
      replaced("model:", "  options: { compaction: { max_result_chars: 300 } }\nmodel:"),
      /^13:\d+ .*needs features: \[compaction\]/,
    ],
    ["a missing key", replaced("title: A case that is fine\n", ""), /^1:1 is missing "title"/],
    [
      "an end before its beginning",
      replaced("requires:", 'until: "0.9"\nrequires:'),
      /^3:1 \/until: comes before since, 1\.0/,
    ],
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
      /^12:\d+ .*fatal is allowed only with throw/,
    ],
    [
      "two answers of the model",
      replaced("- text: Done.", "- { text: Done., fault: { kind: network } }"),
      /^15:\d+ \/model\/1/,
    ],
    ["an empty text", replaced("- text: Done.", '- text: ""'), /^15:\d+ .*respond: \[\]/],
    [
      "a comma in a text without quotes",
      replaced("content: Hello.", "content: Hello, you."),
      /^8:\d+ \/given\/messages\/0\/you\.: has no value; a text with a comma needs quotes/,
    ],
    [
      "a matcher in what is given",
      replaced("content: Hello.", "content: { $match: x }"),
      /^8:\d+ \/given\/messages\/0/,
    ],
    [
      "a matcher in a script",
      replaced("input: {} } }]", "input: { $any: true } } }]"),
      /^14:\d+ .*\$any is allowed only under expect/,
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
      /^16:1 .*\$b is bound by neither/,
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
      /^15:\d+ .*reset is not allowed with fault or raw/,
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
      "a short form of another provider",
      `${good.replace("- text: Done.", "- { sse: [{ named: { type: message_stop } }] }")}variants: { seams: [wire], providers: [openai-chat] }\n`,
      /^15:\d+ .*named is short for an event of anthropic-messages or openai-responses; name no other provider/,
    ],
    [
      "a short form for providers that are not named",
      replaced("- text: Done.", "- { sse: [{ delta: { content: Done. } }] }"),
      /^15:\d+ .*delta is short for an event of openai-chat; name no other provider/,
    ],
    [
      "the stream of some providers in a case for all",
      `${good}variants: { seams: [wire], transports: [sse] }\n`,
      /^22:\d+ .*sse is how some providers stream; say streamed, or name them in variants.providers/,
    ],
    [
      "a gate that no write holds",
      `${good.replace("- text: Done.", "- { writes: [{ text: x, hold: rest }] }")}actions: [{ when: { request: 2, after_writes: 1 }, do: { release: rst } }]\n`,
      /^22:\d+ .*nothing in the case holds the gate rst; known: rest/,
    ],
    [
      "an action after writes that are never made",
      `${good.replace("- text: Done.", "- { writes: [{ text: x }] }")}features: [cancel]\nactions: [{ when: { request: 2, after_writes: 2 }, do: cancel }]\n`,
      /^23:\d+ .*never fires: the answer has only 1 write$/,
    ],
    [
      "an action after writes that nobody counts",
      `${good}features: [cancel]\nactions: [{ when: { request: 2, after_writes: 2 }, do: cancel }]\n`,
      /^23:\d+ .*use after_parts/,
    ],
    [
      "an action after writes of no request",
      `${good}features: [cancel]\nactions: [{ when: { tool_end: look, after_writes: 2 }, do: cancel }]\n`,
      /^23:\d+ .*after_writes is allowed only with request/,
    ],
    [
      "an action that cannot fire",
      `${good}actions: [{ when: { request: 9 }, do: { release: x } }]\n`,
      /^22:\d+ .*never fires: model has only 2 entries/,
    ],
    [
      "a tool that no action can see",
      `${good}actions: [{ when: { tool_start: fly }, do: { release: x } }]\n`,
      /^22:\d+ .*no agent has a tool fly/,
    ],
    [
      "something said to a run that is suspended",
      `${good}features: [external_tools, steering]\nactions: [{ when: { suspended: true }, do: { steer: x } }]\n`,
      /^23:\d+ .*a suspended run can only be resumed, or its clock moved/,
    ],
    [
      "a snapshot with which nothing is resumed",
      replaced("model:", '  snapshot_on_resume: { spec_version: "2.0" }\nmodel:'),
      /\/given\/snapshot_on_resume: the run is never resumed/,
    ],
    [
      "a first snapshot with which nothing is resumed again",
      replaced("model:", "  resumes: first\nmodel:"),
      /\/given\/resumes: add a second action/,
    ],
    [
      "a gate that nothing holds",
      `${good}actions: [{ when: { tool_start: look }, do: { release: door } }]\n`,
      /^22:\d+ .*nothing in the case holds the gate door/,
    ],
    [
      "an action beside a guardrail that nobody asks",
      `${good}actions: [{ when: { guardrail: 1 }, do: { release: x } }]\n`,
      /^22:\d+ .*never fires: the case has no guardrails/,
    ],
    [
      "an action beside a function that nobody asks",
      `${good}actions: [{ when: { evaluation: 1 }, do: { release: x } }]\n`,
      /^22:\d+ .*never fires: the case has neither dynamic_instructions nor dynamic_tools/,
    ],
    [
      "an action without its feature",
      `${good}actions: [{ when: { tool_start: look }, do: cancel }]\n`,
      /^22:\d+ .*needs features: \[cancel\]/,
    ],
    ["a requirement without its feature", replaced("[TOOL-9]", "[CANCEL-1]"), /^3:12 .*needs features: \[cancel\]/],
    ["hooks without their feature", withHook("reply: {}", ""), /^13:3 .*needs features: \[hooks\]/],
    ["an answer that a hook cannot give", withHook("reply: { add_context: x }"), /has no effect at before_tool/],
    ["a hook that says of nothing that it is an error", withHook("reply: { is_error: true }"), /only with output/],
    ["a hook for a tool that nobody has", withHook("tool: f*, reply: {}"), /fits no tool of any agent \(look\)/],
    [
      "a hook for a tool where there is none",
      withHook("reply: {}").replace("before_tool, ", "turn_end, tool: look, "),
      /no tool is called at turn_end/,
    ],
    ["two answers of a hook", withHook("reply: {}, throw: x"), /^\d+:\d+ \/given\/hooks\/0/],
    ["a call of a hook that is not there", `${withHook("reply: {}")}  hooks: [{ hook: 1 }]\n`, /there is no hook 1/],
    ["calls of hooks where there are none", `${good}  hooks: []\n`, /has no hooks that could be asked/],
    [
      "guardrails without their feature",
      withGuardrail("finding: { trip: true }", ""),
      /^13:3 .*needs features: \[guardrails\]/,
    ],
    [
      "two answers of a guardrail",
      withGuardrail("finding: { trip: true }, throw: x"),
      /^\d+:\d+ \/given\/guardrails\/0/,
    ],
    [
      "two guardrails of one name",
      withGuardrail("throw: x }, { name: one, points: [input], throw: y"),
      /two guardrails are called one/,
    ],
    [
      "a check of a guardrail that is not there",
      `${withGuardrail("throw: x")}  guardrails: [{ guardrail: 1 }]\n`,
      /there is no guardrail 1; they are counted from 0, and there are 1/,
    ],
    ["checks of guardrails where there are none", `${good}  guardrails: []\n`, /has no guardrails that could be asked/],
    [
      "dynamic instructions without their feature",
      withInstructions("throw: x", ""),
      /^13:3 .*needs features: \[dynamic_instructions\]/,
    ],
    [
      "two kinds of dynamic instructions",
      withInstructions("template: x, sequence: [y]"),
      /^\d+:\d+ \/given\/dynamic_instructions/,
    ],
    [
      "dynamic instructions beside others",
      withInstructions("throw: x").replace("  dynamic", "  instructions: y\n  dynamic"),
      /\/given\/instructions: these are never sent/,
    ],
    [
      "a template with a variable that there is not",
      withInstructions('template: "{agent} {context.user}"'),
      /\{context.user\} names no context variable \(none\)/,
    ],
    ["dynamic tools without their feature", withTools("throw: x", ""), /needs features: \[dynamic_tools\]/],
    ["dynamic tools that there are not", withTools("sequence: [[look_up]]"), /no agent has a tool look_up/],
    [
      "dynamic tools beside those of a resume",
      withTools("throw: x").replace("  dynamic", "  tools_on_resume: []\n  dynamic"),
      /\/given\/tools_on_resume: these are never declared/,
    ],
    ["an MCP server without its feature", withMcp("tools: [], answers: {}", ""), /needs features: \[mcp_tools\]/],
    [
      "an answer for no tool of the server",
      withMcp("tools: [], answers: { a: {} }"),
      /server n has no tool a \(none\)/,
    ],
    [
      "a call with two ends",
      withMcp("tools: [{ name: a, inputSchema: {} }], answers: { a: { hold: true, lost: once } }"),
      /a call has one end/,
    ],
    [
      "two servers of one namespace",
      withMcp("tools: [], answers: {} }, { namespace: n, tools: [], answers: {}"),
      /two servers are called n/,
    ],
    ["calls of servers where there are none", `${good}  mcp: []\n`, /has no MCP server that could be called/],
    ["evaluations where there are none", `${good}  instructions: []\n`, /no function makes the instructions/],
    [
      "an action that waits for a hook where there is none",
      `${good}features: [cancel]\nactions: [{ when: { hook: 1 }, do: cancel }]\n`,
      /never fires: the case has no hooks/,
    ],
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
    ...(
      [
        ["data", "{ data: 1 }", "tool_data"],
        ["context updates", "{ output: x, context_updates: { a: 1 } }", "context"],
        ["a handoff", "{ output: x, handoff: null }", "handoff"],
        ["metrics", "{ output: x, metrics: { rows: 1 } }", "report"],
        ["progress", "{ output: x, progress: [1] }", "tool_progress"],
        ["data of a later answer", "{ sequence: [{ output: x }, { data: 1 }] }", "tool_data"],
      ] as const
    ).map(([what, handler, feature]): [string, string, RegExp] => [
      `${what} without the feature`,
      replaced("{ output: nothing }", handler),
      new RegExp(`^12:\\d+ .*needs features: \\[${feature}\\]`),
    ]),
    [
      "context variables without their feature",
      replaced("  handlers:", "  context: { a: 1 }\n  handlers:"),
      /^11:\d+ .*needs features: \[context\]/,
    ],
    [
      "settings without their feature",
      replaced("  handlers:", "  settings: { temperature: 1 }\n  handlers:"),
      /^11:\d+ .*needs features: \[settings\]/,
    ],
    [
      "steering without its feature",
      `${good}actions: [{ when: { tool_start: look }, do: { steer: x } }]\n`,
      /^22:\d+ .*needs features: \[steering\]/,
    ],
    [
      "a run beside without its feature",
      `${good}actions: [{ when: { tool_start: look }, do: { run_beside: x } }]\n`,
      /^22:\d+ .*needs features: \[runs_at_once\]/,
    ],
    [
      "a handoff to an agent that is not there",
      `${replaced("{ output: nothing }", "{ output: nothing, handoff: cook }")}features: [handoff]\n`,
      /^12:\d+ .*there is no agent cook \(main\)/,
    ],
    [
      "a handoff of a failure",
      `${replaced("{ output: nothing }", "{ output: nothing, is_error: true, handoff: main }")}features: [handoff]\n`,
      /^12:\d+ .*a tool that fails hands nothing over/,
    ],
    [
      "what a throwing tool cannot return",
      `${replaced("{ output: nothing }", "{ throw: x, metrics: { rows: 1 } }")}features: [report]\n`,
      /^12:\d+ .*metrics is allowed only with output or data/,
    ],
    [
      "progress beside a sequence",
      `${replaced("{ output: nothing }", "{ sequence: [{ output: x }], progress: [1] }")}features: [tool_progress]\n`,
      /^12:\d+ .*progress belongs in the entries of a sequence/,
    ],
    [
      "an action after progress that nobody says",
      `${good}features: [tool_progress]\nactions: [{ when: { progress: 1 }, do: { release: x } }]\n`,
      /^23:\d+ .*never fires: no handler says its progress/,
    ],
    [
      "a second run of which nothing is expected",
      `${good}features: [session_lock]\nactions: [{ when: { request: 1 }, do: { run_again: true } }]\n`,
      /^23:\d+ .*say in expect.second_result/,
    ],
    [
      "a second result without a second run",
      `${good.replace("status: completed", "second_result: {}")}features: [session_lock]\n`,
      /^17:\d+ .*no action starts a second run/,
    ],
    [
      "a behaviour of a policy that there is not",
      behaviours(
        "{ observes: { mood: good }, expect: { status: completed } }",
        "{ observes: { tool_exception: answered }, expect: { status: completed } }",
      ),
      /^17:\d+ .*no policy is called mood/,
    ],
    [
      "a behaviour that its policy does not know",
      behaviours(
        "{ observes: { tool_exception: shrugged }, expect: { status: error } }",
        "{ observes: { tool_exception: answered }, expect: { status: completed } }",
      ),
      /^17:\d+ .*tool_exception has no value shrugged; known: answered, raised/,
    ],
    [
      "two behaviours of one name",
      behaviours(
        "{ observes: { tool_exception: answered }, expect: { status: completed } }",
        "{ observes: { tool_exception: answered }, expect: { status: error } }",
      ),
      /^17:\d+ .*an entry before it observes the same/,
    ],
    [
      "a behaviour of which nothing is expected",
      behaviours(
        "{ observes: { tool_exception: answered }, expect: { status: completed } }",
        "{ observes: { tool_exception: raised }, expect: {} }",
      ),
      /^17:\d+ .*expects nothing/,
    ],
    [
      "an active agent that is not there",
      several.replace("agent: clerk", "agent: cook"),
      /^14:\d+ .*given.agents has no cook \(clerk\)/,
    ],
    ["an agent under another name", several.replace("name: clerk", "name: cook"), /^10:\d+ .*called cook; write clerk/],
    [
      "a tool of an agent without a handler",
      several.replace("{ look: { output: x } }", "{}"),
      /^13:\d+ .*tool look has no handler/,
    ],
    [
      "a handler for no agent's tool",
      several.replace("{ look:", "{ listen: { output: x }, look:"),
      /^15:\d+ .*for no tool of any agent \(look\)/,
    ],
    ["nothing expected", good.replace(/expect:[^]*/, "expect: {}\n"), /^16:1 .*expects nothing/],
  ];
  it.each(faults)("refuses %s [KIT-6]", async (_, text, problem) => {
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
  it("is not used when a case or what it names has changed [KIT-6]", async () => {
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
