// Shows the evidence of a cell: what happened, the script, what went over the wire, the sentence of the requirement, and what repeats it.

import type { Matrix, MatrixCell, MatrixEvidence, MatrixRow, MatrixScript } from "../../../schemas/types.ts";
import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { severityWords, signs, versionOf } from "./view.ts";

/** What the dialog has for one cell. */
export function showEvidence(row: MatrixRow, id: string, matrix: Matrix, heading = "evidence-title"): Html {
  const cell = row.cells?.[id] ?? { outcome: "not_seen" as const };
  const requirement = matrix.requirements[id];
  const { word, sign } = signs[cell.outcome];
  const severity = severityWords.find((one) => one.severity === requirement?.severity);
  return html`<header>
      <p class="eyebrow">${row.title} ${versionOf(row)} · ${id}${severity && html` · ${severity.short}`}</p>
      <h2 id="${heading}">
        <span class="cell ${cell.outcome}" aria-hidden="true">${sign}</span> ${titleOf(cell, word)}
      </h2>
    </header>
    ${requirement && html`<p class="without">${withCode(requirement.without)}</p>`}
    ${requirement && html`<blockquote><code>${id}</code> ${withCode(requirement.text)}${requirement.at !== undefined && html` <small>${requirement.at}</small>`}</blockquote>`}
    ${cell.outcome === "unconfirmed" && html`<p class="note">No script shows this without the kit, so it is no accusation: the fault can be our driver's.</p>`}
    ${showCounts(cell)} ${showScripts(row, id, cell)} ${cell.evidence && showWire(cell.evidence)}`;
}

function titleOf({ outcome, sentence, reason }: MatrixCell, word: string): string {
  if (outcome === "broken" || outcome === "unconfirmed") return sentence ?? word;
  return reason === undefined ? word : `${word}: ${reason}`;
}

function showCounts({ kept = 0, broken = 0, providers = {} }: MatrixCell): Html | false {
  if (kept + broken === 0) return false;
  const each = Object.entries(providers).map(([provider, outcome]) => `${provider} ${signs[outcome].word}`);
  return html`<p class="quiet">Broken in ${broken} variants, kept in ${kept}. ${each.join(", ")}</p>`;
}

function showScripts(row: MatrixRow, id: string, { scripts = [], outcome }: MatrixCell): Html | false {
  if (scripts.length === 0) return false;
  return html`<section>
    <h3>Without our kit</h3>
    ${scripts.map(showScript)}
    ${
      outcome === "broken" &&
      html`<p class="quiet">The script as one file, in a report that is ready to be sent:</p>
        <pre tabindex="0">npx agent-loop-spec matrix issue ${row.id}/${id}</pre>`
    }
  </section>`;
}

function showScript({ file, shows, exit, output }: MatrixScript): Html {
  const end = exit === null ? "did not end in time" : `exit code ${exit}`;
  return html`<div class="script ${shows ? "broken" : "kept"}">
    <p><code>${file}</code> <small>${end}${shows ? ", as it must be for a breach" : ": it does not show it"}</small></p>
    ${output !== undefined && html`<p>${output}</p>`}
  </div>`;
}

function showWire(evidence: MatrixEvidence): Html {
  const { case: scene, variant, command, exchange, exchanges = [], left_out = 0, ended, more } = evidence;
  return html`<section>
    <h3>What the kit saw</h3>
    <p class="quiet">
      Case <code>${scene}</code> with
      <code>${variant}</code>.${ended !== undefined && html` The run ended with: ${ended}`}
    </p>
    ${left_out > 0 && html`<p class="quiet">${left_out} exchanges are left out.</p>`}
    ${exchanges.map(
      ({ number, request, response }, at) =>
        html`<details ${(exchange === undefined ? at === exchanges.length - 1 : number === exchange) && html` open`}>
          <summary>Model request ${number}${number === exchange && html` <b>shows it</b>`}</summary>
          <div class="sides">
            <div>
              <h4>what the loop sent</h4>
              <pre tabindex="0">${request}</pre>
            </div>
            <div>
              <h4>what the model said</h4>
              <pre tabindex="0">${response ?? "nothing"}</pre>
            </div>
          </div>
        </details>`,
    )}
    ${
      more !== undefined &&
      html`<details>
        <summary>What else was wrong in it</summary>
        <pre tabindex="0">${more}</pre>
      </details>`
    }
    <p>To repeat it:</p>
    <pre tabindex="0">${command}</pre>
  </section>`;
}
