// That expectations say what a program did otherwise than expected, and in which line, and nothing where all is as expected.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { fencedBlocks } from "../../dev/fenced-blocks.ts";
import { playedExchange } from "../replay/played-exchange.ts";
import { Tape } from "../replay/tape.ts";
import type { TapeOptions } from "../replay/tape.ts";
import { readExpectation, unmetLines } from "./expectation.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-loop-expectation-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (name: string) => JSON.parse(readFileSync(join(root, "fixtures", `${name}.json`), "utf8")) as Fixture;
let files = 0;
function file(yaml: string): string {
  const path = join(folder, `${(files += 1)}.yaml`);
  writeFileSync(path, yaml);
  return path;
}

const loop = "openai-chat/weather-loop";

async function unmet(yaml: string, exchanges: Exchange[] = fixture(loop).exchanges): Promise<string[]> {
  const found = await readExpectation(file(yaml))(exchanges);
  return found.map(({ line, path, message }) => `${line} ${path} ${message}`);
}

const loops = ["anthropic-messages", "openai-chat", "openai-responses"].flatMap((provider) => [
  `${provider}/weather-loop`,
  `${provider}/weather-loop-streamed`,
]);

const markdown = readFileSync(join(root, "spec/kit/replay.md"), "utf8");
const example = fencedBlocks("spec/kit/replay.md", markdown).find(({ info }) => info === "yaml Expectation")!.text;

test("the example of the spec holds [REPLAY-11]", async () => {
  expect(await unmet(example)).toEqual([]);
  expect(await unmet(example.replace("Rome", "Oslo"))).toEqual([
    "3 /tools/1/input/city differs from the expected value",
  ]);
});

test.each(loops)("it holds for %s, whatever that cost", async (name) => {
  const [yaml = ""] = example.split("budget");
  expect(await unmet(yaml, fixture(name).exchanges)).toEqual([]);
});

test("calls are seen where the server keeps the conversation", async () => {
  const { exchanges } = structuredClone(fixture("openai-responses/weather-loop"));
  const [first, continued] = exchanges.map(({ request }) => request!.body as Record<string, unknown>);
  Object.assign(first!, { store: true });
  const results = (continued!["input"] as { type?: string }[]).filter(({ type }) => type === "function_call_output");
  const { id } = exchanges[0]!.response.body as { id: string };
  Object.assign(continued!, { store: true, previous_response_id: id, input: results });
  const yaml = "tools: [{ input: { city: Paris } }, { input: { city: Rome } }]";
  expect(await unmet(yaml, exchanges)).toEqual([]);
});

const priced = 'prices: { currency: USD, models: { gpt-4.1: { input: "2", output: "8" } } }';

describe("is said", () => {
  test.each([
    [
      "another argument",
      "tools:\n  - get_weather\n  - { name: get_weather, input: { city: Oslo } }",
      "3 /tools/1/input/city differs from the expected value",
    ],
    [
      "another order",
      "tools:\n  $contains:\n    - { input: { city: Rome } }\n    - { input: { city: Paris } }",
      "4 /tools/$contains/1 is in the list, but not after the entries before it",
    ],
    ["a call more", "tools: [get_weather]", "1 /tools/1 is an extra entry"],
    [
      "a call less",
      "tools: { $unordered: [get_weather, get_weather, get_time] }",
      "1 /tools has 2 entries instead of 3",
    ],
    [
      "another result",
      "tools:\n  $contains: { name: get_weather, output: { $contains: snow } }",
      "2 /tools/$contains/0 is not in the list",
    ],
    ["another number of requests", "\nrequest_count: 3", "2 /request_count differs from the expected value"],
    ["another id", "tools: [{ id: $a }, { id: $a }]", "1 /tools/1/id is not the id bound to $a"],
    [
      "another request",
      "requests: [{ system: Answer at length. }, {}]",
      "1 /requests/0/system differs from the expected value",
    ],
    ["another body", "wire:\n  openai-chat: [{ temperature: 0 }, {}]", "2 /wire/openai-chat/0/temperature is missing"],
    [
      "a provider that was not asked",
      "wire: { openai-responses: [{}] }",
      "1 /wire/openai-responses/0 is missing from the list",
    ],
    ["another cost", 'result: { cost: "5" }', "1 /result/cost differs from the expected value"],
    ["more than the budget", `${priced}\nbudget: "0.0000001"`, "2 /budget is less than the model calls cost"],
  ])("%s", async (_, yaml, messages) => {
    expect(await unmet(yaml)).toEqual([messages]);
  });

  test("that nobody knows what the calls cost", async () => {
    expect(await unmet('budget: "1"\nresult: { cost: null }')).toEqual([
      expect.stringMatching(/^1 \/budget cannot be checked: the tokens of gpt-4\.1 .*say it under prices/),
    ]);
  });

  test("with both values, and the place", async () => {
    const path = file('result: { final_text: "Snow.\\u001b[2J" }');
    const lines = (await readExpectation(path)(fixture(loop).exchanges)).flatMap(unmetLines);
    expect(lines).toEqual([
      `${path}:1: /result/final_text differs from the expected value`,
      expect.stringMatching(/^ {4}- expected {2}"Snow\.\\u001b\[2J"$/),
      expect.stringMatching(/^ {4}\+ received {2}".*Paris/),
    ]);
  });
});

test("the cost is that of the tokens, by the prices that are given", async () => {
  const prices = 'prices: { currency: USD, models: { gpt-4.1: { input: "1000000", output: "0" } } }';
  const { exchanges } = fixture(loop);
  const spent = exchanges.map(
    ({ response }) => (response.body as { usage: { prompt_tokens: number } }).usage.prompt_tokens,
  );
  const sum = spent.reduce((total, tokens) => total + tokens, 0);
  expect(
    await unmet(`${prices}\nresult: { cost: "${sum}", usage: { input_tokens: ${sum} } }\nbudget: "${sum}"`),
  ).toEqual([]);
  expect(await unmet(`${prices}\nbudget: "${sum - 1}"`)).toHaveLength(1);
});

describe("a call is counted once", () => {
  test("where the same is asked again after a failure", async () => {
    const [first, second] = fixture(loop).exchanges as [Exchange, Exchange];
    const failed = { ...second, response: { status: 500, body: { error: { message: "no" } } } };
    const traffic = [first, failed, second];
    expect(await unmet("tools: [get_weather, get_weather]\nrequest_count: 3\nresult: { turns: 2 }", traffic)).toEqual(
      [],
    );
  });

  test("where two requests go on from one answer", async () => {
    const [first, second] = fixture(loop).exchanges as [Exchange, Exchange];
    expect(await unmet("tools: [get_weather, get_weather]", [first, second, second])).toEqual([]);
  });

  test("and not at all where it stood in the history already", async () => {
    const [, second] = fixture(loop).exchanges as [Exchange, Exchange];
    expect(await unmet("tools: []\nrequest_count: 1", [second])).toEqual([]);
  });
});

describe("a file is refused, with its line,", () => {
  test.each([
    ["that expects nothing", "{}", /:1:1: expected at least 1/],
    ["that is no YAML", "tools: [", /:1:\d+: this is not valid YAML/],
    ["with another key", "request_count: 1\nstatus: completed", /:2:1: \/status: unknown property "status"/],
    [
      "with a matcher that nobody knows",
      "tools:\n  - { name: { $like: x } }",
      /:2:\d+: \/tools\/0\/name: no matcher is called \$like/,
    ],
    ["with a policy", "result: { turns: { $policy: { name: x, cases: {} } } }", /no policy is called x; known: none/],
    ["with an id that stands once", "tools: [{ id: $a }]", /\$a is used only once/],
  ])("%s", (_, yaml, message) => {
    expect(() => readExpectation(file(yaml))).toThrow(message);
  });

  test("that is not there", () => {
    expect(() => readExpectation(join(folder, "none.yaml"))).toThrow(/none\.yaml cannot be read/);
  });
});

describe("on a tape, what is held against the file is what the program sent", () => {
  const { exchanges, ...rest } = fixture(loop);
  const volatile = { ...rest, exchanges, replay: { volatile: ["/messages/*/content"] } };

  function play(requests: unknown[], options: Partial<TapeOptions> = {}): Exchange[] {
    const played: Exchange[] = [];
    const onRequest: TapeOptions["onRequest"] = (first, taken) => void played.push(playedExchange(first, taken));
    const tape = new Tape(volatile, { name: "test", rules: false, onRequest, ...options });
    for (const body of requests) {
      const request = { method: "POST", path: "/v1/chat/completions", provider: "openai-chat", headers: {} };
      tape.take({ ...request, body: Buffer.from(JSON.stringify(body)) });
    }
    return played;
  }

  const bodies = exchanges.map(({ request }) => request!.body as { messages: { role: string; content: string }[] });
  const snow = structuredClone(bodies[1]!);
  for (const message of snow.messages) if (message.role === "tool") message.content = "snow";

  test("also where the fixture lets it differ", async () => {
    const yaml = "tools: [{ output: snow }, { output: snow }]";
    expect(await unmet(yaml, play([bodies[0], snow]))).toEqual([]);
    expect(await unmet(yaml, play(bodies))).toHaveLength(2);
  });

  test.each([
    ["429@2", { request: 2, kind: { status: 429 } }],
    ["cut@2", { request: 2, kind: "cut" }],
    ["reset@2", { request: 2, kind: "reset" }],
  ] as const)("and with the fault %s", async (_, fault) => {
    const played = play([...bodies, bodies[1]], { faults: [fault] });
    expect(await unmet("tools: [get_weather, get_weather]\nrequest_count: 3\nresult: { turns: 2 }", played)).toEqual(
      [],
    );
  });
});
