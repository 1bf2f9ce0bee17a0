// Takes secrets out of a fixture before it is written, or says that it cannot.

import type { Exchange, Fixture } from "../../../schemas/types.ts";
import { fixtureAnswer } from "../../kit/wire/fixture-bytes.ts";
import { FixtureError } from "../fixture/fixture-file.ts";
import { textsIn } from "../fixture/body-text.ts";
import { replaceSecrets } from "../fixture/secrets.ts";
import type { Scan } from "../fixture/secrets.ts";

/**
 * The fixture with its secrets replaced, and what was replaced.
 * @param redact whether secrets may be replaced
 * @throws FixtureError for a secret that may not be replaced, or that has no one place to replace it in
 * @see RECORD-3
 */
export async function withoutSecrets(fixture: Fixture, scan: Scan, redact: boolean): Promise<Fixture> {
  const replaced = new Set<string>();
  const exchanges: Exchange[] = [];
  for (const [at, exchange] of fixture.exchanges.entries()) {
    const text = JSON.stringify(exchange);
    const findings = await scan(text);
    if (findings.length > 0 && !redact)
      throw new FixtureError(
        `${findings[0]!.kind} was found in exchange ${at + 1}; take it out, or import with --redact`,
      );
    for (const { kind } of findings) replaced.add(kind);
    const clean = findings.length === 0 ? exchange : (parsed(replaceSecrets(text, findings)) ?? exchange);
    await refuseHidden(clean, at + 1, scan);
    exchanges.push(clean);
  }
  if (replaced.size === 0) return { ...fixture, exchanges };
  const recorded = fixture.recorded && { recorded: { ...fixture.recorded, redacted: [...replaced] } };
  return { ...fixture, ...recorded, exchanges };
}

/** A secret that is split over the events of a stream, or encoded, stands nowhere in the text of the fixture. */
async function refuseHidden({ request, response }: Exchange, number: number, scan: Scan): Promise<void> {
  const sent = request?.base64 === undefined ? "" : Buffer.from(request.base64, "base64").toString("latin1");
  const answered = fixtureAnswer(response)
    .writes.map(({ text }) => text)
    .join("");
  const written = textsIn(JSON.stringify({ request, response }));
  for (const text of [sent, answered, textsIn(answered).join("\n"), written.join("\n")]) {
    const [hidden] = await scan(text);
    if (hidden)
      throw new FixtureError(
        `${hidden.kind} is split or encoded in exchange ${number}, and cannot be replaced: take the exchange out`,
      );
  }
}

/** Nothing where a secret ended inside of an escaped character: then it cannot be replaced. */
function parsed(text: string): Exchange | undefined {
  try {
    return JSON.parse(text) as Exchange;
  } catch {
    return undefined;
  }
}
