// The command `diff`: in which places two fixtures say something else, whatever ids their providers gave.

import { RequestMatcher } from "../traffic/fixture/match-request.ts";
import type { Difference } from "../traffic/fixture/match-request.ts";
import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { readExchanges } from "../traffic/read/read-exchange.ts";
import type { ReadExchange } from "../traffic/read/read-exchange.ts";
import { shown } from "../traffic/read/shown-value.ts";

/** Ids may be others if they are the same wherever they come back; what hangs on messages is not said. */
const terms = {
  like: { "/request/messages/*/id": "id", "/answer/messages/*/id": "id" },
  volatile: ["/request/messages/*/opaque", "/answer/messages/*/opaque", "/request/stream"],
} as const;

/** Exit code 1 if they differ. Exchanges are compared by their place. */
export async function diff(before: string, after: string): Promise<void> {
  const [one, other] = await Promise.all([before, after].map(async (file) => readExchanges(await readFixture(file))));
  const matcher = new RequestMatcher({ like: terms.like, volatile: [...terms.volatile] });
  const count = Math.max(one!.length, other!.length);
  for (let at = 0; at < count; at += 1) {
    const differences = matcher.compare(comparable(one![at]), comparable(other![at]));
    if (differences.length === 0) continue;
    process.exitCode = 1;
    console.log(`exchange ${at + 1}`);
    for (const line of differences.flatMap(differenceLines)) console.log(line);
  }
  if (process.exitCode !== 1) console.log(`${before} and ${after} say the same, in ${count} exchanges`);
}

/** What an exchange says: in generic terms if its format is known, else unchanged. */
function comparable(read: ReadExchange | undefined): unknown {
  if (!read) return undefined;
  const { exchange, request, answer } = read;
  const { method, path, body, base64 } = exchange.request ?? {};
  const { status, headers: _headers, cut: _cut, layout: _layout, ...content } = exchange.response;
  const own = answer && { stop_reason: answer.stop_reason, error: answer.error?.kind, messages: answer.messages };
  return { method, path, request: request ?? body ?? base64, status, answer: own ?? content };
}

function differenceLines({ pointer, expected, received }: Difference): string[] {
  return [`  ${pointer || "(all of it)"}`, `    - ${shown(expected)}`, `    + ${shown(received)}`];
}
