// That an answer in process is the one of the server: the same pieces, cut where it was cut.

import { describe, expect, test } from "vitest";
import type { FixtureResponse } from "../../../schemas/types.ts";
import { faultOf } from "../fixture/fault.ts";
import type { Fault } from "../fixture/fault.ts";
import { Tape } from "./tape.ts";
import { tapeResponse } from "./tape-response.ts";

function answer(response: FixtureResponse, fault?: string, signal = new AbortController().signal): Promise<Response> {
  const faults = fault === undefined ? [] : [faultOf(fault) as Fault];
  const exchanges = [{ provider: "openai-chat", request: null, response }];
  const tape = new Tape({ fixture: 1, origin: "crafted", why: "test", exchanges }, { name: "f", rules: false, faults });
  const incoming = {
    method: "POST",
    path: "/v1/chat/completions",
    provider: "openai-chat",
    headers: {},
    body: Buffer.of(),
  };
  return tapeResponse(tape, incoming, "recorded", signal);
}

/** The pieces in which a body comes, and how it ends. */
async function piecesOf({ body }: Response): Promise<string[]> {
  const pieces: string[] = [];
  try {
    for await (const bytes of body!) pieces.push(Buffer.from(bytes).toString());
  } catch (thrown) {
    pieces.push(`! ${(thrown as Error).message}`);
  }
  return pieces;
}

const events = [{ data: 1 }, { data: 2, joined: true as const }, { data: 3, at_ms: 20 }];

describe("a stream", () => {
  test("comes in the pieces and with the pauses of the recording [REPLAY-5]", async () => {
    const began = performance.now();
    expect(await piecesOf(await answer({ status: 200, events }))).toEqual(["data: 1\n\ndata: 2\n\n", "data: 3\n\n"]);
    expect(performance.now() - began).toBeGreaterThan(15);
  });

  test("breaks off where it was cut [REPLAY-5]", async () => {
    const cut = await answer({ status: 200, events: [{ data: 1 }], cut: "server" });
    expect(await piecesOf(cut)).toEqual(["data: 1\n\n", "! terminated"]);
    expect(await piecesOf(await answer({ status: 200, events }, "cut@1"))).toEqual([
      "data: 1\n\ndata: 2\n\n",
      "! terminated",
    ]);
  });

  test("ends for who aborts, also while it pauses", async () => {
    const client = new AbortController();
    const late = [{ data: 1 }, { data: 2, at_ms: 60_000 }];
    const { body } = await answer({ status: 200, events: late }, undefined, client.signal);
    const reader = body!.getReader();
    await reader.read();
    client.abort(new Error("enough"));
    await expect(reader.read()).rejects.toThrow("enough");
  });
});

test("a status without a body, a refusal, a lost connection", async () => {
  expect((await answer({ status: 204, writes: [] })).body).toBe(null);
  const refused = await answer({ status: 200, body: {} }, "429@1");
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: expect.objectContaining({ message: expect.any(String) as string }) as object },
  ]);
  await expect(answer({ status: 200, body: {} }, "reset@1")).rejects.toThrow(new TypeError("fetch failed"));
});
