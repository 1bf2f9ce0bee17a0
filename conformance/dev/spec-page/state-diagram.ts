// Shows a state diagram as a list of its transitions, which can be read aloud, searched and printed.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";

/** A transition of a diagram, as Mermaid writes it. `[*]` is the start or the end. */
const transition = /^\s*(\S+) --> ([^\s:]+)(?:: (.*))?$/;

/**
 * A table of the transitions of a diagram.
 * @throws Error for a line that is no transition
 */
export function stateDiagram(source: string): Html {
  const [, ...lines] = source.split("\n");
  const rows = lines.map((line) => {
    const [, from, to, when] = transition.exec(line) ?? [];
    if (from === undefined || to === undefined)
      throw new Error(`"${line}" is no transition of a state diagram; expected: from --> to: when`);
    return html`<tr>
      <td>${state(from, "start")}</td>
      <td>${state(to, "end")}</td>
      <td>${when ?? ""}</td>
    </tr>`;
  });
  return html`<div class="scroll">
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
