// That no secret gets to the disk, whatever it is and wherever it stands: replaced, or with its exchange left out.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as askHttp } from "node:http";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { redact } from "../../kit/base/redact.ts";
import { seeded } from "../../kit/base/seeded-random.ts";
import { fixtureText } from "../fixture/fixture-file.ts";
import { createScan } from "../fixture/secrets.ts";
import { startUpstream } from "../testing/upstream.ts";
import { Recorder } from "./recorder.ts";
import { Recording } from "./recording.ts";
import type { Leak } from "./recording.ts";
import { RecordingLog, recover } from "./recording-log.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-planted-"));
afterAll(() => rmSync(folder, { recursive: true }));

const random = seeded(1, "planted secrets");
const pick = (letters: string) => letters[Math.floor(random() * letters.length)]!;
/** As many letters, made up at each run of the tests in the same way, so that no scanner takes them for real ones. */
const made = (count: number, letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") =>
  Array.from({ length: count }, () => pick(letters)).join("");
const hex = (count: number) => made(count, "0123456789abcdef");
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");

/** What is planted: the secret, and the text around it. */
interface Planted {
  what: string;
  secret: string;
  text: string;
}
const alone = (what: string, secret: string): Planted => ({ what, secret, text: secret });
const after = (what: string, text: string, secret: string, end = ""): Planted => ({
  what,
  secret,
  text: `${text}${secret}${end}`,
});

const kinds: readonly Planted[] = [
  alone("Anthropic", `sk-ant-api03-${made(80)}`),
  alone("OpenAI project", `sk-proj-${made(60)}`),
  alone("OpenAI", `sk-${made(48)}`),
  alone("OpenRouter", `sk-or-v1-${hex(64)}`),
  alone("DeepSeek", `sk-${hex(32)}`),
  alone("Google", `AIza${made(35)}`),
  alone("Google token", `ya29.${made(60)}`),
  alone("Google client secret", `GOCSPX-${made(28)}`),
  alone("xAI", `xai-${made(60)}`),
  alone("Groq", `gsk_${made(52)}`),
  alone("Perplexity", `pplx-${made(48)}`),
  alone("Fireworks", `fw_${made(24)}`),
  alone("Replicate", `r8_${made(37)}`),
  alone("NVIDIA", `nvapi-${made(60)}`),
  alone("Hugging Face", `hf_${made(34)}`),
  alone("Together", `tgp_v1_${made(43)}`),
  alone("Cerebras", `csk-${made(48)}`),
  alone("Voyage", `pa-${made(43)}`),
  alone("Jina", `jina_${made(60)}`),
  alone("Tavily", `tvly-dev-${made(32)}`),
  alone("Firecrawl", `fc-${hex(32)}`),
  alone("Langfuse", `sk-lf-${uuid()}`),
  alone("LangSmith", `lsv2_pt_${hex(32)}_${hex(10)}`),
  alone("Pinecone", `pcsk_${made(60)}`),
  alone("E2B", `e2b_${hex(40)}`),
  alone("ElevenLabs", `sk_${hex(48)}`),
  alone("Stripe", `sk_live_${made(24)}`),
  alone("Stripe, restricted", `rk_live_${made(24)}`),
  alone("SendGrid", `SG.${made(22)}.${made(43)}`),
  alone("Twilio", `SK${hex(32)}`),
  alone("DigitalOcean", `dop_v1_${hex(64)}`),
  alone("Databricks", `dapi${hex(32)}`),
  alone("Vercel", `vck_${made(50)}`),
  alone("Supabase", `sbp_${hex(40)}`),
  alone("Heroku", `HRKU-${made(60)}`),
  alone("GitHub", `ghp_${made(36)}`),
  alone("GitHub, fine-grained", `github_pat_${made(60)}`),
  alone("GitLab", `glpat-${made(20)}`),
  alone("Slack", `xoxb-1234567890-${made(24)}`),
  alone("a webhook of Slack", `https://hooks.slack.com/services/T${made(8)}/B${made(8)}/${made(24)}`),
  alone("a webhook of Discord", `https://discord.com/api/webhooks/${made(18, "123456789")}/${made(68)}`),
  alone("Discord", `M${made(23)}.${made(6)}.${made(27)}`),
  alone("Telegram", `${made(9, "123456789")}:AA${made(33)}`),
  alone("npm", `npm_${made(36)}`),
  alone("PyPI", `pypi-AgEIcHlwaS5vcmc${made(60)}`),
  alone("RubyGems", `rubygems_${hex(48)}`),
  alone("crates.io", `cio${made(32)}`),
  alone("Docker", `dckr_pat_${made(27)}`),
  alone("Atlassian", `ATATT3xFfGF0${made(100)}`),
  alone("Linear", `lin_api_${made(40)}`),
  alone("Notion", `ntn_${made(46)}`),
  alone("Figma", `figd_${made(40)}`),
  alone("Airtable", `pat${made(14)}.${hex(64)}`),
  alone("HubSpot", `pat-na1-${uuid()}`),
  alone("Shopify", `shpat_${hex(32)}`),
  alone("New Relic", `NRAK-${made(27)}`),
  alone("Sentry", `sntrys_${made(60)}`),
  alone("Grafana", `glsa_${made(32)}_${hex(8)}`),
  alone("PostHog", `phx_${made(43)}`),
  alone("Doppler", `dp.pt.${made(43)}`),
  alone("Vault", `hvs.${made(24)}`),
  alone("1Password", `ops_eyJ${made(200)}`),
  alone("Tailscale", `tskey-auth-${made(17)}-${made(32)}`),
  alone("age", `AGE-SECRET-KEY-1${made(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`),
  alone("a JSON web token", `eyJ${made(20)}.eyJ${made(40)}.${made(43)}`),
  alone("AWS", `AKIA${made(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`),
  alone("Bedrock", `ABSK${made(100)}`),
  after("a private key", "-----BEGIN RSA PRIVATE KEY-----\n", made(64), "\n-----END RSA PRIVATE KEY-----"),
  after("a key of AWS", "aws_secret_access_key = ", made(40)),
  after("a key of Azure", "api-key: ", hex(32)),
  after("a key of Mistral", "MISTRAL_API_KEY=", made(32)),
  after("a password in the URL of a database", "postgres://admin:", made(16), "@db.example.com:5432/x"),
  after("a password without a user", "redis://:", made(20), "@example.com:6379/0"),
  after("a cookie", "Cookie: session=", made(24)),
  after("basic authorization", "Authorization: Basic ", Buffer.from(`user:${made(12)}`).toString("base64")),
  after("a bearer token", "Authorization: Bearer ", made(40)),
  after("a password", "password=", `q7${made(14)}`),
  after("a client secret", "grant_type=x&client_secret=", made(32), "&y=1"),
];

const known = {
  PASS_PHRASE: "opens every door",
  NAMED_TOKEN: `q7${made(20)}`,
  SHORT_API_KEY: "ab12cd7",
  UNI_PASSWORD: `pässwörd${made(8)}`,
};

/** What a program sends, and what it is answered. */
interface Sent {
  path?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  answer?(response: ServerResponse): unknown;
}

const key = `sk-ant-api03-${made(40)}`;
const saying = (text: unknown) => JSON.stringify({ model: "m", messages: [{ role: "user", content: text }] });
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string) => event({ choices: [{ delta: { content } }] });
/** Each piece is one write, and the next one follows when the recorder has had the time to read it. */
const stream =
  (pieces: readonly (string | Uint8Array)[], type = "text/event-stream") =>
  async (response: ServerResponse) => {
    response.writeHead(200, { "content-type": type });
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, () => setImmediate(resolve)));
    response.end();
  };
const halves = (cut: number, wrap: (text: string) => string) => [wrap(key.slice(0, cut)), wrap(key.slice(cut))];
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
const png = bytes([0x89], "PNG\r\n", [26, 10, 0], `tEXt${key}`, [0, 255]);
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");
const answering = (headers: Record<string, string>, body: string | Uint8Array = "{}") => ({
  answer: (response: ServerResponse) => response.writeHead(200, headers).end(body),
});
const form = { "content-type": "multipart/form-data; boundary=B" };

/** Where the key stands. */
const places: readonly [where: string, sent: Sent][] = [
  ["the query, encoded", { path: `/v1/x?q=${key.replaceAll("-", "%2D")}` }],
  ["the path", { path: `/v1/${key}` }],
  ["the header accept", { headers: { accept: `application/json; k=${key}` } }],
  ["the boundary of a form", { headers: { "content-type": `multipart/form-data; boundary=${key}` }, body: "--x" }],
  ["the header anthropic-beta", { headers: { "anthropic-beta": key } }],
  ["headers that are not kept", { headers: { authorization: `Bearer ${key}`, cookie: `s=${key}` } }],
  ["a header of rate limits", answering({ "x-ratelimit-foo": key })],
  ["the header retry-after", answering({ "retry-after": key })],
  ["the content type of an answer", answering({ "content-type": `application/json; x=${key}` })],
  ["base64", { body: saying(base64(key)) }],
  ["base64 of base64", { body: saying(base64(base64(key))) }],
  ["base64 of JSON", { body: saying(base64(saying(key))) }],
  ["base64 of an image", { body: saying(`data:image/png;base64,${base64(png)}`) }],
  ["hexadecimal digits", { body: saying(Buffer.from(key).toString("hex")) }],
  ["an escaped letter", { body: `{"a":"\\u0073${key.slice(1)}"}` }],
  ["an escaped letter in JSON in JSON", { body: saying(`{"a":"\\u0073${key.slice(1)}"}`) }],
  ["two fields", { body: JSON.stringify({ a: key.slice(0, 20), b: key.slice(20) }) }],
  ["two fields, early", { body: JSON.stringify({ a: key.slice(0, 9), b: key.slice(9) }) }],
  ["a list of letters", { body: JSON.stringify({ a: [...key] }) }],
  ["two lines", { body: saying(`${key.slice(0, 20)}\n${key.slice(20)}`) }],
  ["letters that nobody sees", { body: saying(`sk\u200B-ant-${key.slice(7)}`) }],
  ["a tag", { body: saying(`${key.slice(0, 20)}</b>${key.slice(20)}`) }],
  ["a name", { body: JSON.stringify({ [key]: 1 }) }],
  ["a form", { headers: form, body: `--B\r\nname: k\r\n\r\n${key}\r\n--B--` }],
  [
    "a form with bytes",
    { headers: form, body: bytes("--B\r\nname: k\r\n\r\n", key, "\r\n--B\r\n\r\n", [255, 254, 0], "\r\n--B--") },
  ],
  [
    "gzip in a form",
    { headers: form, body: Buffer.concat([bytes("--B\r\na: b\r\n\r\n"), gzipSync(key), bytes("\r\n--B--")]) },
  ],
  ["an image", { headers: { "content-type": "image/png" }, body: png }],
  ["gzip", { headers: { "content-encoding": "gzip" }, body: gzipSync(saying(key)) }],
  ["deflate", { headers: { "content-encoding": "deflate" }, body: deflateSync(saying(key)) }],
  ["br", { headers: { "content-encoding": "br" }, body: brotliCompressSync(saying(key)) }],
  ["zstd", { headers: { "content-encoding": "zstd" }, body: zstdCompressSync(saying(key)) }],
  ["UTF-16", { body: Buffer.from(`\uFEFF${saying(key)}`, "utf16le") }],
  ["a form of a page", { body: `a=1&q=${encodeURIComponent(key)}` }],
  ["an answer", answering({ "content-type": "application/json" }, JSON.stringify({ error: { message: key } }))],
  ["a compressed answer", answering({ "content-encoding": "gzip" }, gzipSync(saying(key)))],
  ["an answer of bytes", answering({}, bytes([0, 1, 2], key, [0, 255]))],
  ["one event", { answer: stream([delta("a"), delta(key), delta("b")]) }],
  ["two deltas", { answer: stream(halves(20, delta)) }],
  ["two deltas, early", { answer: stream(halves(9, delta)) }],
  ["deltas of one letter", { answer: stream([...key].map(delta)) }],
  ["deltas with CR at the ends of lines", { answer: stream(halves(20, (text) => delta(text).replaceAll("\n", "\r"))) }],
  ["data of several lines", { answer: stream(halves(20, (text) => `data: {"t":\ndata: "${text}"}\n\n`)) }],
  ["lines of a text", { answer: stream(halves(20, (text) => `tok: ${text}\n`)) }],
  [
    "arguments that come in pieces",
    { answer: stream([0, 7, 30].map((at, n) => event({ partial_json: key.slice(at, [7, 30, 60][n]) }))) },
  ],
  ["two pieces of one event", { answer: stream([`{"a":"${key.slice(0, 20)}`, `${key.slice(20)}"}`]) }],
  [
    "a piece that ends within a letter",
    { answer: stream([bytes(`data: {"t":"${key} caf`, [0xc3]), bytes([0xa9], ' bye"}\n\n')]) },
  ],
  ["a text with a broken letter", { answer: stream([bytes(`a key ${key} and more text that can be read `, [255])]) }],
  [
    "far apart",
    {
      answer: stream([
        delta(key.slice(0, 20)),
        ...Array<string>(30).fill(`: ${"z".repeat(60_000)}\n\n`),
        delta(key.slice(20)),
      ]),
    },
  ],
  ["a large event", { answer: stream([event(`${"q ".repeat(750_000)}${key}${" q".repeat(250_000)}`)]) }],
  [
    "a border of what is looked through at once",
    {
      answer: stream([
        `data: {"t":"${"q ".repeat(655_320)}`,
        key.slice(0, 30),
        `${key.slice(30)}"}\n\n`,
        delta("z ".repeat(300_000)),
      ]),
    },
  ],
  ["a stream of bytes", { answer: stream([bytes([0, 0, 9, 1]), key, bytes([255, 0])], "application/octet-stream") }],
];

/** Records what is sent. @returns everything that got to the disk, what is encoded decoded, and what was found */
async function record({ path = "/v1/x", headers = {}, body = "{}", answer }: Sent, redactSecrets: boolean) {
  const file = join(folder, `${made(12)}.journal`);
  const log = new RecordingLog(file, { date: "2026-01-31", recorder: "test" });
  const leaks: Leak[] = [];
  const failures: string[] = [];
  const recording = new Recording({
    log,
    scan: await createScan(new Map(Object.entries(known))),
    redact: redactSecrets,
    onLeak: (leak) => leaks.push(leak),
    onFailure: (_, { message }) => failures.push(message),
  });
  await using upstream = await startUpstream((_, response) =>
    answer ? answer(response) : response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  const recorder = await Recorder.start([{ name: "openai", url: upstream.url }], recording);
  await send(`${recorder.origin}/openai${path}`, headers, body);
  await recorder.stop();
  log.close();
  const written = readFileSync(file, "utf8");
  const decoded = written.split("\n").map((line) => decodedOf(line));
  const fixture = recover(file);
  return { onDisk: [written, ...decoded, fixture ? fixtureText(fixture) : ""].join("\n"), fixture, leaks, failures };
}

function decodedOf(line: string): string {
  if (line === "") return "";
  const { base64: chunk, request } = JSON.parse(line) as { base64?: string; request?: { base64?: string } };
  return Buffer.from(chunk ?? request?.base64 ?? "", "base64").toString("latin1");
}

function send(url: string, headers: Record<string, string>, body: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const request = askHttp(url, { method: "POST", headers }, (answer) => answer.resume().once("close", resolve));
    request.once("error", () => resolve()).end(body);
  });
}

describe.each([
  ["with --redact", true],
  ["without", false],
])("%s", (_, redactSecrets) => {
  test.each(kinds)("$what is not written", async ({ secret, text }) => {
    const { onDisk, leaks, fixture } = await record({ body: saying(`output: ${text} end`) }, redactSecrets);
    expect(onDisk).not.toContain(secret);
    expect([leaks.length > 0, fixture !== undefined]).toEqual([true, redactSecrets]);
  });

  test.each(Object.entries(known))("the value of %s is not written", async (_name, value) => {
    for (const sent of [
      { body: saying(value) },
      { answer: stream([delta(value)]) },
      { answer: stream([...value].map(delta)) },
      { body: JSON.stringify({ a: value.slice(0, 5), b: value.slice(5) }) },
    ]) {
      const { onDisk, leaks } = await record(sent, redactSecrets);
      for (const way of [value, JSON.stringify(value).slice(1, -1), Buffer.from(value).toString("latin1")])
        expect(onDisk).not.toContain(way);
      expect(leaks).not.toEqual([]);
    }
  });

  test.each(places)("a key in %s is not written", async (_where, sent) => {
    const { onDisk, leaks, failures, fixture } = await record(sent, redactSecrets);
    for (const from of [0, 14, 20]) expect(onDisk).not.toContain(key.slice(from));
    for (const one of [base64(key), base64(base64(key)), Buffer.from(key).toString("hex")])
      expect(onDisk).not.toContain(one.slice(4, 30));
    // It was replaced, or the exchange was left out, and somebody was told; or it stood where nothing is kept.
    if (fixture === undefined) expect([...leaks, ...failures]).not.toEqual([]);
  });
});

test.each(kinds)("$what is not in a report", ({ secret, text }) => {
  expect(redact(`output: ${text} end`)).not.toContain(secret);
});

test.each([
  ["the price of sk-learn-like names and risk-management-of-things", "words with hyphens"],
  ["const api_key = process.env.OPENAI_API_KEY; password: string; token: str", "code about keys"],
  ["set ANTHROPIC_API_KEY=your-api-key-here, or sk-ant-xxxxxxxxxxxxxxxx", "what stands for a key"],
  [`toolu_${made(24)} call_${made(24)} msg_${made(24)} req_${made(24)} resp_${hex(48)} fc_${hex(48)}`, "ids"],
  [base64(made(600)), "a signature"],
])("%s is written as it is: it is no secret", async (text) => {
  const { fixture, leaks } = await record({ body: saying(text) }, false);
  expect(leaks).toEqual([]);
  expect(fixture?.exchanges[0]?.request?.body).toEqual(JSON.parse(saying(text)));
});

describe("a body of bytes", () => {
  const pdf = bytes("%PDF-1.7\n", [0, 255, 254], "\n%%EOF");
  const wav = bytes("RIFF", [1, 0, 0, 0], "WAVEfmt ", [0, 255]);
  test.each([
    ["a PDF", pdf],
    ["audio", wav],
    ["a form with an image", bytes("--B\r\nname: f\r\n\r\n", [0x89], "PNG\r\n", [26, 10, 0, 255], "\r\n--B--")],
    ["what is compressed", gzipSync(saying("hello"))],
  ])("is kept if it is %s", async (_, body) => {
    const { fixture } = await record({ body }, false);
    expect(fixture?.exchanges[0]?.request?.base64).toBe(base64(body));
  });

  test("is left out if nobody can look through it, and that is said", async () => {
    for (const sent of [{ body: bytes([0, 1, 2, 255]) }, { answer: stream([bytes([0, 1, 2, 255])]) }]) {
      const { fixture, failures, leaks } = await record(sent, false);
      expect([fixture, leaks]).toEqual([undefined, []]);
      expect(failures).toEqual([expect.stringMatching(/neither text nor an image, audio or PDF.*--allow-unscanned/)]);
    }
  });
});
