// Shows which behaviours were observed where several are right, beside what this specification does.

import { html } from "../markup.ts";
import type { Html } from "../markup.ts";
import type { PageData } from "../page-data.ts";

/** The policies of which something was seen. Several choices of one are no fault, and are shown as they are. */
export function showObserved({ observed }: PageData): Html {
  if (observed.length === 0)
    return html`<p class="quiet">No behaviour was observed of those that differ between loops.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Observed behaviours">
    <table>
      <thead>
        <tr>
          <th scope="col">policy</th>
          <th scope="col">question</th>
          <th scope="col">observed</th>
          <th scope="col">this specification</th>
        </tr>
      </thead>
      <tbody>
        ${observed.map(
          ({ policy, question, words, spec }) =>
            html`<tr>
              <th scope="row">${policy}</th>
              <td>${question}</td>
              <td>${words}</td>
              <td>${spec}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
