// Audits recorded traffic of any agent: every request by itself, and as a continuation of its conversation.

import type { Fixture, ModelResponse } from "../../../schemas/types.ts";
import { conversationOf, hasRequest, linksOf } from "./chains.ts";
import type { Link, ReadableExchange } from "./chains.ts";
import { checkRecordedRequest } from "./check-recorded-request.ts";
import { checkLink } from "./check-link.ts";
import { checkRefusal } from "./check-refusal.ts";
import { checkSeals } from "./check-seals.ts";
import { checkSecrets } from "./check-secrets.ts";
import type { Finding } from "./finding.ts";
import { readExchanges } from "./read-exchange.ts";
import type { ReadExchange } from "./read-exchange.ts";

/** What was looked at, and what was found, in the order of the exchanges. */
export interface Audit {
  /** Requests that could be looked at. */
  requests: number;
  conversations: number;
  findings: Finding[];
}

/** Everything in a fixture that breaks a requirement. */
export async function auditFixture(fixture: Fixture): Promise<Audit> {
  const { findings, requests, links } = await readAudit(fixture);
  return { requests, conversations: requests - links.size, findings };
}

/** An audit with what it looked at. */
export interface ReadAudit extends Pick<Audit, "requests" | "findings"> {
  exchanges: ReadExchange[];
  links: Map<number, Link>;
}

/** The same, with everything that was read. */
export async function readAudit(fixture: Fixture): Promise<ReadAudit> {
  const exchanges = await readExchanges(fixture);
  const links = linksOf(exchanges);
  const readable = exchanges.filter(hasRequest);
  const findings = exchanges.flatMap((read) => {
    const link = links.get(read.number);
    const before = link ? conversationOf(read as ReadableExchange, links).slice(0, -1) : [];
    const answers = withOwnIds(before.map(({ answer }) => answer).filter(({ error }) => !error));
    const earlier = fixture.exchanges.slice(0, read.number - 1);
    const requestFindings = checkRecordedRequest(read, answers, earlier);
    // What a rule of the provider has said already is not said twice.
    const isReported = requestFindings.some(({ rule }) => rule !== undefined && /\/(thinking|reasoning)-/.test(rule));
    const linked = link ? checkLink(link).filter(({ requirement }) => !isReported || requirement !== "PROVIDER-7") : [];
    const others = hasRequest(read) ? checkAmongOthers(read, link, readable) : [];
    return [...requestFindings, ...linked, ...others];
  });
  const requests = exchanges.filter(({ provider, exchange }) => provider && exchange.request).length;
  return { findings, requests, exchanges, links };
}

/** What takes more than the request before to see. */
function checkAmongOthers(
  read: ReadableExchange,
  link: Link | undefined,
  readable: readonly ReadableExchange[],
): Finding[] {
  const earlier = readable.filter(({ number }) => number < read.number);
  return [
    ...checkSeals(read, link === undefined, earlier),
    ...checkRefusal(read, earlier),
    ...checkSecrets(read, earlier),
  ];
}

/** The answers without those whose calls share an id with those of another: what comes back under such an id may be of either. */
function withOwnIds(answers: readonly ModelResponse[]): ModelResponse[] {
  const makers = new Map<string, number>();
  for (const id of answers.flatMap(idsOf)) makers.set(id, (makers.get(id) ?? 0) + 1);
  return answers.filter((answer) => idsOf(answer).every((id) => makers.get(id) === 1));
}

/** Of the calls of an answer, each once. */
function idsOf({ messages }: ModelResponse): string[] {
  return [...new Set(messages.flatMap((message) => (message.type === "tool_call" ? [message.id] : [])))];
}
