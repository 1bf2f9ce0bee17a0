// What is sent to the server under attack: each attack by its name, with random choices that a seed repeats.

import type { Fixture } from "../../../schemas/types.ts";
import type { Random } from "../fuzz/random.ts";
import { anyAnswer } from "./target.ts";
import type { Answer, Target } from "./target.ts";

/** Sends what it is named for, and resolves to what came back, as far as anything had to. */
export type Attack = (target: Target, random: Random) => Promise<Answer[]>;

type Response = Fixture["exchanges"][number]["response"];

const mebibyte = 1024 * 1024;
const paths = [
  "/openai/v1/chat/completions",
  "/openai/v1/responses",
  "/anthropic/v1/messages",
  "/v1/chat/completions",
  "/_tapes",
];
const odd: unknown[] = [
  null,
  5,
  -0,
  1e308,
  "x",
  "\ud800",
  "__proto__",
  true,
  [],
  {},
  [null],
  [[]],
  [{}],
  [{ role: null }],
  [{ role: "tool" }],
  [{ role: "assistant", tool_calls: [null] }],
  [{ role: "assistant", tool_calls: [{ id: 5, function: null }] }],
  [{ role: "user", content: [{ type: "tool_result" }] }],
  [{ role: "assistant", content: [{ type: "tool_use", id: "__proto__", name: "x", input: null }] }],
  [{ type: "function_call_output", call_id: null }],
  [{ type: "reasoning" }],
];
const fields =
  `messages input tools tool_choice model stream system response_format text reasoning thinking max_tokens metadata
  instructions previous_response_id temperature stop include fixture order timing rules repeat`.split(/\s+/);

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const deepObject = (levels: number) => '{"a":'.repeat(levels) + "1" + "}".repeat(levels);

/** All of them, by name. */
export const attacks: Record<string, Attack> = {
  "a body with odd values": (target, random) =>
    many(20, () => target.send(random.pick(paths), { body: JSON.stringify(oddBody(random)) })),
  "a body that is no JSON": (target, random) =>
    many(10, () => target.send(random.pick(paths), { body: damaged(JSON.stringify(oddBody(random)), random) })),
  "a body that is nested deep": (target, random) =>
    many(4, () => {
      const levels = 400 + random.below(60_000);
      const nested = random.pick([deep, deepObject])(levels);
      const body = random.pick([nested, `{"${random.pick(fields)}":${nested}}`]);
      return target.send(random.pick(paths), { body });
    }),
  "a body that is too large": async (target, random) => [
    await target.send(random.pick(paths), { body: Buffer.alloc(33 * mebibyte, "a") }),
  ],
  "bodies that never end": async (target, random) => {
    const sockets = Array.from({ length: 4 }, () => {
      const socket = target.open(chunkedHead(target, random.pick(paths)));
      socket.write(`${mebibyte.toString(16)}\r\n${"a".repeat(mebibyte)}\r\n`);
      return socket;
    });
    const answers = await many(1, () => target.send(paths[0]!, { body: "{}" }));
    for (const socket of sockets) socket.destroy();
    return answers;
  },
  "connections that say nothing more": async (target) => {
    const sockets = Array.from({ length: 50 }, () =>
      target.open("POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nx-a: "),
    );
    const answers = await many(1, () => target.send(paths[0]!, { body: "{}" }));
    for (const socket of sockets) socket.destroy();
    return answers;
  },
  "clients that leave at once": async (target, random) => {
    for (let count = 0; count < 10; count += 1) {
      const body = JSON.stringify(oddBody(random));
      const socket = target.open(`${head(target, random.pick(paths))}content-length: ${body.length}\r\n\r\n${body}`);
      socket.once("connect", random.pick([() => socket.resetAndDestroy(), () => socket.destroy(), () => socket.end()]));
    }
    return await many(1, () => target.send(paths[0]!, { body: "{}" }));
  },
  "bytes that are no HTTP": async (target, random) => {
    const texts = [
      `${head(target, paths[0]!)}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
      `${head(target, paths[0]!)}content-length: 5\r\ncontent-length: 6\r\n\r\nabcdef`,
      `${head(target, paths[0]!)}content-length: -5\r\n\r\n`,
      `${head(target, paths[0]!)}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
      `${chunkedHead(target, paths[0]!)}ZZZ\r\nabc`,
      `${head(target, paths[0]!)}expect: nothing\r\n\r\n`,
      `${head(target, paths[0]!)}x: ${"a".repeat(20_000)}\r\n\r\n`,
      `${head(target, paths[0]!)}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
      "CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: localhost\r\n\r\n",
      "GET http://elsewhere.test/latest HTTP/1.1\r\nhost: elsewhere.test\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    ];
    const text = random.pick(texts);
    await Promise.all([target.raw(text), target.raw(damaged(text, random))]);
    return [];
  },
  "fifty requests in one breath": async (target) => {
    const one = `${head(target, paths[0]!)}content-length: 2\r\n\r\n{}`;
    const text = await target.raw(
      one.repeat(49) + one.replace("content-length", "connection: close\r\ncontent-length"),
    );
    const count = text.split("HTTP/1.1 200").length - 1;
    return [{ status: count === 50 ? 200 : "silent", text: `${count} of 50 answers` }];
  },
  "paths and methods that nobody knows": (target, random) =>
    many(8, () => {
      const path = random.pick([
        "/%",
        "//",
        "/%00",
        "/_tapes/",
        "/_tapesX",
        "/openai",
        "/openai/../../x",
        "/%E0%A4%A",
        `/${"a".repeat(6000)}`,
      ]);
      const method = random.pick(["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "PATCH"]);
      return target.send(path, { method, body: method === "POST" ? "{}" : "" });
    }),
  "files that nobody may read": (target, random) =>
    many(6, () => {
      const file = random.pick([
        `${target.folder}/forbidden.json`,
        "../forbidden.json",
        "../inside/../forbidden.json",
        "/etc/passwd",
        "/dev/zero",
        "/proc/self/environ",
        "answer.json\0",
        "a".repeat(9000),
      ]);
      return target.send("/_tapes", { body: JSON.stringify({ fixture: file }) });
    }),
  "requests of web pages": (target, random) =>
    many(4, () => {
      const headers = random.pick<Record<string, string>>([
        { host: "evil.example" },
        { origin: "https://evil.example" },
        { origin: "null" },
        { "content-type": "text/plain" },
        { "sec-fetch-site": "cross-site" },
      ]);
      return openAndClose(target, anyAnswer({ status: 200, body: {} }), headers);
    }),
  "fixtures that cannot be played": (target, random) =>
    many(4, () => {
      const response = random.pick<object>([
        { status: 200, body: {}, headers: { "x-a": "b\r\nc" } },
        { status: 200, body: {}, headers: { "x a": "b" } },
        { status: 999, body: {} },
        { status: 200, writes: [null] },
        { status: 200, events: [{ data: 5 }] },
        { status: 200 },
        null!,
      ]);
      return openAndClose(target, anyAnswer(response as Response));
    }),
  "tapes that are opened, used and closed": async (target, random) => {
    const response = { status: 200, body: { say: "x".repeat(random.below(50_000)) } };
    const opened = await target.send("/_tapes", { body: JSON.stringify({ fixture: anyAnswer(response) }) });
    const { base_url } = JSON.parse(opened.text) as { base_url: string };
    const path = `${new URL(base_url).pathname}/chat/completions`;
    const used = await many(3, () => target.send(path, { body: JSON.stringify(oddBody(random)) }));
    return [opened, ...used, await target.send(`/_tapes/${idIn(opened)}`, { method: "DELETE" })];
  },
};

/** Asks for a tape, and closes it if it was given one: what is left open is held on purpose. */
async function openAndClose(target: Target, fixture: Fixture, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await target.send("/_tapes", { headers, body: JSON.stringify({ fixture }) });
  if (answer.status === 201) await target.send(`/_tapes/${idIn(answer)}`, { method: "DELETE" });
  return answer;
}

function idIn({ text }: Answer): string {
  return (JSON.parse(text) as { id: string }).id;
}

/** Some of the fields of a request, each with a value that does not belong there. */
function oddBody(random: Random): Record<string, unknown> {
  const body: Record<string, unknown> = { model: "gpt-4.1", messages: [{ role: "user", content: "hi" }] };
  for (let count = 1 + random.below(4); count > 0; count -= 1) body[random.pick(fields)] = random.pick(odd);
  return body;
}

/** A text of which a piece is missing, doubled, or replaced by what is no text. */
function damaged(text: string, random: Random): string {
  const from = random.below(text.length);
  const to = from + random.below(20);
  return (
    text.slice(0, from) + random.pick(["", "\0", "\xff\xfe", text.slice(from, to).repeat(2), "\r\n"]) + text.slice(to)
  );
}

function head(target: Target, path: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: localhost:${target.port}\r\ncontent-type: application/json\r\n`;
}

function chunkedHead(target: Target, path: string): string {
  return `${head(target, path)}transfer-encoding: chunked\r\n\r\n`;
}

async function many(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  return await Promise.all(Array.from({ length: count }, send));
}
