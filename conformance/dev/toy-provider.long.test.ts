// A provider is a folder in the reference and one in the kit: the lists, and what reads them, take one more without another line.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { providerNames } from "./generate-providers.ts";
import { copyWithToy, runInCopy, sources } from "./toy-provider.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toy-provider-"));
  folders.push(folder);
  return folder;
}

/** A project of nothing but these files, all of them empty. */
function project(...files: string[]): string {
  const folder = emptyFolder();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  return folder;
}

describe("the providers", () => {
  const adapter = "reference/providers/toy/about.ts";
  const codec = "conformance/kit/wire/toy/index.ts";

  test("are the folders that say what they are", () => {
    expect(providerNames(project(adapter, codec, "reference/providers/shared/parts.ts"))).toEqual(["toy"]);
  });

  test.each([
    ["without an adapter", codec, "reference/providers/other/about.ts", adapter],
    ["without a codec", adapter, "conformance/kit/wire/other/index.ts", codec],
  ])("are not those %s", (_, there, elsewhere, missing) => {
    expect(() => providerNames(project(there, elsewhere))).toThrow(missing);
  });
});

describe("a copy with one more folder on each side", () => {
  const copied = ["conformance/traffic", "conformance/files", "conformance/reporters", "conformance/drivers/reference"];
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "toy-provider-"));
    copyWithToy(folder, [...sources, ...copied]);
    const lists = `
      import { writeFileSync } from "node:fs";
      const { providerFiles } = await import("./conformance/dev/generate-providers.ts");
      for (const [path, text] of providerFiles) writeFileSync(path, await text());
    `;
    expect(run(lists)).toBe("");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(script: string): string {
    const { status, output } = runInCopy(folder, "--input-type=module", "-e", script);
    if (status !== 0) throw new Error(output);
    return output;
  }

  test("knows it by its name, its path, its host and its losses", () => {
    const script = `
      const { codecs } = await import("./conformance/kit/wire/codecs.ts");
      const { hosts } = await import("./conformance/kit/wire/hosts.ts");
      const { allVariants } = await import("./conformance/kit/suite/variant.ts");
      const { providers } = await import("./reference/providers/registry.ts");
      const { rooms } = await import("./conformance/dev/rooms.ts");
      console.log(JSON.stringify({
        codec: codecs.toy.provider,
        host: hosts.some(({ name }) => name === "toy"),
        variants: allVariants.map(({ name }) => name).filter((name) => name.startsWith("toy")),
        adapter: providers.toy.create({ model: "m" }).name,
        losses: Object.keys(providers.toy.losses).length > 0,
        room: rooms.some(({ path }) => path === "reference/providers/toy"),
      }));
    `;
    expect(JSON.parse(run(script))).toEqual({
      codec: "toy",
      host: true,
      variants: ["toy/json", "toy/frames"],
      adapter: "toy",
      losses: true,
      room: true,
    });
  });

  test("records, replays, audits and imports its frames, and keeps what broke off within one", () => {
    const script = `
      const { codecs } = await import("./conformance/kit/wire/codecs.ts");
      const { bytesOf } = await import("./conformance/kit/wire/transport.ts");
      const { fixtureAnswer, fixtureResponse } = await import("./conformance/kit/wire/fixture-bytes.ts");
      const { readAnswer } = await import("./conformance/traffic/read/read-exchange.ts");
      const { toFixture } = await import("./conformance/traffic/formats/to-fixture.ts");
      const { replay } = await import("./reference/providers/replay/index.ts");
      const parts = [{ text: "Zürich 😀" }, { tool_call: { id: "c1", name: "look", input: { at: "it" } } }];
      const usage = { input_tokens: 3, output_tokens: 4, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
      const wire = codecs.toy.renderResponse({ parts, stop_reason: "tool_use", usage, model: "m", id: "1" }, "frames");
      const headers = { "content-type": wire.headers["content-type"] };
      const chunks = wire.writes.map((write) => ({ bytes: bytesOf(write, wire) }));
      const body = Buffer.concat(chunks.map(({ bytes }) => bytes));
      const recorded = fixtureResponse({ status: 200, headers, chunks });
      const served = Buffer.concat(fixtureAnswer(recorded).writes.map((write) => write.bytes));
      const call = { signal: new AbortController().signal, onStream() {}, warn() {} };
      const replayed = await replay({ exchanges: [{ provider: "toy", response: recorded }] }).invokeModel({ messages: [] }, call);
      const foreign = { url: "https://toy.invalid/v1/toy/completions", method: "POST", request: null, status: 200, headers, body };
      const { fixture } = toFixture(
        { maker: "m", date: undefined, losses: [], exchanges: [foreign] },
        { file: "f", upstreams: [], importer: "i", crafted: undefined },
      );
      const cut = fixtureResponse({ status: 200, headers, chunks: [{ bytes: body.subarray(0, body.length >> 1) }], cut: "server" });
      const readOf = ({ messages, stop_reason }) => [...messages.map(({ content, input }) => content ?? input), stop_reason];
      console.log(JSON.stringify({
        type: recorded.headers["content-type"],
        events: recorded.events.length === wire.writes.length && recorded.events.every(({ data }) => data !== ""),
        isSame: served.equals(body),
        audited: readOf(await readAnswer("toy", recorded, "m")),
        replayed: readOf(replayed),
        imported: fixture.exchanges[0].response.events.length === recorded.events.length,
        cut: [Object.keys(cut.writes[0]), (await readAnswer("toy", cut, "m")).error.kind],
      }));
    `;
    const expected = ["Zürich 😀", { at: "it" }, "tool_use"];
    expect(JSON.parse(run(script))).toEqual({
      type: "application/vnd.toy.frames",
      events: true,
      isSame: true,
      audited: expected,
      replayed: expected,
      imported: true,
      cut: [["base64"], "stream_interrupted"],
    });
  });
});
