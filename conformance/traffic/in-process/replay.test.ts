// That a test gets a server that answers as recorded and ends as red as the replay was, and that it can record.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { recordingLogOf } from "../record/recording-log.ts";
import { readFixture } from "../fixture/fixture-file.ts";
import { startUpstream } from "../testing/upstream.ts";
import { replay } from "./replay.ts";
import type { Replay } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-loop-in-process-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

let files = 0;
const fresh = () => join(folder, `${(files += 1)}.json`);

const answer = { choices: [{ message: { role: "assistant", content: "Hello." } }] };
const body = { model: "m", messages: [{ role: "user", content: "Hi." }] };

function written(): string {
  const path = fresh();
  const request = { method: "POST", path: "/v1/chat/completions", body };
  const exchanges = [{ provider: "openai-chat", request, response: { status: 200, body: answer } }];
  writeFileSync(path, JSON.stringify({ fixture: 1, origin: "crafted", why: "test", exchanges }));
  return path;
}

const ask = (base: string, question: unknown = body) =>
  fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer none" },
    body: JSON.stringify(question),
  });

const answering = () =>
  startUpstream((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer)),
  );

describe("a fixture that is there", () => {
  test("is played, and the end of the block says nothing", async () => {
    await using tape = await replay(written());
    expect(tape.mode).toBe("replay");
    expect(await (await ask(tape.base_url)).json()).toEqual(answer);
    expect(tape.verdict).toMatchObject({ passed: true });
  });

  test.each([
    ["asks something else", (tape: Replay) => ask(tape.base_url, { ...body, model: "other" }), /\/model[^]*"other"/],
    ["asks nothing", () => undefined, /no request was received: does the program use the base URL/],
  ])("ends the block of a program that %s with an error [REPLAY-6]", async (_, act, message) => {
    const block = async () => {
      await using tape = await replay(written());
      await act(tape);
    };
    await expect(block).rejects.toThrow(message);
  });

  test("is ended once, by whoever is first", async () => {
    const block = async () => {
      await using tape = await replay(written());
      await expect(tape.end()).rejects.toThrow(/no request was received/);
      await expect(fetch(tape.base_url)).rejects.toThrow("fetch failed");
    };
    await expect(block()).resolves.toBe(undefined);
  });

  test("is an environment, which can be set until the end [REPLAY-8]", async () => {
    vi.stubEnv("MISTRAL_API_KEY", "very-real");
    const environment = { ...process.env, OPENAI_BASE_URL: "https://mine.test" };
    const before = { ...environment };
    const tape = await replay(written(), { environment });
    await ask(tape.base_url);
    expect(environment).toEqual(tape.env);
    expect(environment).toMatchObject({ OPENAI_BASE_URL: tape.base_url, OPENAI_API_KEY: "agent-loop-replay" });
    expect(environment).not.toHaveProperty("MISTRAL_API_KEY");
    await tape.end();
    expect(environment).toEqual(before);
  });

  test("is not recorded again, but with `all` [REPLAY-10]", async () => {
    vi.stubEnv("CI", "");
    const path = written();
    await using upstream = await answering();
    const upstreams = { openai: upstream.url };
    {
      await using once = await replay(path, { record: "once", upstreams });
      expect(once.mode).toBe("replay");
      await ask(once.base_url);
    }
    {
      await using all = await replay(path, { record: "all", upstreams });
      expect(all.mode).toBe("record");
      await ask(all.base_url, { ...body, model: "new" });
    }
    const { origin, exchanges } = await readFixture(path);
    expect([origin, exchanges[0]?.request?.body]).toEqual(["recorded", { ...body, model: "new" }]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("a fixture that is not there", () => {
  test("is recorded once, and played from then on", async () => {
    vi.stubEnv("CI", "");
    const path = fresh();
    await using upstream = await answering();
    const options = { record: "once", upstreams: { openai: upstream.url } } as const;
    const modes: string[] = [];
    for (const _ of ["record", "replay"]) {
      await using tape = await replay(path, options);
      modes.push(tape.mode);
      expect(await (await ask(tape.base_url)).json()).toEqual(answer);
    }
    expect(modes).toEqual(["record", "replay"]);
    expect(upstream.requests).toHaveLength(1);
    expect(existsSync(recordingLogOf(path))).toBe(false);
  });

  test.each([
    ["", "none", /record it with \{ record: "once" \}/],
    ["true", "once", /nothing is recorded where the variable CI is set/],
    ["1", "all", /nothing is recorded/],
  ] as const)("is missed where CI is %j and record is %s [REPLAY-10]", async (ci, record, message) => {
    vi.stubEnv("CI", ci);
    await expect(replay("nowhere.json", { record })).rejects.toThrow(message);
  });

  test("is not recorded over what is left of another recording", async () => {
    vi.stubEnv("CI", "");
    const path = fresh();
    writeFileSync(recordingLogOf(path), "what was complete");
    await expect(replay(path, { record: "once" })).rejects.toThrow(/\.journal exists: .* --recover --out /);
    expect(readFileSync(recordingLogOf(path), "utf8")).toBe("what was complete");
  });

  test.each([
    ["nothing was asked", () => undefined, /was not written: no request was received/],
    [
      "its host is not there",
      (tape: Replay) => ask(tape.base_urls["gone"]!),
      /http:\/\/127\.0\.0\.1:1 could not be reached/,
    ],
    [
      "a secret was said",
      (tape: Replay) => ask(tape.base_url, { model: "m", messages: [], user: "not-for-others" }),
      /the value of MY_API_KEY was found in the request of exchange 1/,
    ],
  ])("is not written if %s", async (_, act, message) => {
    vi.stubEnv("CI", "");
    vi.stubEnv("MY_API_KEY", "not-for-others");
    const path = fresh();
    await using upstream = await answering();
    const upstreams = { openai: upstream.url, gone: "http://127.0.0.1:1" };
    const block = async () => {
      await using tape = await replay(path, { record: "once", upstreams });
      await act(tape);
    };
    await expect(block).rejects.toThrow(message);
    expect([existsSync(path), existsSync(recordingLogOf(path))]).toEqual([false, false]);
  });
});
