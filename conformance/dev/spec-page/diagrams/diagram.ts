// Turns a diagram of the spec, in Mermaid's language, into a picture: the page of the spec needs no program and no network to show it.

import { html } from "../../../reporters/html/markup.ts";
import type { Html } from "../../../reporters/html/markup.ts";
import { readTransitions, stateDiagram } from "../state-diagram.ts";
import { flowchart } from "./flow.ts";
import { sequenceDiagram } from "./sequence.ts";
import { statePicture } from "./states.ts";
import { timeline } from "./timeline.ts";

/** The kinds of diagrams, by the word with which the source begins. */
const kinds: Readonly<Record<string, (source: string) => Html>> = {
  sequenceDiagram,
  gantt: timeline,
  flowchart,
  "stateDiagram-v2": (source) => html`${statePicture(readTransitions(source))}${stateDiagram(source)}`,
};

/**
 * The picture of a diagram.
 * @throws Error for a kind that nobody draws, and for a line that its kind does not have
 */
export function diagram(source: string): Html {
  const [kind = ""] = source.trim().split(/\s/);
  const draw = kinds[kind];
  if (!draw) throw new Error(`nobody draws "${kind}"; known: ${Object.keys(kinds).join(", ")}`);
  return draw(source);
}
