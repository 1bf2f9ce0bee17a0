// Shows what went over the wire: each request beside its response, JSON laid out, streams as they were written.

import { html, prettyJson } from "./markup.ts";
import type { Html } from "./markup.ts";

/** A request and what was answered, on the wire or, on the generic seam, as plain values. */
export interface ShownExchange {
  request: unknown;
  response?: unknown;
}

/** One side of an exchange on the wire. */
interface WireSide {
  method?: string;
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  aborted?: boolean;
}

/**
 * Every exchange in its order, each to be opened.
 * @param open the number of the one that is open from the start, counted from 1
 */
export function showTranscript(exchanges: readonly ShownExchange[], open?: number): Html {
  return html`${exchanges.map((exchange, index) => showExchange(exchange, index + 1, index + 1 === open))}`;
}

function showExchange({ request, response }: ShownExchange, number: number, open: boolean): Html {
  const title = [firstLineOf(request), firstLineOf(response)].filter((line) => line !== "").join(" → ");
  return html`<details class="exchange" ${open && html` open`}>
    <summary><span>Model request ${number}</span> <code>${title}</code></summary>
    <div class="sides">
      <section aria-label="Request ${number}">
        <h5>request</h5>
        ${showSide(request)}
      </section>
      <section aria-label="Response ${number}">
        <h5>response</h5>
        ${response === undefined ? html`<p>There was none.</p>` : showSide(response)}
      </section>
    </div>
  </details>`;
}

function firstLineOf(side: unknown): string {
  const { method, path, status } = wireSide(side) ?? {};
  return method === undefined ? String(status ?? "") : `${method} ${path ?? ""}`;
}

function showSide(side: unknown): Html {
  const wire = wireSide(side);
  if (!wire) return html`<pre tabindex="0">${prettyJson(side)}</pre>`;
  const { headers = {}, body, text, aborted } = wire;
  return html`<p>
      <code>${firstLineOf(side)}</code>${aborted && html` <strong class="bad">cut off: the client went away</strong>`}
    </p>
    ${showHeaders(headers)}
    <pre tabindex="0">${text === undefined ? showBody(body) : showText(text)}</pre>`;
}

function showHeaders(headers: Record<string, string>): Html | false {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  if (lines.length === 0) return false;
  return html`<details class="headers">
    <summary>${lines.length} ${lines.length === 1 ? "header" : "headers"}</summary>
    <pre tabindex="0">${lines}</pre>
  </details>`;
}

function wireSide(side: unknown): WireSide | undefined {
  const wire = (side ?? {}) as WireSide;
  return typeof wire.method === "string" || typeof wire.status === "number" ? wire : undefined;
}

function showBody(body: unknown): Html {
  return typeof body === "string" ? html`${body}` : prettyJson(body);
}

/** JSON is laid out; everything else is shown as it was written. */
function showText(text: string): Html {
  try {
    return prettyJson(JSON.parse(text));
  } catch {
    return html`${text}`;
  }
}
