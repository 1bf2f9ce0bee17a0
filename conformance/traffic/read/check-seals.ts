// Checks what a request sends back of sealed thinking: signatures that no answer had, and those that another model made.

import type { ReadableExchange } from "./chains.ts";
import { listPointer } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { requestValue } from "../fixture/request-value.ts";

/**
 * Seals that a request has and that nobody made who could have. Seals of the conversation's first request were made before the
 * recording began.
 * @param first whether nothing that was recorded is continued by the request
 * @param earlier all exchanges before it, of every provider
 * @see PROVIDER-8 PROVIDER-20
 */
export function checkSeals(after: ReadableExchange, first: boolean, earlier: readonly ReadableExchange[]): Finding[] {
  const body = requestValue(after.exchange.request);
  const made = new Map(earlier.flatMap((maker) => sealsMadeBy(maker).map((seal) => [seal, maker] as const)));
  const sent = sealsSentIn(after);
  const known = new Set(earlier.flatMap(sealsSentIn));
  const madeUp = !first && sent.some((seal) => !made.has(seal) && !known.has(seal));
  const foreign = sent.flatMap((seal) => made.get(seal) ?? []).find((maker) => !isSameModel(maker, after));
  const place = { level: "broken" as const, exchange: after.number, pointer: listPointer(body) };
  return [
    ...(madeUp
      ? [
          {
            ...place,
            requirement: "PROVIDER-20",
            message: "a signature of thinking was made up: no answer had the one that is sent",
          },
        ]
      : []),
    ...(foreign
      ? [
          {
            ...place,
            requirement: "PROVIDER-8",
            message: `the thinking of ${nameOf(foreign, after)} in exchange ${foreign.number} was sent to ${nameOf(after, foreign)}, which did not make it`,
          },
        ]
      : []),
  ];
}

/** Whether what one exchange was answered with may go back in the other. A model has several names: the one asked for, and its own. */
export function isSameModel(maker: ReadableExchange, other: ReadableExchange): boolean {
  const names = [maker.request.model, maker.answer.model];
  return maker.provider === other.provider && names.includes(other.request.model);
}

/** The seals that an answer had. */
export function sealsMadeBy({ answer }: Pick<ReadableExchange, "answer">): string[] {
  return answer.messages.flatMap((message) => ("opaque" in message ? sealsOf(message.opaque) : []));
}

/** Those that were looked for already: every request is held against all before it. */
const sentBy = new WeakMap<ReadableExchange, string[]>();

/** The seals that a request sends. */
export function sealsSentIn(read: ReadableExchange): string[] {
  const seals = sentBy.get(read) ?? sealsIn(requestValue(read.exchange.request));
  sentBy.set(read, seals);
  return seals;
}

/** The seals of the thinking in the body of a request, wherever it is. */
function sealsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(sealsIn);
  if (typeof value !== "object" || value === null) return [];
  const { type, signature, data, encrypted_content: encrypted } = value as Record<string, unknown>;
  const seal = { thinking: signature, redacted_thinking: data, reasoning: encrypted }[String(type)];
  if (typeof seal === "string" && seal !== "") return [seal];
  return Object.values(value).flatMap(sealsIn);
}

function sealsOf(opaque: unknown): string[] {
  const { signature, redacted, encrypted_content } = (opaque ?? {}) as Record<string, unknown>;
  return [signature, redacted, encrypted_content].filter((seal) => typeof seal === "string" && seal !== "") as string[];
}

/** The model, or the provider where the models have one name. */
function nameOf({ request, provider }: ReadableExchange, other: ReadableExchange): string {
  return request.model === other.request.model ? `${request.model} at ${provider}` : request.model;
}
