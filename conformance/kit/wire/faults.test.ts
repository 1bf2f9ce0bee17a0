// Shows that faults happen on the wire as a case scripts them: exact bytes, holds, cuts and lost connections.

import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Case, ModelEntry } from "../../../schemas/types.ts";
import type { ScriptedResponse, Transport } from "./codec.ts";
import { cutAnswer, type Cut } from "./cut-response.ts";
import { sayable, underDeclaredNames } from "../suite/declared-names.ts";
import { codecs } from "./codecs.ts";
import { startProviderServer, type ProviderServer } from "./provider-server.ts";
import type { Reply } from "./provider-types.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import { readScript } from "../suite/script.ts";

let server: ProviderServer;
let count = 0;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.stop());

const read = (entry: ModelEntry, transport?: Transport): ScriptStep =>
  readScript({ model: [entry] } as Case, "r1", transport)[0]!;

/** Asks a run that answers so, and notes what arrives: a piece for every read, and the code of the error in which it ended. */
async function ask(reply: Reply, onPiece?: (piece: Buffer) => void): Promise<{ pieces: Buffer[]; error?: string }> {
  const { baseUrl } = server.open(`fault${++count}`, {
    codec: codecs["openai-chat"],
    transport: "sse",
    onRequest: () => reply,
  });
  const { promise, resolve } = Promise.withResolvers<{ pieces: Buffer[]; error?: string }>();
  const pieces: Buffer[] = [];
  const failed = (error: NodeJS.ErrnoException) => resolve({ pieces, error: error.code ?? error.message });
  const headers = { "content-type": "application/json", authorization: "Bearer key" };
  const call = request(`${baseUrl}/chat/completions`, { method: "POST", headers }, (response) => {
    response.on("data", (piece: Buffer) => {
      pieces.push(piece);
      onPiece?.(piece);
    });
    response.on("end", () => resolve({ pieces }));
    response.on("error", failed);
  });
  call.on("error", failed);
  call.end(JSON.stringify({ model: "replay", messages: [{ role: "user", content: "Hi" }], stream: true }));
  return promise;
}

const wire = (entry: ModelEntry, transport?: Transport) => {
  const step = read(entry, transport);
  if (step.kind !== "wire") throw new Error("expected bytes of the wire");
  return step.answer;
};

describe("exact writes", () => {
  it("arrive byte for byte, and end inside a letter where they are cut there", async () => {
    const answer = wire({ writes: [{ text: "a你" }, { base64: "5L0=" }, { base64: "oA==" }, { text: "x", times: 3 }] });
    const arrived = Promise.withResolvers<void>();
    let seen = 0;
    const { pieces } = await ask(
      {
        wire: answer,
        // The second write is on its own: the next one waits until it has arrived.
        afterWrite: (number) => (number === 2 ? arrived.promise : undefined),
      },
      (piece) => {
        seen += piece.length;
        if (seen === 6) arrived.resolve();
      },
    );
    expect(Buffer.concat(pieces).toString()).toBe("a你你xxx");
    expect(pieces.some((piece) => piece.at(-1) === 0xbd)).toBe(true);
  });

  it("have the content type of the transport", () => {
    const entry = { writes: [{ text: "{}" }] };
    expect(wire(entry, "json").headers).toEqual({ "content-type": "application/json" });
    expect(wire(entry, "sse").headers).toEqual({ "content-type": "text/event-stream" });
  });

  it("wait at their gate", async () => {
    const answer = wire({ writes: [{ text: "before" }, { text: " after", hold: "gate" }] });
    const gate = Promise.withResolvers<void>();
    const beforeGate: string[] = [];
    const { pieces } = await ask(
      {
        wire: answer,
        beforeWrite: ({ hold }) => (hold === "gate" ? gate.promise : undefined),
      },
      (piece) => {
        beforeGate.push(piece.toString());
        gate.resolve();
      },
    );
    expect(beforeGate[0]).toBe("before");
    expect(Buffer.concat(pieces).toString()).toBe("before after");
  });
});

describe("lost connections", () => {
  it("before the headers: nothing arrives", async () => {
    expect(await ask({ wire: wire({ reset: "before_headers" }) })).toEqual({ pieces: [], error: "ECONNRESET" });
  });

  it("after what was written: it arrives, and no end", async () => {
    const { pieces, error } = await ask({ wire: wire({ sse: ["data: x\n\n"], reset: "mid_stream" }) });
    expect(Buffer.concat(pieces).toString()).toBe("data: x\n\n");
    expect(error).toBe("ECONNRESET");
  });
});

describe("cuts", () => {
  const response: ScriptedResponse = {
    parts: [{ text: "§" }, { tool_call: { id: "call_a", name: "look", input: {} } }],
    stop_reason: "tool_use",
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
    },
    model: "replay",
    id: "r1",
  };
  const ending = {
    "anthropic-messages": /event: message_stop/,
    "openai-chat": /"finish_reason":"tool_calls"|\[DONE\]/,
    "openai-responses": /response\.completed/,
    gemini: /"finishReason"/,
  };
  const cut = (provider: keyof typeof codecs, transport: Transport, where?: Cut) => {
    const answer = codecs[provider].renderResponse(response, transport);
    const { writes, reset } = where === undefined ? answer : cutAnswer(answer, where, codecs[provider]);
    return { text: writes.map(({ text }) => text).join(""), reset };
  };

  it.each(Object.keys(codecs) as (keyof typeof codecs)[])("a stream of %s", (provider) => {
    const whole = cut(provider, "sse").text;
    const middle = cut(provider, "sse", "mid_stream");
    const end = cut(provider, "sse", "before_end");
    expect([middle.reset, end.reset]).toEqual([true, true]);
    expect(whole).toMatch(ending[provider]);
    expect(end.text).not.toMatch(ending[provider]);
    expect(whole.startsWith(end.text) && end.text.startsWith(middle.text)).toBe(true);
    expect([middle.text.includes("§"), middle.text.includes("look")]).toEqual([true, false]);
    expect(end.text).toContain("look");
  });

  it.each(Object.keys(codecs) as (keyof typeof codecs)[])("a body of %s", (provider) => {
    const whole = cut(provider, "json").text;
    expect(cut(provider, "json", "before_end").text).toBe(whole.slice(0, -1));
    expect(cut(provider, "json", "mid_stream").text).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
  });
});

describe("names that a provider refuses", () => {
  const call = (name: string) => ({ tool_call: { id: "a", name, input: {} } });
  const response = { parts: [call("a.b"), { text: "x" }, call("c"), call("d.e")] } as ScriptedResponse;
  const given = [{ name: "a.b" }, { name: "c" }];

  it("are called as the request declared them; other names as they are", () => {
    const { parts } = underDeclaredNames(response, given, [{ name: "a_b" }, { name: "other" }]);
    expect(parts).toEqual([call("a_b"), { text: "x" }, call("c"), call("d.e")]);
    expect(underDeclaredNames(response, given, [{ name: "a_b" }])).toBe(response);
  });

  it("stand for names that every provider allows", () => {
    const step = sayable({ kind: "response", response }, given) as Extract<ScriptStep, { kind: "response" }>;
    expect(step.response.parts).toEqual([call("tool_1"), { text: "x" }, call("c"), call("d.e")]);
  });
});
