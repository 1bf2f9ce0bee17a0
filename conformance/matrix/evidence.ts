// What is kept of the variant that shows a breach: enough for a reader to judge it, and little enough for one page.

import type { MatrixEvidence, MatrixExchange, VariantResult, WireExchange } from "../../schemas/types.ts";
import { commandLine } from "../kit/base/cli-name.ts";
import { redact } from "../kit/base/redact.ts";
import type { BrokenRequirement } from "../reporters/requirements.ts";

/** How many characters of one side of an exchange are kept, and how many exchanges. */
const most = { request: 1500, response: 1200, exchanges: 3, line: 300 };

/** The variant that shows a breach best. */
export function evidenceOf({ id, example }: Pick<BrokenRequirement, "id" | "example">): MatrixEvidence {
  const { result, finding } = example;
  const { exchanges = [], error, failures = [] } = result;
  const kept = keptExchanges(exchanges, finding.exchange);
  const more = failures.filter(({ requirement = result.requirement }) => requirement !== id);
  return redact({
    case: result.case,
    variant: result.variant,
    command: result.repro ?? `${commandLine} test --case ${result.case} --variant ${result.variant}`,
    ...(finding.exchange !== undefined && { exchange: finding.exchange }),
    ...(kept.length > 0 && { exchanges: kept }),
    ...(kept.length < exchanges.length && { left_out: exchanges.length - kept.length }),
    ...(error && { ended: shortened(`${error.kind}: ${error.message}`, most.line) }),
    ...(more.length > 0 && { more: more.slice(0, 4).map(lineOf).join("\n") }),
  });
}

function lineOf({ requirement, message }: NonNullable<VariantResult["failures"]>[number]): string {
  return shortened([requirement, message].filter(Boolean).join(": "), most.line);
}

/** The exchange that shows it, and those that lead there; where none is named, the last. */
function keptExchanges(exchanges: readonly WireExchange[], shown = exchanges.length): MatrixExchange[] {
  const last = Math.min(Math.max(shown, 1), exchanges.length);
  const first = Math.max(0, last - most.exchanges);
  return exchanges.slice(first, last).map(({ request, response }, index) => ({
    number: first + index + 1,
    request: shortened(textOf(request), most.request),
    ...(response !== undefined && { response: shortened(textOf(response), most.response) }),
  }));
}

interface Side {
  method?: string;
  path?: string;
  status?: number;
  body?: unknown;
  text?: string;
  aborted?: boolean;
}

/** The first line of a side, and what it carries: JSON laid out, a stream as it was written. Headers say nothing here. */
function textOf(side: unknown): string {
  const { method, path, status, body, text, aborted } = side as Side;
  const first = method === undefined ? String(status ?? "") : `${method} ${path ?? ""}`;
  const carried = text ?? (typeof body === "string" ? body : JSON.stringify(body ?? side, null, 1));
  return [first, laidOut(carried), ...(aborted ? ["(cut off: the client went away)"] : [])].filter(Boolean).join("\n");
}

function laidOut(text: string): string {
  if (!text.startsWith("{")) return text.trimEnd();
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

/** A text of at most so many characters; what is left out in its middle is counted. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.floor(length * 0.45);
  const tail = length - head;
  return `${text.slice(0, head).toWellFormed()}\n… ${text.length - length} characters left out …\n${text.slice(-tail).toWellFormed()}`;
}
