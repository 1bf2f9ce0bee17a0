// A fixture as a conversation: of each exchange what is new in its request, what was answered, and what that cost.

import type { Fixture, Message } from "../../../schemas/types.ts";
import { entryOf, errorEntry, usageText } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { essence } from "./essence.ts";
import { readExchanges } from "./read-exchange.ts";
import type { ReadExchange } from "./read-exchange.ts";

/** All entries, in order. What a request repeats of what was shown before is counted, not shown. */
export async function fixtureEntries(fixture: Fixture): Promise<Entry[]> {
  const shown = new Set<string>();
  return (await readExchanges(fixture)).flatMap((one) => exchangeEntries(one, shown));
}

function exchangeEntries(read: ReadExchange, shown: Set<string>): Entry[] {
  const { request, answer } = read;
  return [
    heading(read),
    ...(request ? requestEntries(request, shown) : []),
    ...(answer?.messages ?? []).map((message) => {
      shown.add(essence(message));
      return entryOf(message);
    }),
    ...ending(read),
  ];
}

function heading({ number, exchange: { request, response, at_ms, provider }, model }: ReadExchange): Entry {
  const requestLine = request ? `${request.method} ${request.path}` : (provider ?? "request not kept");
  const began = at_ms === undefined ? [] : [`at ${seconds(at_ms)}`];
  const took = tookOf(response);
  const aside = [...(model ? [model] : []), `status ${response.status}`, ...began, ...(took ? [`took ${took}`] : [])];
  return { kind: "heading", text: `${number}  ${requestLine}`, aside: aside.join(" · ") };
}

/** When the last piece of an answer came, where the fixture knows it. */
function tookOf({ events, writes }: ReadExchange["exchange"]["response"]): string | undefined {
  const times = [...(events ?? []), ...(writes ?? [])].flatMap(({ at_ms }) => (at_ms === undefined ? [] : [at_ms]));
  return times.length === 0 ? undefined : seconds(Math.max(...times));
}

function requestEntries(request: NonNullable<ReadExchange["request"]>, shown: Set<string>): Entry[] {
  const system: Message[] = request.system === undefined ? [] : [{ role: "system", content: request.system }];
  const messages = [...system, ...request.messages];
  const known = messages.findIndex((message) => !shown.has(essence(message)));
  const fresh = known < 0 ? [] : messages.slice(known);
  for (const message of fresh) shown.add(essence(message));
  const count = messages.length - fresh.length;
  const repeated: Entry[] = count === 0 ? [] : [{ kind: "note", text: `${count} messages as before` }];
  return [...repeated, ...fresh.map(entryOf)];
}

function ending({ exchange: { response }, answer, provider }: ReadExchange): Entry[] {
  if (!answer) return [{ kind: "note", text: provider ?? "no model call in a known format; kept as it was" }];
  const { error, stop_reason, raw_stop_reason, usage } = answer;
  const own = raw_stop_reason && raw_stop_reason !== stop_reason ? ` (${raw_stop_reason})` : "";
  const counted = usageText(usage);
  return [
    ...(error ? [errorEntry(error)] : []),
    ...(response.cut ? [{ kind: "error", text: `cut off by the ${response.cut}` } as const] : []),
    { kind: "note", text: [`${stop_reason}${own}`, ...(counted ? [counted] : [])].join(" · ") },
  ];
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
