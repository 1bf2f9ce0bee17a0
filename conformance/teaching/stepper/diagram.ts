// Draws the state machine as a picture: every state and every transition, each with a name by which the page lights it up.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { edges, field, states } from "./machine.ts";

/** The picture, with nothing lit. The text beside it says the same, so it is hidden from screen readers. */
export function drawMachine(): Html {
  const { width, height } = field;
  return html`<svg class="machine" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">
    <defs>${marker("tip", 9)}${marker("lit-tip", 15)}</defs>
    ${Object.entries(edges).map(([edge, { when, path }]) => html`<path data-edge="${edge}" d="${path}"><title>${when}</title></path>`)}
    ${Object.entries(states).map(([name, { what, x, y }]) => drawState(name, what, x, y))}
  </svg>`;
}

function drawState(name: string, what: string, x: number, y: number): Html {
  const { width, height } = field.box;
  return html`<g data-state="${name}">
    <title>${what}</title>
    <rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="9" />
    <text x="${x}" y="${y}">${name}</text>
  </g>`;
}

function marker(id: string, size: number): Html {
  return html`<marker
    id="${id}"
    viewBox="0 0 8 8"
    refX="7"
    refY="4"
    markerUnits="userSpaceOnUse"
    markerWidth="${size}"
    markerHeight="${size}"
    orient="auto"
  >
    <path d="M 0 0 L 8 4 L 0 8 z" />
  </marker>`;
}
