// Shows that a wrong fenced block is found, whatever its kind, and that a right one is not.

import { expect, test } from "vitest";
import { blockMistakes } from "./check-spec.ts";

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const workflow = (command: string) => `jobs:\n  one:\n    steps:\n      - uses: x/y@v1\n      - run: ${command}\n`;

test.each([
  [
    "a value",
    fence(
      "json Usage",
      '{"input_tokens":1,"output_tokens":1,"cache_read_tokens":1,"cache_write_tokens":1,"reasoning_tokens":null}',
    ),
  ],
  ["a list", fence("json Message[]", '[{"role":"user","content":"Hello."}]')],
  ["lines", fence("ndjson Part", '{"type":"text","text":"a"}\n{"type":"text","text":"b"}')],
  ["a program and its output", fence("ts", 'console.log("hello", 1 + 1);') + "\n" + fence("text", "hello 2")],
  ["a program that is not run", fence("ts types", 'throw new Error("run");')],
  ["a program that ran for another time", fence("ts", 'console.log("took 12 ms");') + fence("text", "took 3 ms")],
  ["a command", fence("sh", "npm ci && npm test   # everything\nnpx agent-loop-spec test --driver python")],
  ["a drawing", fence("text", "a → b")],
  [
    "commands in a folder of their own, with some of what they print",
    fence("sh run elsewhere", "npx agent-loop-spec init --lang python --dir d\nnpx agent-loop-spec list drivers") +
      fence(
        "text",
        "wrote d/agent-loop.json\n…\nwhat works, what not:  npx agent-loop-spec driver check --driver d\n…",
      ),
  ],
  [
    "a command that finds something wrong",
    fence(
      "sh run elsewhere red",
      'npx agent-loop-spec probe --scenario cut/text -- python3 my_agent.py "Hello there."',
    ) + fence("text", "…\nrequirements: 1 broken (1.0 s)"),
  ],
  ["a workflow", fence("yaml Workflow", workflow("npx agent-loop-spec test --shard ${{ matrix.shard }}/4"))],
])("%s", async (_, markdown) => {
  expect(await blockMistakes({ "x.md": markdown })).toEqual([]);
});

test.each([
  ["a mode that there is not", fence("sh run here", "npm test"), /sh is alone or followed by run, run elsewhere, /],
  [
    "a command that should find something wrong",
    fence("sh run elsewhere red", "npx agent-loop-spec list profiles"),
    /the last command finds nothing wrong/,
  ],
  [
    "a line that is not printed",
    fence("sh run elsewhere", "npx agent-loop-spec list drivers") + fence("text", "…\nno such driver\n…"),
    /prints something else/,
  ],
  ["no words", fence("", "x"), /x\.md:1: begins with ""; expected one of: json, /],
  ["another language", fence("ruby", "x"), /begins with "ruby"/],
  ["a recipe elsewhere", fence("python", "x"), /python stands in spec\/kit\/recipes\.md only/],
  ["an unknown type", fence("json Usge", "{}"), /no schema is called "Usge"; known: Session, /],
  ["no type", fence("json", "{}"), /no schema is called ""/],
  ["a broken value", fence("json Part", '{"type":"text"}'), /is missing "text"/],
  ["a broken item", fence("json Part[]", '[{"type":"text","text":""},{"type":"text"}]'), /\/1 is missing "text"/],
  ["broken JSON", fence("json Part", "{"), /x\.md:1: .*JSON/],
  ["a broken line", fence("ndjson Part", '{"type":"text","text":"a"}\n{"type":"text"}'), /line 2 is missing "text"/],
  ["a broken case", fence("yaml Case", "title: x\nsinc: y"), /line 2 of the case: .*sinc/],
  ["yaml of another kind", fence("yaml", "a: 1"), /yaml is "yaml Case", "yaml Expectation", .* or "yaml Workflow"/],
  ["a message without direction", fence("ndjson Driver", "{}"), /line 1 must begin with "kit → "/],
  [
    "a message of the other side",
    fence("ndjson Driver", 'drv → {"id":1,"method":"initialize"}'),
    /the driver has no such message: initialize/,
  ],
  ["a broken message", fence("ndjson Driver", 'kit → {"method":"cancel","params":{}}'), /line 1 is missing "run"/],
  [
    "an answer without a request",
    fence("ndjson Driver", 'drv → {"id":7,"result":{}}'),
    /answers the id 7, of which there is no request/,
  ],
  [
    "a program that prints something else",
    fence("ts", "console.log(1);") + fence("text", "2"),
    /prints something else/,
  ],
  [
    "a program whose types do not hold, and no other,",
    fence("ts", "console.log(1);") + fence("ts types", "const one: string = 1;\nconsole.log(one);"),
    /^x\.md:4: .*\(1,7\): error TS2322: .*$/,
  ],
  ["a program that throws", fence("ts", 'throw new Error("no");'), /the program failed: [\s\S]*no/],
  [
    "an excerpt that is not there",
    fence("ts conformance/dev/check-spec.ts", "const nowhere = 1;"),
    /does not have this line/,
  ],
  [
    "an unknown script",
    fence("sh", "npm run sing"),
    /neither an npm script nor a program of the package: npm run sing/,
  ],
  [
    "a workflow that runs what is not there",
    fence("yaml Workflow", workflow("npx agent-lop test")),
    /npx agent-lop test/,
  ],
  ["an unknown program", fence("sh", "make"), /neither an npm script nor a program of the package: make/],
  [
    "a diagram with another phase",
    fence("mermaid", "stateDiagram-v2\n  deciding --> sleeping"),
    /sleeping is no phase/,
  ],
  [
    "a diagram that leaves one out",
    fence("mermaid", "stateDiagram-v2\n  deciding --> done: x"),
    /leaves out the phase executing/,
  ],
])("%s is found", async (_, markdown, message) => {
  expect((await blockMistakes({ "x.md": markdown })).join("\n")).toMatch(message);
});
