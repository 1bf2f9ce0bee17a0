// Shows the files that say as data what the text says: the tables, and the schemas of everything that crosses a seam.

import { html, withCode } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchors } from "./anchors.ts";

/** Every file, closed. */
export function dataList(files: ReadonlyMap<string, string>): Html {
  return html`${[...files].map(
    ([path, text]) =>
      html`<details class="group" id="${anchors.file(path)}">
        <summary>
          <h3>${path}</h3>
          ${withCode(about(text))}
        </summary>
        <pre><code>${text}</code></pre>
      </details> `,
  )}`;
}

function about(text: string): string {
  const { description } = JSON.parse(text) as { description?: string };
  return description ?? "";
}
