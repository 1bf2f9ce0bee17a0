// Makes the vectors for reading answers: what a provider sends, and the response that a correct adapter makes of it.

import type { Case, LoopError, Message } from "../../../schemas/types.ts";
import type { ProviderCodec, ProviderName, Transport, WireResponse } from "../wire/codec.ts";
import { fillCase } from "../suite/fill-case.ts";
import { codecs } from "../wire/codecs.ts";
import { bytesOf } from "../wire/transport.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import { readScript } from "../suite/script.ts";
import type { SuiteCase } from "../suite/types.ts";
import { vectorSeed } from "./seed.ts";
import { variantsOf } from "../suite/variant.ts";

/** What a provider sends, and the response made of it. */
export interface ParseVector {
  /** Unique in the file. */
  id: string;
  requirement: string;
  provider: ProviderName;
  transport: Transport;
  response: { status: number; headers: Record<string, string> } & ({ text: string } | { base64: string });
  /** Holds matchers. */
  expect: {
    messages?: unknown[];
    stop_reason?: string;
    usage?: { input_tokens: number | null; output_tokens: number | null };
    error?: unknown;
  };
}

/** The streamed and the unstreamed form of one response mean the same. */
const scriptedRequirement = "PROVIDER-14";

/** Requirements of answers that are read by what their request declared: a vector has no request. */
const readByRequest = new Set(["RESPONSES-40", "RESPONSES-41"]);

/** Answers of the cases that need no feature: each form of scripted answer once, and every answer that is written byte for byte. */
export function parseVectors(cases: readonly SuiteCase[]): ParseVector[] {
  const plain = cases.filter(
    ({ case: { features = [], requires } }) => features.length === 0 && !readByRequest.has(requires[0]!),
  );
  return [...scriptedVectors(plain), ...plain.flatMap(writtenVectors)];
}

function scriptedVectors(cases: readonly SuiteCase[]): ParseVector[] {
  const seen = new Set<string>();
  return cases.flatMap(({ id, case: source }) => {
    const steps = readScript(fillCase(source, vectorSeed, id).case, "vector");
    return steps.flatMap((step, index) => {
      if (step.kind !== "response" || step.cut || step.summary || seen.has(formOf(step))) return [];
      seen.add(formOf(step));
      return Object.values(codecs).flatMap((codec) => bothTransports(`${id} ${index + 1}`, step, codec));
    });
  });
}

/** What tells one form of answer from another: its parts, without their words. */
function formOf({ response }: Extract<ScriptStep, { kind: "response" }>): string {
  const parts = response.parts.map((part) => [...keysOf(part), ...Object.values(part).flatMap(keysOf)].join(" "));
  return [response.stop_reason, response.raw_stop_reason, ...parts].join("|");
}

function keysOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value).sort() : [];
}

function bothTransports(
  id: string,
  { response }: Extract<ScriptStep, { kind: "response" }>,
  codec: ProviderCodec,
): ParseVector[] {
  const { stop_reason, usage } = response;
  return codec.transports
    .map(({ name }) => name)
    .filter((transport) => codec.canExpress(response, transport) === true)
    .map((transport) => ({
      id: `${id} ${codec.provider}/${transport}`,
      requirement: scriptedRequirement,
      provider: codec.provider,
      transport,
      response: written(codec.renderResponse(response, transport)),
      expect: {
        messages: codec.readResponse(response).map(withoutOpaque),
        stop_reason,
        usage: { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens },
      },
    }));
}

/** How an adapter keeps a provider's own data is its own affair. */
function withoutOpaque(message: Message): unknown {
  const { opaque: _, ...rest } = message as Message & { opaque?: unknown };
  return rest;
}

/** Answers of cases that ask once and send bytes. What the loop adds to a response is left out of the expectation. */
function writtenVectors({ id, case: source }: SuiteCase): ParseVector[] {
  const { case: filled } = fillCase(source, vectorSeed, id);
  const expect = source.model.length === 1 ? expectedResponse(filled) : undefined;
  if (!expect) return [];
  return variantsOf(source).flatMap((variant) => {
    if (variant.seam === "generic") return [];
    const [step] = readScript(filled, "vector", variant.transport);
    if (step?.kind !== "wire" || step.answer.reset || step.answer.status === 0) return [];
    if (isRedirect(step.answer)) return []; // what it means depends on where the request was sent
    if ((step.provider ?? variant.seam) !== variant.seam || (step.transport ?? variant.transport) !== variant.transport)
      return [];
    return [
      {
        id: `${id} ${variant.name}`,
        requirement: source.requires[0]!,
        provider: variant.seam,
        transport: variant.transport,
        response: written(step.answer),
        expect,
      },
    ];
  });
}

function isRedirect({ status }: WireResponse): boolean {
  return status >= 300 && status < 400;
}

function expectedResponse({ expect }: Case): ParseVector["expect"] | undefined {
  const { status, session = [] } = expect;
  const { error } = (expect.result ?? {}) as { error?: Partial<LoopError> };
  if (status === "error" && error !== undefined) return { error };
  const isWhole = status === "completed" || status === "max_tokens" || status === "refused";
  const isSaid = !JSON.stringify(session).includes("tool_result");
  return isWhole && isSaid && session.length > 0 ? { messages: session } : undefined;
}

function written(answer: WireResponse): ParseVector["response"] {
  const { status, headers, writes } = answer;
  const bytes = Buffer.concat(writes.map((write) => bytesOf(write, answer)));
  const text = bytes.toString("utf8");
  return { status, headers, ...(Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString("base64") }) };
}
