// Shows everything that is known of one variant: what was wrong, what happened when, and what went over the wire.

import { showDifference } from "../difference.ts";
import { showEvents } from "../event-list.ts";
import { html, withCode } from "../markup.ts";
import type { Html } from "../markup.ts";
import type { PageCheck, PageData, PageFailure, PageResult } from "../page-data.ts";
import { showTimeline, timelineOf } from "../timeline.ts";
import { showTranscript } from "../transcript.ts";

export function showVariant(check: PageCheck, result: PageResult, data: PageData): Html {
  const { failures = [], exchanges = [], events = [], reason, shortened, repro } = result;
  return html`${reason !== undefined && html`<p class="reason">${reason}</p>`}
    ${failures.map((failure, index) => showFailure(failure, index + 1, check, data))}
    ${shortened && html`<p class="reason">The exchanges and events of this variant are left out, to keep the page small.${repro !== undefined && " The command below shows them."}</p>`}
    ${
      events.length > 0 &&
      html`<h4>Timeline</h4>
        ${showTimeline(timelineOf(events))}
        <details class="events">
          <summary>${events.length} events</summary>
          ${showEvents(events)}
        </details>`
    }
    ${
      exchanges.length > 0 &&
      html`<h4>Wire</h4>
        ${showTranscript(exchanges, concerned(failures, exchanges.length))}`
    }
    ${
      repro !== undefined &&
      html`<h4>Again</h4>
        <pre class="command" tabindex="0"><code>${repro}</code></pre>`
    }
    <p class="link"><a href="#${check.id}/${result.variant}">link to this variant</a></p>`;
}

function showFailure(
  { code, requirement, message, changes }: PageFailure,
  number: number,
  check: PageCheck,
  data: PageData,
): Html {
  const [first, ...rest] = message.split("\n");
  return html`<section class="failure" aria-label="Failure ${number}">
    <p><strong class="code">${code}</strong> ${first}</p>
    ${rest.length > 0 && html`<pre tabindex="0">${rest.join("\n")}</pre>`}
    ${requirement !== undefined && requirement !== check.requirement && showSentence(requirement, data)}
    ${changes && showDifference(changes)}
  </section>`;
}

/** A requirement and where it stands in the spec; nothing if the suite did not know it. */
export function showSentence(id: string, { requirements }: PageData): Html {
  const requirement = requirements[id];
  if (!requirement) return html``;
  return html`<p class="sentence">
    <b>${id}</b> ${withCode(requirement.text)} <span class="quiet">${requirement.at}</span>
  </p>`;
}

/** The number of the exchange that the first failure speaks of, else of the last one. */
function concerned([failure]: readonly PageFailure[], last: number): number {
  const said = /model request (\d+)/.exec(failure?.message ?? "")?.[1];
  const index = /expect\.requests\/(\d+)/.exec(failure?.message ?? "")?.[1];
  const number = said !== undefined ? Number(said) : index !== undefined ? Number(index) + 1 : last;
  return Math.min(number, last);
}
