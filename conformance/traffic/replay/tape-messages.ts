// The messages of a tape: what differs, what was not used, what to do.

import type { Exchange } from "../../../schemas/types.ts";
import type { Difference } from "../fixture/match-request.ts";
import type { TapeVerdict } from "./tape-verdict.ts";

interface Mismatch {
  name: string;
  request: number;
  number: number;
  exchange: Exchange;
  differences: readonly Difference[];
  /** An exchange further on that it agrees with. */
  later: number | undefined;
}

/** Why a request was given no exchange. @see REPLAY-4 */
export function describeMismatch({ name, request, number, exchange, differences, later }: Mismatch): string {
  const what = exchange.request
    ? `${exchange.request.method} ${exchange.request.path}`
    : "a request that was not recorded";
  const lines = differences.flatMap(({ pointer, expected, received }) => [
    `  ${pointer === "" ? "(whole body)" : pointer}`,
    `    - recorded  ${shown(expected)}`,
    `    + received  ${shown(received)}`,
  ]);
  const advice =
    later === undefined
      ? "List what may differ in the fixture, under replay.volatile and replay.like."
      : `It agrees with exchange ${later}. If requests may come in any order, replay with --order any, or say so in the fixture under replay.order.`;
  return [`request ${request} differs from exchange ${number} of ${name} (${what}):`, ...lines, advice].join("\n");
}

/** The message when all exchanges are used. */
export function exhausted(name: string, count: number): string {
  return `${name} has ${count} ${count === 1 ? "exchange" : "exchanges"} and all are used; this is an extra request. Record again if it is expected.`;
}

/** A verdict in lines; the first says whether it passed. */
export function describeVerdict(name: string, verdict: TapeVerdict): string[] {
  const { passed, used, exchanges, requests, unused, problems, more_problems: more = 0 } = verdict;
  const count = `${used} of ${exchanges} exchanges used, ${requests} ${requests === 1 ? "request" : "requests"}`;
  if (passed) return [`${name}: replayed, ${count}`];
  const lines = problems.map(({ kind, message }) =>
    kind === "rule" ? `a rule of the provider was broken: ${message}` : message,
  );
  if (more > 0) lines.push(`and ${more} more problems`);
  if (requests === 0) lines.push("no request was received: does the program use the base URL of its environment?");
  else for (const { number, method, path } of unused) lines.push(`exchange ${number} was not used: ${method} ${path}`);
  return [`${name}: failed, ${count}`, ...lines];
}

const maxCharacters = 160;

function shown(value: unknown): string {
  if (value === undefined) return "(nothing)";
  const text = JSON.stringify(value);
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)} … (${text.length} characters)`;
}
