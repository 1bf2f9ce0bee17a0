// Streams that are cut into pieces: the same cuts for the same seed, one write for each, and a verdict that names the split.

import { createServer, get, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { InitializeResult, RunParams, RunResponse } from "../../../schemas/types.ts";
import { inProcess } from "../driver/in-process.ts";
import type { DriverMethods } from "../driver/in-process.ts";
import { writeResponse } from "./write-response.ts";
import { runSuite } from "../run/runner.ts";
import { cutterOf, everyByte, joined, splitsOf } from "./split-stream.ts";
import type { Suite } from "../suite/types.ts";
import { smallSuite } from "../testing/zoo.ts";

const bytes = Buffer.from('data: {"text":"18 °C 你好"}\n\n'.repeat(20));

describe("a split", () => {
  it("keeps every byte, and is the same for the same seed", () => {
    for (const split of [everyByte, 7, 8]) {
      const pieces = cutterOf(split, 1)(bytes);
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
      expect(cutterOf(split, 1)(bytes)).toEqual(pieces);
    }
    expect(cutterOf(7, 1)(bytes).map(({ length }) => length)).not.toEqual(
      cutterOf(8, 1)(bytes).map(({ length }) => length),
    );
    expect(cutterOf(7, 1)(bytes).map(({ length }) => length)).not.toEqual(
      cutterOf(7, 2)(bytes).map(({ length }) => length),
    );
  });

  it("cuts after every byte, first of all, and a long answer into less", () => {
    expect(cutterOf(everyByte, 1)(bytes).length).toBe(bytes.length);
    const long = new Uint8Array(100_000);
    expect(cutterOf(everyByte, 1)(long).length).toBeLessThan(20_000);
    expect(splitsOf(3, 3)).toEqual([everyByte, ...splitsOf(3, 3).slice(1)]);
    expect(new Set(splitsOf(3, 3)).size).toBe(3);
    expect(splitsOf(3, 3)).toEqual(splitsOf(3, 3));
    expect(splitsOf(3, 0)).toEqual([]);
  });

  it("is written piece by piece, half letters too", async () => {
    const wire = { status: 200, headers: {}, writes: [{ text: "18 " }, { text: "°C" }] };
    let reported = 0;
    const onPiece = () => (reported += 1);
    const server = createServer(
      (_, response) => void writeResponse(response, joined(wire), { cut: cutterOf(everyByte, 1), onPiece }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const pieces: Buffer[] = [];
    await new Promise((resolve) =>
      get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" }, (response) =>
        response.on("data", (piece: Buffer) => pieces.push(piece)).on("end", resolve),
      ),
    );
    server.close();
    server.closeAllConnections();
    expect(Buffer.concat(pieces).toString()).toBe("18 °C");
    // Each part of a chunked body is received on its own, however it was sent.
    expect(pieces.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(reported).toBe(6);
  });
});

const handshake: InitializeResult = {
  protocol: 1,
  implementation: { name: "streams", version: "1", language: "typescript" },
  seams: ["openai-chat"],
  transports: ["sse"],
  reports: ["session"],
};

/** Asks once. What `linesOf` makes takes a piece, and gives the lines that it ends. */
function streams(linesOf: () => (piece: Uint8Array) => string[]): DriverMethods {
  return {
    initialize: () => handshake,
    async run({ session, model }: RunParams): Promise<RunResponse> {
      if (model.seam !== "openai-chat") throw new Error("openai-chat is what was declared");
      const body = JSON.stringify({ model: model.model, stream: true, messages: session.messages });
      const take = linesOf();
      let content = "";
      await post(`${model.base_url}/chat/completions`, model.api_key, body, (piece) => {
        content += take(piece).map(textIn).join("");
      });
      return { session: { ...session, messages: [...session.messages, { role: "assistant", content }] } };
    },
  };
}

/** Receives each part of a chunked body on its own, while `fetch` joins parts that arrive together. */
function post(url: string, key: string, body: string, onPiece: (piece: Buffer) => void): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers }, (response) =>
      response.on("data", onPiece).on("end", resolve),
    );
    sent.on("error", reject).end(body);
  });
}

function textIn(line: string): string {
  try {
    const { choices } = JSON.parse(line.replace(/^data: /, "")) as { choices: { delta: { content?: string } }[] };
    return choices[0]?.delta.content ?? "";
  } catch {
    return "";
  }
}

function collecting(): (piece: Uint8Array) => string[] {
  const decoder = new TextDecoder();
  let rest = "";
  return (piece) => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop()!;
    return lines;
  };
}

function forgetting(): (piece: Uint8Array) => string[] {
  return (piece) => new TextDecoder().decode(piece).split("\n");
}

/** One case, of which the driver reports all that it expects. */
async function streamedSuite(): Promise<Suite> {
  const suite = await smallSuite();
  const { variants: _, ...source } = suite.cases.find(({ id }) => id === "text-1")!.case;
  const { status: __, ...expect } = source.expect;
  return { ...suite, cases: [{ id: "text-1", file: suite.cases[0]!.file, case: { ...source, expect } }] };
}

const run = async (lines: typeof collecting, splits: number[]) =>
  await runSuite({
    driver: { name: "streams", argument: "streams", command: inProcess(() => streams(lines)) },
    suite: await streamedSuite(),
    select: { variants: ["openai-chat/sse"] },
    seed: 4,
    splits,
  });

describe("a streamed variant", () => {
  it("passes if it passes with every split [KIT-18]", async () => {
    const { report } = await run(collecting, [everyByte, 5, 6]);
    expect(report.variants.flatMap(({ failures = [] }) => failures)).toEqual([]);
    expect(report.totals.pass).toBe(1);
    expect(report.splits).toEqual([everyByte, 5, 6]);
  });

  it("fails if one split fails, with its seed and a way to see it again [KIT-18]", async () => {
    expect((await run(forgetting, [])).report.totals.pass).toBe(1);
    const { report } = await run(forgetting, [everyByte, 5]);
    const [failed] = report.variants;
    expect(failed?.verdict).toBe("fail");
    expect(failed?.failures?.[0]?.message).toMatch(/^split 0, a byte at a time: /);
    expect(failed?.repro).toMatch(/--seed 4 --split 0$/);
  });
});
