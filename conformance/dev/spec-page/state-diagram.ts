// Shows a state diagram as a list of its transitions, which can be read aloud, searched and printed.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";

/** A way from one state to another. `[*]` is the start or the end. */
export interface Transition {
  from: string;
  to: string;
  when?: string;
}

/** A transition of a diagram, as Mermaid writes it. */
const transition = /^\s*(\S+) --> ([^\s:]+)(?:: (.*))?$/;

/**
 * The transitions of a diagram, in their order.
 * @throws Error for a line that is no transition
 */
export function readTransitions(source: string): Transition[] {
  const [, ...lines] = source.split("\n");
  return lines.map((line) => {
    const [, from, to, when] = transition.exec(line) ?? [];
    if (from === undefined || to === undefined)
      throw new Error(`"${line}" is no transition of a state diagram; expected: from --> to: when`);
    return { from, to, ...(when !== undefined && { when }) };
  });
}

/**
 * A table of the transitions of a diagram.
 * @throws Error for a line that is no transition
 */
export function stateDiagram(source: string): Html {
  const rows = readTransitions(source).map(({ from, to, when }) => {
    return html`<tr>
      <td>${state(from, "start")}</td>
      <td>${state(to, "end")}</td>
      <td>${when ?? ""}</td>
    </tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Transitions">
    <table class="transitions">
      <thead>
        <tr>
          <th scope="col">from</th>
          <th scope="col">to</th>
          <th scope="col">when</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div> `;
}

function state(name: string, outside: string): Html {
  return name === "[*]" ? html`<em>${outside}</em>` : html`<code>${name}</code>`;
}
