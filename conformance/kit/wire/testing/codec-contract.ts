// What holds of the codec of every provider. The provider's test hands in its samples and adds what is special to it.

import { describe, expect, it } from "vitest";
import type { ErrorKind, Message } from "../../../../schemas/types.ts";
import type {
  ProviderCodec,
  ScriptedFault,
  ScriptedPart,
  ScriptedResponse,
  Transport,
  WireResponse,
} from "../codec.ts";
import { alignIds } from "../shared/normal-form.ts";
import { transportAskedFor } from "../transport.ts";
import { call, fault, response, toolTurn } from "./scripted.ts";

/** The failures with which a server can answer in place of a response. */
const failures = [
  "invalid_request",
  "authentication",
  "permission",
  "not_found",
  "request_too_large",
  "rate_limit",
  "quota",
  "overloaded",
  "server_error",
  "timeout",
] as const satisfies ErrorKind[];

/** Something scripted, and for which transport: a row of a table. */
export type Inexpressible = [name: string, scripted: ScriptedResponse | ScriptedFault, transport: Transport];

/** In an expected object, a value that must have no further properties. */
export function exactly(value: unknown): unknown {
  return expect.toBeOneOf([value]);
}

export interface CodecSamples {
  /** Reads what the server sends with the provider's own SDK, which rejects if it is an error. */
  read(wire: WireResponse, transport: Transport): Promise<unknown>;
  /** Scripted responses, and what the SDK has to make of each, whichever the transport. */
  responses: [name: string, scripted: ScriptedResponse, read: object][];
  /** What the SDK has to throw for each failure that the provider sends instead of a response. */
  failures: Partial<Record<(typeof failures)[number], object>>;
  /** A time to wait that the format can express, and the headers that express it. */
  wait: { ms: number; headers: Record<string, string> };
  /** What only a complete stream has. */
  streamEnd: RegExp;
  /** A stop reason that the provider has, so that it is not "other". */
  knownStopReason: string;
  /** What this format cannot express, beside what no format can. */
  inexpressible: Inexpressible[];
  /** The parts of a response, and the messages that a correct adapter makes of them. */
  messages: [parts: ScriptedPart[], messages: Message[]];
  /** A session, and a request that carries it with the headers of an accepted one. */
  session: Message[];
  request: object;
  headers: Record<string, string>;
  /** What is read from the request beside its messages. */
  readRequest: object;
  /** The transport that the request asks for. */
  transport: Transport;
  /** An id that the format does not allow. */
  illegalId: string;
  /** A request with a message of the user, "Hi", a call of get_weather without arguments, and its result, "ok". */
  requestOf(callId: string, resultId: string): unknown;
}

const words: ScriptedPart[] = [{ text: "Half a sentence" }];
const textOf = ({ writes }: WireResponse) => writes.map(({ text }) => text).join("");

export function describeCodec(codec: ProviderCodec, samples: CodecSamples): void {
  const from = { provider: codec.provider, model: "replay" };

  describe.each(["json", "sse"] as const)("a response as %s", (transport) => {
    it.each(samples.responses)("is read by the official SDK as it was scripted: %s", async (_name, scripted, read) => {
      expect(codec.canExpress(scripted, transport)).toBe(true);
      const wire = codec.renderResponse(scripted, transport);
      expect(wire.headers["content-type"]).toMatch(transport === "json" ? /^application\/json/ : /^text\/event-stream/);
      expect(await samples.read(wire, transport)).toMatchObject(read);
    });

    it.each(failures.filter((kind) => kind in samples.failures))("fails before it begins: %s", async (kind) => {
      const wait = kind === "rate_limit" ? { retry_after_ms: samples.wait.ms } : {};
      const scripted = fault(kind, wait);
      expect(codec.canExpress(scripted, transport)).toBe(true);
      const wire = codec.renderFault(scripted, transport);
      const waitHeaders = Object.entries(wire.headers).filter(([name]) => name.startsWith("retry-after"));
      expect(Object.fromEntries(waitHeaders)).toEqual(kind === "rate_limit" ? samples.wait.headers : {});
      const error: unknown = await samples.read(wire, transport).catch((caught: unknown) => caught);
      expect(error).toMatchObject(samples.failures[kind]!);
      expect(String(error)).toContain("as scripted");
    });

    it("may be lost with its connection before it begins, or be cut in the middle of its JSON", async () => {
      expect(codec.renderFault(fault("network"), transport)).toMatchObject({ reset: true, writes: [] });
      const broken = codec.renderFault(fault("invalid_response"), transport);
      const [last = ""] = textOf(broken).trimEnd().split("\n").slice(-1);
      expect(last).toMatch(/^(data: )?{"/);
      expect(() => JSON.parse(last.replace("data: ", ""))).toThrow(SyntaxError);
    });
  });

  describe("the stream", () => {
    const scripted = toolTurn([{ text: "Hello there" }, call("c1"), call("c2", {})]);

    it("has the text in pieces, and marks the write after which each part is complete", () => {
      const wire = codec.renderResponse(scripted, "sse");
      const complete = wire.writes.flatMap(({ completes_part }, at) => (completes_part ? [[completes_part, at]] : []));
      expect(complete.map(([part]) => part)).toEqual([1, 2, 3]);
      expect(complete[0]?.[1]).toBeGreaterThan(1);
    });

    it("breaks off after the parts that were sent, without what ends a stream", () => {
      const broken = fault("stream_interrupted", { after: words });
      expect(codec.canExpress(broken, "sse")).toBe(true);
      const wire = codec.renderFault(broken, "sse");
      expect(wire.reset).toBeUndefined();
      expect(wire.writes.at(-1)?.completes_part).toBe(1);
      expect(textOf(codec.renderResponse(response(words), "sse"))).toMatch(samples.streamEnd);
      expect(textOf(wire)).not.toMatch(samples.streamEnd);
    });

    it.each(["rate_limit", "overloaded", "server_error"] as const)(
      "fails after the parts that were sent: %s",
      async (kind) => {
        const scripted = fault(kind, { after: words });
        expect(codec.canExpress(scripted, "sse")).toBe(true);
        const wire = codec.renderFault(scripted, "sse");
        expect(wire.status).toBe(200);
        await expect(samples.read(wire, "sse")).rejects.toThrow("as scripted");
      },
    );
  });

  describe("what the format cannot express", () => {
    const known = { stop_reason: "other", raw_stop_reason: samples.knownStopReason } as const;
    const ofEveryFormat: Inexpressible[] = [
      ["an unknown stop reason that is known", response([], known), "sse"],
      ["an unknown stop reason without a word", response([], { stop_reason: "other" }), "sse"],
      ["a failure of the loop: configuration", fault("configuration"), "json"],
      ["a failure of the loop: pause_limit", fault("pause_limit"), "sse"],
      ["words before a failure, in JSON", fault("server_error", { after: words }), "json"],
      ["words before a wrong key", fault("authentication", { after: words }), "sse"],
      ["words before a lost connection", fault("network", { after: words }), "sse"],
      ["an interrupted stream, in JSON", fault("stream_interrupted"), "json"],
    ];
    it.each([...ofEveryFormat, ...samples.inexpressible])("%s", (_name, scripted, transport) => {
      expect(codec.canExpress(scripted, transport)).toEqual(expect.any(String));
    });
  });

  describe("the normal form", () => {
    it("is the same for a session and for a request that carries it", () => {
      const read = codec.readRequest(samples.request);
      const expected = codec.normalize(samples.session, from);
      expect(alignIds(expected.messages, read.messages)).toEqual(expected.messages);
      expect([read.system, expected.system]).toEqual(["Be brief.\n\nBe kind.", "Be brief.\n\nBe kind."]);
      expect(read).toMatchObject({ model: "replay", ...samples.readRequest });
      expect(transportAskedFor(codec.transports, samples.request)).toBe(samples.transport);
    });

    it("is what the rules accept", () => {
      expect(codec.checkRequest(samples.request, samples.headers)).toEqual([]);
    });

    it("lets an adapter send another id and name where the format does not allow the one it has", () => {
      const { illegalId: id, requestOf } = samples;
      const session: Message[] = [
        { role: "user", content: "Hi" },
        { type: "tool_call", id, name: "get.weather", input: {} },
        { type: "tool_result", id, output: "ok" },
      ];
      const expected = codec.normalize(session, from).messages;
      const read = (callId: string, resultId: string) =>
        alignIds(expected, codec.readRequest(requestOf(callId, resultId)).messages);
      expect(read("x1", "x1")).toEqual(expected);
      expect(read("x1", "x2")).not.toEqual(expected);
    });

    it("reads the messages of a response", () => {
      const [parts, messages] = samples.messages;
      expect(codec.readResponse(response(parts))).toEqual(messages);
    });
  });
}
