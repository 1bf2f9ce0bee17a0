// Checks what a request sends back of sealed thinking: signatures that no answer had, and those that another model made.

import type { Link } from "./chains.ts";
import { listPointer } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** @see PROVIDER-8 PROVIDER-20 */
export function checkSeals({ before, after }: Link): Finding[] {
  const body = after.exchange.request?.body;
  const known = new Set(sealsIn(before.exchange.request?.body));
  const made = new Set(
    before.answer.messages.flatMap((message) => ("opaque" in message ? sealsOf(message.opaque) : [])),
  );
  const place = { level: "broken" as const, exchange: after.number, pointer: listPointer(body) };
  const fresh = sealsIn(body).filter((seal) => !known.has(seal));
  const foreign = fresh.filter((seal) => made.has(seal)).length > 0 && before.request.model !== after.request.model;
  return [
    ...(fresh.some((seal) => !made.has(seal))
      ? [
          {
            ...place,
            requirement: "PROVIDER-20",
            message: `thinking is sent with a signature that the answer of exchange ${before.number} did not have`,
          },
        ]
      : []),
    ...(foreign
      ? [
          {
            ...place,
            requirement: "PROVIDER-8",
            message: `the thinking of ${before.request.model} in exchange ${before.number} is sent to ${after.request.model}`,
          },
        ]
      : []),
  ];
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
  return [signature, redacted, encrypted_content].filter((seal) => typeof seal === "string");
}
