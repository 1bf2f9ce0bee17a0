// Lists the events of a run, one per line, each with its fields and its time.

import { html } from "./markup.ts";
import type { Html } from "./markup.ts";
import type { TimedEvent } from "./timeline.ts";

export function showEvents(events: readonly TimedEvent[]): Html {
  const isTimed = events.some(({ at_ms }) => at_ms !== undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Events">
    <table class="events">
      <thead>
        <tr>
          ${isTimed && html`<th scope="col" class="number">ms</th>`}
          <th scope="col">event</th>
          <th scope="col">says</th>
        </tr>
      </thead>
      <tbody>
        ${events.map((event) => row(event, isTimed))}
      </tbody>
    </table>
  </div>`;
}

function row({ at_ms, event: { type, ...fields } }: TimedEvent, isTimed: boolean): Html {
  return html`<tr>
    ${isTimed && html`<td class="number">${at_ms?.toFixed(1)}</td>`}
    <td>${type}</td>
    <td><code>${JSON.stringify(fields)}</code></td>
  </tr>`;
}
