// That no secret gets to the disk, whatever it is and wherever it stands: replaced, or with its exchange left out.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as askHttp } from "node:http";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { redact } from "../../kit/base/redact.ts";
import { fixtureText } from "../fixture/fixture-file.ts";
import { createScan } from "../fixture/secrets.ts";
import { hex, kinds, made } from "../testing/planted.ts";
import { startUpstream } from "../testing/upstream.ts";
import { Recorder } from "./recorder.ts";
import { Recording } from "./recording.ts";
import type { Leak } from "./recording.ts";
import { RecordingLog, recover } from "./recording-log.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-planted-"));
afterAll(() => rmSync(folder, { recursive: true }));

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
  /** The key as it is written here, where that is not as it is. */
  form?: string;
}

const key = `sk-ant-api03-${made(40)}`;
const inEach = (write: (code: number) => string) => [...key].map((letter) => write(letter.charCodeAt(0))).join("");
const asNumbers = inEach((code) => `&#${code};`);
const asEscapes = inEach((code) => `\\x${code.toString(16)}`);
const inAddress = encodeURIComponent(encodeURIComponent(inEach((code) => `%${code.toString(16)}`)));
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
  ["the user of an address", { body: saying(`see https://joe:${key}@example.com/x`) }],
  ["base64 for addresses", { body: saying(Buffer.from(`{"t":"${key}"}`).toString("base64url")) }],
  ["base64 in lines", { body: saying(base64(`${"q ".repeat(40)}${key}`).replaceAll(/.{76}/g, "$&\n")) }],
  ["an address, encoded twice", { body: saying(inAddress), form: inAddress }],
  ["JSON in JSON in JSON", { body: saying(JSON.stringify({ a: JSON.stringify({ b: `"${key}"` }) })) }],
  ["base64 of what is compressed", { body: saying(base64(gzipSync(saying(key)))) }],
  ["a page, as the numbers of its letters", { body: saying(asNumbers), form: asNumbers }],
  ["the escapes of a program", { body: saying(asEscapes), form: asEscapes.replaceAll("\\", "\\\\") }],
  ["lines that end within it", { body: saying(`${key.slice(0, 20)}=\r\n${key.slice(20)}`) }],
  ["colours of a terminal", { body: saying(`${key.slice(0, 20)}\u001b[0m${key.slice(20)}`) }],
  [
    "the name of a file",
    { headers: form, body: `--B\r\nContent-Disposition: form-data; name="f"; filename="${key}.txt"\r\n\r\nx\r\n--B--` },
  ],
  [
    "a form within a form",
    {
      headers: form,
      body: `--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n--C\r\n\r\n${base64(key)}\r\n--C--\r\n--B--`,
    },
  ],
  [
    "an upgrade",
    { headers: { connection: "upgrade", upgrade: "websocket", "sec-websocket-protocol": `bearer, ${key}` } },
  ],
  [
    "a header of the answer that is not kept",
    answering({ "set-cookie": `s=${key}`, location: `/x?t=${key}`, link: key }),
  ],
  [
    "the text of an error",
    {
      answer: (response) =>
        response.writeHead(500, { "content-type": "text/plain" }).end(`Error: bad key ${key}\n at x.js:1`),
    },
  ],
  [
    "the page of an error",
    {
      answer: (response) =>
        response.writeHead(401, { "content-type": "text/html" }).end(`<p>Wrong key: <b>${key}</b></p>`),
    },
  ],
  ["an answer in br", answering({ "content-encoding": "br" }, brotliCompressSync(saying(key)))],
  [
    "lines of JSON",
    {
      answer: stream(
        halves(20, (text) => `${JSON.stringify({ delta: text })}\n`),
        "application/x-ndjson",
      ),
    },
  ],
  ["the name of an event", { answer: stream([`event: ${key}\ndata: {}\n\n`]) }],
  ["the id of an event", { answer: stream([`id: ${key}\ndata: {}\n\n`]) }],
  ["a comment of a stream", { answer: stream([`: ${key}\n\n`]) }],
  ["what an environment prints", { body: saying(`HOME=/root\nMY_OWN_KEY=${key}\nPATH=/bin`) }],
  ["XML", { headers: { "content-type": "application/xml" }, body: `<a k="${key}"/>` }],
  [
    "a compressed stream",
    {
      answer: (response) =>
        response
          .writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
          .end(gzipSync(halves(20, delta).join(""))),
    },
  ],
  ["a stream of bytes", { answer: stream([bytes([0, 0, 9, 1]), key, bytes([255, 0])], "application/octet-stream") }],
];

/** Records what is sent. @returns everything that got to the disk, what is encoded decoded, and what was found */
async function record(
  { path = "/v1/x", headers = {}, body = "{}", answer }: Sent,
  redactSecrets: boolean,
  allowUnscanned = false,
) {
  const file = join(folder, `${made(12)}.journal`);
  const log = new RecordingLog(file, { date: "2026-01-31", recorder: "test" });
  const leaks: Leak[] = [];
  const failures: string[] = [];
  const recording = new Recording({
    log,
    scan: await createScan(new Map(Object.entries(known))),
    redact: redactSecrets,
    allowUnscanned,
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
  test.each(kinds)("$what is not written [RECORD-3]", async ({ secret, text }) => {
    const { onDisk, leaks, fixture } = await record({ body: saying(`output: ${text} end`) }, redactSecrets);
    expect(onDisk).not.toContain(secret);
    expect([leaks.length > 0, fixture !== undefined]).toEqual([true, redactSecrets]);
  });

  test.each(Object.entries(known))("the value of %s is not written [RECORD-3]", async (_name, value) => {
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

  test.each(places)("a key in %s is not written [RECORD-3]", async (_where, sent) => {
    const { onDisk, leaks, failures, fixture } = await record(sent, redactSecrets);
    for (const from of [0, 14, 20]) expect(onDisk).not.toContain(key.slice(from));
    if (sent.form !== undefined) expect(onDisk).not.toContain(sent.form);
    for (const one of [base64(key), base64(base64(key)), Buffer.from(key).toString("hex")])
      expect(onDisk).not.toContain(one.slice(4, 30));
    // It was replaced, or the exchange was left out, and somebody was told; or it stood where nothing is kept.
    if (fixture === undefined) expect([...leaks, ...failures]).not.toEqual([]);
  });
});

/** On the disk the key would stand here in other bytes: that it is not there shows only in that it was found. */
const packed = /^(?:gzip|deflate|br$|zstd|a form|a compressed|an answer in br|base64 of what is compressed)/;

test.each(places.filter(([where]) => packed.test(where)))("a key in %s is found [RECORD-6]", async (_where, sent) => {
  for (const redactSecrets of [true, false]) {
    const { leaks } = await record(sent, redactSecrets);
    expect(leaks.length).toBeGreaterThan(0);
  }
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
  ])("is kept if it is %s [RECORD-7]", async (_, body) => {
    const { fixture } = await record({ body }, false);
    expect(fixture?.exchanges[0]?.request?.base64).toBe(base64(body));
  });

  test("is left out if nobody can look through it, and that is said [RECORD-7]", async () => {
    for (const sent of [{ body: bytes([0, 1, 2, 255]) }, { answer: stream([bytes([0, 1, 2, 255])]) }]) {
      const { fixture, failures, leaks } = await record(sent, false);
      expect([fixture, leaks]).toEqual([undefined, []]);
      expect(failures).toEqual([expect.stringMatching(/neither text nor an image, audio or PDF.*--allow-unscanned/)]);
      expect((await record(sent, false, true)).fixture?.exchanges).toHaveLength(1);
    }
  });
});
