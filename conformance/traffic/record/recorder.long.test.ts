// That a recorder hands everything on as it comes, and keeps it as it came, but for what is secret.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as askHttp } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import type { Fixture } from "../../../schemas/types.ts";
import { RecordingLog, recover } from "./recording-log.ts";
import { Recorder } from "./recorder.ts";
import { Recording } from "./recording.ts";
import type { Leak } from "./recording.ts";
import { fixtureText, parseFixture } from "../fixture/fixture-file.ts";
import { prepare } from "../fixture/prepared.ts";
import { createScan } from "../fixture/secrets.ts";
import type { Scan } from "../fixture/secrets.ts";
import { startUpstream } from "../testing/upstream.ts";
import type { UpstreamRequest } from "../testing/upstream.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-record-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A made-up key, put together so that no scanner takes it for a real one. */
const key = `sk-${"a1B2".repeat(8)}`;
let logs = 0;

interface Recorded {
  fixture: Fixture | undefined;
  leaks: Leak[];
  failures: string[];
  /** What was written before it became a fixture. */
  log: string;
}

/** Records what `act` asks of a host that answers with `answer`. */
async function recordTraffic(
  answer: (received: UpstreamRequest, response: ServerResponse) => unknown,
  act: (origin: string, upstream: { requests: UpstreamRequest[] }) => Promise<unknown>,
  { redact = false, scan }: { redact?: boolean; scan?: Scan } = {},
): Promise<Recorded> {
  const path = join(folder, `${(logs += 1)}.journal`);
  const log = new RecordingLog(path, { date: "2026-01-31", recorder: "test" });
  const leaks: Leak[] = [];
  const failures: string[] = [];
  const recording = new Recording({
    log,
    scan: scan ?? (await createScan(new Map([["MY_API_KEY", "no-known-shape"]]))),
    redact,
    onLeak: (leak) => leaks.push(leak),
    onFailure: (_, { message }) => failures.push(message),
  });
  await using upstream = await startUpstream(answer);
  const nowhere = { name: "nowhere", url: "http://127.0.0.1:1" };
  const upstreams = ["openai", "anthropic", "other"].map((name) => ({ name, url: `${upstream.url}/${name}` }));
  const recorder = await Recorder.start([...upstreams, nowhere], recording);
  await act(recorder.origin, upstream);
  await recorder.stop();
  log.close();
  return { fixture: recover(path), leaks, failures, log: readFileSync(path, "utf8") };
}

const completions = "/openai/v1/chat/completions";
const post = (url: string, body: RequestInit["body"] = "{}", headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers });
const json = (value: unknown) => (_: UpstreamRequest, response: ServerResponse) =>
  response.writeHead(200, { "content-type": "application/json", "x-organization": "acme" }).end(JSON.stringify(value));

describe("a request", () => {
  test("reaches its host as it was sent, and is kept without its key [RECORD-1, RECORD-3]", async () => {
    let seen: UpstreamRequest[] = [];
    const { fixture, log } = await recordTraffic(json({ ok: true }), async (origin, upstream) => {
      await post(`${origin}${completions}?n=1`, '{"a":1}', {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
      });
      seen = upstream.requests;
    });
    expect(seen).toMatchObject([
      { method: "POST", path: "/openai/v1/chat/completions?n=1", headers: { authorization: `Bearer ${key}` } },
    ]);
    expect(fixture?.exchanges).toMatchObject([
      {
        provider: "openai-chat",
        request: {
          method: "POST",
          path: "/v1/chat/completions?n=1",
          headers: { "content-type": "application/json" },
          body: { a: 1 },
        },
        response: { status: 200, headers: { "content-type": "application/json" }, body: { ok: true } },
      },
    ]);
    expect(log).not.toMatch(/acme|sk-/);
  });

  test("is handed on while it comes, each piece as it was sent [RECORD-1]", async () => {
    const [first, whole] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const host = createServer(async (request, response) => {
      let text = "";
      for await (const piece of request) {
        text += String(piece);
        first.resolve(text);
      }
      whole.resolve(text);
      response.end("{}");
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const log = new RecordingLog(join(folder, "pieces.journal"), { date: "2026-01-31", recorder: "test" });
    const scan = await createScan(new Map());
    const recording = new Recording({ log, scan, redact: false, onLeak: () => {}, onFailure: () => {} });
    const recorder = await Recorder.start([{ name: "openai", url }], recording);
    const answered = new Promise((resolve) => {
      const request = askHttp(recorder.origin + completions, { method: "POST" }, (answer) =>
        answer.resume().once("end", resolve),
      );
      request.write('{"a":');
      // The second piece is sent only after the first has come.
      void first.promise.then(() => request.end("1}"));
    });
    expect([await first.promise, await whole.promise]).toEqual(['{"a":', '{"a":1}']);
    await answered;
    await recorder.stop();
    log.close();
    host.close();
  });

  test("and its answer are values in their layouts, or texts where a value would lose a byte [RECORD-11]", async () => {
    const answers = ['{"say": "\\u00e9", "list": [1, 2]}\n', '{"usage":1.0}'];
    const bodies = ['{\n  "a": [\n    1\n  ]\n}', '{"temperature": 1.0}'];
    const { fixture } = await recordTraffic(
      (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(answers.shift()),
      async (origin) => {
        for (const text of bodies) await (await post(`${origin}${completions}`, text)).text();
      },
    );
    expect(fixture?.exchanges).toMatchObject([
      {
        request: { body: { a: [1] }, layout: { indent: "  " } },
        response: { body: { say: "é", list: [1, 2] }, layout: { spaced: true, ascii: true, newline: true } },
      },
      { request: { body: '{"temperature": 1.0}' }, response: { text: '{"usage":1.0}' } },
    ]);
    const kept = prepare(fixture!).map(({ request, answer }) => [request!.toString(), answer.text]);
    expect(kept).toEqual([
      [bodies[0], '{"say": "\\u00e9", "list": [1, 2]}\n'],
      [bodies[1], '{"usage":1.0}'],
    ]);
  });

  test("to a path that no provider has is kept as it is, binary as base64 [RECORD-5]", async () => {
    const bytes = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
    const { fixture } = await recordTraffic(
      (_, response) => response.writeHead(201, { "content-type": "image/png" }).end(bytes),
      (origin) => post(`${origin}/other/render`, bytes),
    );
    expect(fixture?.exchanges).toMatchObject([
      {
        upstream: "other",
        request: { method: "POST", path: "/render", base64: "iVBORw0KGgo=" },
        response: { status: 201, writes: [{ base64: "iVBORw0KGgo=" }] },
      },
    ]);
    expect(fixture?.exchanges[0]).not.toHaveProperty("provider");
  });

  test("for a model of another host names both the format and the host [RECORD-5]", async () => {
    const { fixture } = await recordTraffic(json({}), (origin) => post(`${origin}/other/v1/chat/completions`));
    expect(fixture?.exchanges).toMatchObject([{ provider: "openai-chat", upstream: "other" }]);
  });

  test("to a host that cannot be reached is told to the client, and to who records", async () => {
    const { fixture, failures } = await recordTraffic(json({}), async (origin) => {
      const answer = await post(`${origin}/nowhere/v1/chat/completions`);
      expect([answer.status, await answer.text()]).toEqual([502, expect.stringMatching(/could not be reached/)]);
    });
    expect([fixture, failures]).toEqual([undefined, [expect.stringMatching(/ECONNREFUSED|bad port/)]]);
  });

  test("that names no host is refused with what there is", async () => {
    await recordTraffic(json({}), async (origin) => {
      expect(await (await post(`${origin}/v1/messages`)).text()).toMatch(/begins with \/openai, \/anthropic/);
    });
  });
});

describe("a stream", () => {
  const head = { "content-type": "text/event-stream" };

  test("is handed on while it comes, and kept in its pieces [RECORD-1]", async () => {
    const gate = Promise.withResolvers<void>();
    const { fixture } = await recordTraffic(
      async (_, response) => {
        response.writeHead(200, head).write('data: {"n":1}\n\n');
        await gate.promise;
        response.end("data: [DONE]\n\n");
      },
      async (origin) => {
        const answer = await post(origin + completions);
        const reader = answer.body!.getReader();
        // The second piece is sent only after the first has come.
        expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: {"n":1}\n\n');
        gate.resolve();
        while (!(await reader.read()).done);
      },
    );
    expect(fixture?.exchanges[0]?.response.events).toMatchObject([{ data: { n: 1 } }, { data: "[DONE]" }]);
  });

  test("that the client leaves is kept so far, and says so [RECORD-4]", async () => {
    const left = Promise.withResolvers<void>();
    const { fixture } = await recordTraffic(
      (_, response) => {
        response.writeHead(200, head).write("data: 1\n\n");
        response.on("close", left.resolve);
      },
      (origin) =>
        new Promise<void>((resolve) => {
          const request = askHttp(origin + completions, { method: "POST" }, (answer) => {
            answer.once("data", () => request.destroy());
            answer.on("error", () => {});
          });
          request.on("error", () => {}).end("{}");
          void left.promise.then(resolve);
        }),
    );
    expect(fixture?.exchanges[0]?.response).toMatchObject({ cut: "client", events: [{ data: 1 }] });
  });

  test("that the server loses is lost for the client too, and says so [RECORD-4, RECORD-1]", async () => {
    const { fixture } = await recordTraffic(
      (_, response) => {
        response.writeHead(200, head).write("data: 1\n\n", () => response.socket!.destroySoon());
      },
      async (origin) => {
        await expect(post(origin + completions).then((answer) => answer.text())).rejects.toThrow("terminated");
      },
    );
    expect(fixture?.exchanges[0]?.response).toMatchObject({ cut: "server", events: [{ data: 1 }] });
  });
});

test("requests at the same time are kept apart, in the order in which they were answered first", async () => {
  const { fixture } = await recordTraffic(
    ({ body }, response) => response.writeHead(200, { "content-type": "application/json" }).end(body),
    (origin) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          post(origin + completions, JSON.stringify({ n })).then((answer) => answer.text()),
        ),
      ),
  );
  const numbers = fixture!.exchanges.map(({ request, response }) => [
    (request!.body as { n: number }).n,
    (response.body as { n: number }).n,
  ]);
  expect(numbers.every(([number, answered]) => number === answered)).toBe(true);
  expect(numbers.map(([n]) => n).toSorted((a, b) => a! - b!)).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

describe("a secret", () => {
  const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
  const stream = (pieces: string[]) => (_: UpstreamRequest, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
  const ask =
    (body = "{}") =>
    (origin: string) =>
      post(origin + completions, body).then((answer) => answer.text());

  test.each([
    ["in the body of a request", json({}), ask(JSON.stringify({ content: `my key is ${key}` })), "request"],
    ["escaped in a request", json({}), ask(`{"content":"${key.replace("-", "\\u002d")}"}`), "request"],
    [
      "in the path",
      json({}),
      (origin: string) => post(`${origin}/openai/v1/${key}`).then((answer) => answer.text()),
      "url",
    ],
    [
      "in a header that is kept",
      json({}),
      (origin: string) => post(origin + completions, "{}", { accept: key }).then((answer) => answer.text()),
      "headers",
    ],
    ["in a whole answer", json({ output: key }), ask(), "response"],
    ["in a stream", stream([event(key)]), ask(), "response"],
    [
      "split over pieces",
      stream([event("x").slice(0, 20), `data: ${key.slice(0, 9)}`, `${key.slice(9)}\n\n`]),
      ask(),
      "response",
    ],
    ["split over deltas", stream([...key].map(event)), ask(), "response"],
    ["of no shape, but of the environment", json({ output: "no-known-shape" }), ask(), "response"],
  ] as const)("%s ends the recording before it is written", async (_where, answer, act, place) => {
    const { fixture, leaks, log } = await recordTraffic(answer, act);
    expect(leaks[0]).toMatchObject({ exchange: 1, place, replaced: false });
    expect(fixture).toBeUndefined();
    // What was received is in the log encoded: no piece of the answer may be there.
    expect(log).not.toMatch(new RegExp(`${key}|no-known-shape|"of"`));
  });

  test("is replaced where that is asked for", async () => {
    const { fixture, leaks } = await recordTraffic(
      stream([event("before"), event(`key ${key} end`)]),
      ask(JSON.stringify({ content: key })),
      { redact: true },
    );
    expect(leaks).toMatchObject([
      { place: "request", replaced: true },
      { place: "response", replaced: true },
    ]);
    expect(JSON.stringify(fixture)).toMatch(/key \[redacted: [^\]]*\] end/);
    expect(JSON.stringify(fixture)).not.toMatch(key);
  });

  test("that is split over deltas is never replaced in half: the exchange is left out", async () => {
    const { fixture, leaks } = await recordTraffic(stream([...key].map(event)), ask(), { redact: true });
    expect([fixture, leaks.at(-1)]).toEqual([undefined, expect.objectContaining({ replaced: false })]);
  });

  test.each([
    ["key=0123456789&n=1", "key=redacted&n=1"],
    ["%6Bey=0123456789", "%6Bey=redacted"],
    [`q=${key.replaceAll("-", "%2D")}`, "q=redacted"],
    ["api-version=2025-01-01-preview&n=1", "api-version=2025-01-01-preview&n=1"],
  ])("in the query %s is never kept", async (query, kept) => {
    const { fixture } = await recordTraffic(json({}), (origin) => post(`${origin}/other/v1/x?${query}`));
    expect(fixture?.exchanges[0]?.request?.path).toBe(`/v1/x?${kept}`);
  });
});

describe("exchanges", () => {
  test("say that they overlapped only if they did", async () => {
    const gate = Promise.withResolvers<void>();
    const { fixture } = await recordTraffic(
      async ({ body }, response) => {
        if (body.toString() === "1") await gate.promise;
        response.end("{}");
      },
      async (origin) => {
        const ask = async (n: number) => (await post(origin + completions, String(n))).text();
        await ask(0);
        const first = ask(1);
        await ask(2);
        gate.resolve();
        await first;
        await ask(3);
      },
    );
    expect(fixture?.exchanges.map(({ request, overlaps = false }) => [request?.body, overlaps])).toEqual([
      [0, false],
      [1, false],
      [2, true],
      [3, false],
    ]);
  });

  test("that were redacted say in their fixture what was", async () => {
    const { fixture } = await recordTraffic(json({}), (origin) => post(origin + completions, JSON.stringify({ key })), {
      redact: true,
    });
    expect(fixture?.recorded?.redacted).toEqual(["an OpenAI key"]);
  });
});

test("an exchange is in the journal before the program sees the end of its answer [RECORD-2]", async () => {
  const [looked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const scan: Scan = async (text) => {
    if (!text.includes("slowly")) return [];
    looked.resolve();
    await gate.promise;
    return [];
  };
  await recordTraffic(
    ({ body }, response) => response.end(`answered ${body.toString()}ly`),
    async (origin) => {
      let isRead = false;
      const ask = async (text: string) => (await post(origin + completions, text)).text();
      const read = ask("slow").finally(() => (isRead = true));
      await looked.promise;
      // Another exchange comes to its end in the meantime.
      await ask("fast");
      expect(isRead).toBe(false);
      gate.resolve();
      await read;
      expect(readFileSync(join(folder, `${logs}.journal`), "utf8")).toContain('"ended":1');
    },
    { scan },
  );
});

describe("a recording log", () => {
  test("of which the last line is torn gives every exchange that was complete", async () => {
    const { fixture, log } = await recordTraffic(json({ ok: true }), async (origin) => {
      await (await post(origin + completions, '{"n":1}')).text();
      await (await post(origin + completions, '{"n":2}')).text();
    });
    expect(fixture?.exchanges).toHaveLength(2);
    const path = join(folder, "torn.journal");
    const whole = log.trimEnd();
    for (const length of [whole.length - 3, whole.indexOf('"n":2')]) {
      rmSync(path, { force: true });
      writeFileSync(path, whole.slice(0, length));
      expect(recover(path)?.exchanges).toHaveLength(1);
    }
  });

  test("is not opened where one lies already", () => {
    const path = join(folder, "twice.journal");
    const recorded = { date: "2026-01-31", recorder: "test" };
    new RecordingLog(path, recorded).close();
    expect(() => new RecordingLog(path, recorded)).toThrow("EEXIST");
  });
});

describe("an answer that is compressed although nobody asked for it", () => {
  const output = { say: "Grüße ".repeat(20_000) };
  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("reaches the client as it is, and is kept as what it says: %s [RECORD-1]", async (encoding, compress) => {
    const bytes = compress(JSON.stringify(output));
    const { fixture } = await recordTraffic(
      async (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
        for (let at = 0; at < bytes.length; at += 40) {
          response.write(bytes.subarray(at, at + 40));
          await new Promise(setImmediate);
        }
        response.end();
      },
      async (origin) => {
        const answer = await post(origin + completions);
        expect([answer.headers.get("content-encoding"), await answer.json()]).toEqual([encoding, output]);
      },
    );
    expect(fixture?.exchanges[0]?.response).toEqual({
      status: 200,
      headers: { "content-type": "application/json" },
      body: output,
    });
  });

  test("is looked through for secrets", async () => {
    const { leaks, log } = await recordTraffic(
      (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(`my key is ${key}`)),
      async (origin) => (await post(origin + completions)).text(),
    );
    expect(leaks).toMatchObject([{ exchange: 1, place: "response", replaced: false }]);
    expect(log).not.toContain(gzipSync(`my key is ${key}`).toString("base64").slice(20, 40));
  });

  test.each([
    ["a coding that the recorder does not know", "compress", "bytes", /content coding "compress"/],
    ["what is not compressed as it says", "gzip", "no gzip", /content coding "gzip"/],
  ])("is not kept, with a reason, where it is %s", async (_what, encoding, text, message) => {
    const { fixture, failures } = await recordTraffic(
      (_, response) => response.writeHead(200, { "content-encoding": encoding }).end(text),
      async (origin) => {
        await post(origin + completions)
          .then((answer) => answer.text())
          .catch(() => {});
      },
    );
    expect([fixture, failures]).toEqual([undefined, [expect.stringMatching(message)]]);
  });
});

test("what is nested very deep is kept as a text, and looked through for secrets", async () => {
  const deep = (levels: number, core = "") => "[".repeat(levels) + core + "]".repeat(levels);
  for (const levels of [498, 600, 8000]) {
    const text = `{"messages":${deep(levels)}}`;
    const { fixture } = await recordTraffic(
      (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${text}\n\n`),
      async (origin) => (await post(origin + completions, text)).text(),
    );
    const [kept] = parseFixture("f", fixtureText(fixture!)).exchanges;
    expect(typeof kept!.request!.body).toBe(levels < 500 ? "object" : "string");
    expect(kept!.response.events).toMatchObject([{ data: levels < 500 ? {} : text }]);
  }
  const escaped = key.replace("sk", String.raw`\u0073k`);
  const { leaks } = await recordTraffic(json({}), async (origin) => {
    await post(origin + completions, deep(8000, `"${escaped}"`)).catch(() => {});
  });
  expect(leaks).toMatchObject([{ place: "request", replaced: false }]);
});

test.each(["the request", "the answer"])(
  "what breaks while an exchange is written down disturbs no client, and is reported: %s",
  async (part) => {
    const scan = async (text: string) => {
      if (text.includes(part)) throw new Error("unforeseen");
      return [];
    };
    const { fixture, failures } = await recordTraffic(
      (_, response) => response.writeHead(200).end("the answer"),
      async (origin) => {
        for (let n = 0; n < 2; n += 1)
          expect(await (await post(origin + completions, "the request")).text()).toBe("the answer");
      },
      { scan },
    );
    expect(fixture).toBeUndefined();
    const lost = expect.stringMatching(/could not be written down: unforeseen/) as string;
    expect(failures).toEqual([lost, lost]);
  },
);
