// Writes the exchanges of a variant so that a person can repeat them: on the wire as a shell script of curl commands.

import type { ProviderName, WireExchange } from "../../schemas/types.ts";
import { codecs } from "../kit/wire/codecs.ts";

interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  aborted?: boolean;
}

/**
 * The exchanges as a shell script: requests as commands, responses as comments.
 * @param baseUrl where the commands go, unless BASE_URL says otherwise
 */
export function* curlScript(
  exchanges: readonly WireExchange[],
  seam: ProviderName,
  baseUrl: string,
): Generator<string> {
  const { keptHeaders, keyHeader } = codecs[seam].traffic;
  yield `: "\${BASE_URL:=${baseUrl}}"`;
  for (const [index, { request, response }] of exchanges.entries()) {
    const { method, path, headers, body } = request as unknown as HttpRequest;
    yield "";
    yield `# ${index + 1}`;
    yield `curl -sS -N -X ${method} "$BASE_URL${path}" \\`;
    for (const [name, value] of Object.entries(headers))
      if (name === "content-type" || keptHeaders.includes(name)) yield `  -H ${quoted(`${name}: ${value}`)} \\`;
    // The kit takes any key.
    for (const [name, value] of Object.entries(keyHeader("any"))) yield `  -H ${quoted(`${name}: ${value}`)} \\`;
    yield "  --data-binary @- <<'JSON'";
    yield typeof body === "string" ? body : JSON.stringify(body, null, 2);
    yield "JSON";
    yield* answerLines(response as HttpResponse | undefined);
  }
}

function* answerLines(response: HttpResponse | undefined): Generator<string> {
  if (!response) return yield "# no answer";
  const { status, headers, text, aborted } = response;
  yield `# ← ${status} ${headers["content-type"] ?? ""}`.trimEnd();
  for (const line of text.trimEnd().split("\n")) yield `# ${line}`.trimEnd();
  if (aborted) yield "# … and the client went away";
}

/** A line of the driver protocol. */
export interface Spoken {
  who: "kit" | "drv";
  line: string;
}

/** What of the driver protocol belongs to a run, from the request that starts it to the answer; barriers are left out. */
export function* messageLines(spoken: readonly Spoken[]): Generator<string> {
  const left = new Set<unknown>();
  for (const { who, line } of spoken) {
    const { jsonrpc: _, ...message } = parsed(line);
    const { id, method } = message;
    if (typeof method === "string" && aside.has(method)) left.add(`${who} ${String(id)}`);
    else if (method !== undefined || !left.has(`${who === "kit" ? "drv" : "kit"} ${String(id)}`))
      yield `${who} → ${Object.keys(message).length === 0 ? line : JSON.stringify(message)}`;
  }
}

/** What is said beside a run. */
const aside: ReadonlySet<string> = new Set(["initialize", "shutdown", "barrier"]);

/** The message; of a line that is none, nothing. */
function parsed(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** As a shell takes it literally. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
