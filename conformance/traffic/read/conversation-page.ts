// A conversation as a page: the same entries as in the terminal, and below them what was recorded, in the look of the report.

import type { Exchange } from "../../../schemas/types.ts";
import { fixtureAnswer } from "../../kit/wire/fixture-bytes.ts";
import { htmlDocument } from "../../reporters/html/document.ts";
import { showEvents } from "../../reporters/html/event-list.ts";
import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { showTimeline, timelineOf } from "../../reporters/html/timeline.ts";
import { showTranscript } from "../../reporters/html/transcript.ts";
import type { ShownExchange } from "../../reporters/html/transcript.ts";
import type { Entry } from "./entries.ts";
import type { Shown } from "./shown.ts";

/** The whole document; it loads nothing. */
export function conversationPage(file: string, shown: Shown, entries: readonly Entry[]): string {
  const why = shown.type === "Fixture" && shown.value.why !== undefined && html`<p>${shown.value.why}</p>`;
  return htmlDocument({
    title: file,
    styles: ["results", "runs", "conversation"],
    body: html`<main>
      <h1>${file}</h1>
      ${why}
      <h2>Conversation</h2>
      ${entries.map(showEntry)} ${recorded(shown)}
    </main>`,
  });
}

function showEntry({ kind, text, aside }: Entry): Html {
  const small = aside !== undefined && html` <small>${aside}</small>`;
  if (kind === "heading") return html`<h4>${text}${small}</h4>`;
  return html`<div class="said ${kind}">
    <span>${kind === "note" ? "" : kind}</span>
    <pre>${text}${small}</pre>
  </div>`;
}

/** What the entries were read from, to be opened. */
function recorded(shown: Shown): Html | undefined {
  if (shown.type === "Fixture")
    return html`<h2>On the wire</h2>
      ${showTranscript(shown.value.exchanges.map(shownExchange))}`;
  if (shown.type !== "Event") return undefined;
  const events = shown.value.map((event) => ({ event }));
  return html`<h2>Timeline</h2>
    ${showTimeline(timelineOf(events))}
    <h2>Events</h2>
    ${showEvents(events)}`;
}

function shownExchange({ request, response }: Exchange): ShownExchange {
  const { status, headers, writes } = fixtureAnswer(response);
  const text = writes.map((write) => write.text).join("");
  return { request: request ?? {}, response: { status, headers, text } };
}
