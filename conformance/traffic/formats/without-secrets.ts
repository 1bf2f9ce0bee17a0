// Takes secrets out of a fixture before it is written, or says that it cannot.

import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { fixtureAnswer } from "../../kit/wire/fixture-bytes.ts";
import { inspectBytes } from "../fixture/binary-body.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import { replaceSecrets } from "../fixture/found-secret.ts";
import { inspectText } from "../fixture/inspect-text.ts";
import type { Scan } from "../fixture/secrets.ts";

/** What may be done with what must not be written. */
export interface SecretTerms {
  /** Whether secrets may be replaced. */
  redact: boolean;
  /** Whether bytes are kept of which it cannot be said whether a secret is in them. */
  allowUnscanned?: boolean;
}

/**
 * The fixture with its secrets replaced, and what was replaced.
 * @throws FixtureError for a secret that may not be replaced, or that has no one place to replace it in
 * @see RECORD-3
 */
export async function withoutSecrets(fixture: Fixture, scan: Scan, terms: SecretTerms): Promise<Fixture> {
  const replaced = new Set<string>();
  const exchanges: Exchange[] = [];
  for (const [at, exchange] of fixture.exchanges.entries()) {
    const text = JSON.stringify(exchange);
    const { visible, hidden } = await inspectText(text, scan);
    if (visible.length > 0 && !terms.redact)
      throw new FixtureError(
        `${visible[0]!.kind} was found in exchange ${at + 1}; take it out, or import with --redact`,
      );
    if (hidden !== undefined) refuse(hidden, at + 1);
    for (const { kind } of visible) replaced.add(kind);
    const clean = visible.length === 0 ? exchange : parsed(replaceSecrets(text, visible));
    if (clean === undefined) refuse(visible[0]!.kind, at + 1);
    await refuseHidden(clean!, at + 1, scan, terms);
    exchanges.push(clean!);
  }
  if (replaced.size === 0) return { ...fixture, exchanges };
  const recorded = fixture.recorded && { recorded: { ...fixture.recorded, redacted: [...replaced] } };
  return { ...fixture, ...recorded, exchanges };
}

/** A secret that is split over the events of a stream, or stands in bytes, stands nowhere in the text of the fixture. */
async function refuseHidden(
  { request, response }: Exchange,
  number: number,
  scan: Scan,
  { allowUnscanned = false }: SecretTerms,
): Promise<void> {
  const answered = fixtureAnswer(response).writes.map(({ text, bytes }) => bytes ?? Buffer.from(text));
  for (const bytes of [Buffer.from(request?.base64 ?? "", "base64"), Buffer.concat(answered)]) {
    const { secret, unscanned } = await inspectBytes(bytes, scan);
    if (secret !== undefined) refuse(secret, number);
    if (unscanned !== undefined && !allowUnscanned)
      throw new FixtureError(
        `exchange ${number} has a body that is ${unscanned}, so that nobody can say whether a secret is in it; take the exchange out, or import with --allow-unscanned`,
      );
  }
}

function refuse(kind: string, number: number): never {
  throw new FixtureError(
    `${kind} is split or encoded in exchange ${number}, and cannot be replaced: take the exchange out`,
  );
}

/** Nothing where a secret ended inside of an escaped character: then it cannot be replaced. */
function parsed(text: string): Exchange | undefined {
  try {
    return JSON.parse(text) as Exchange;
  } catch {
    return undefined;
  }
}
