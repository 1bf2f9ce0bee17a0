// The API reference: a page for each module that can be imported, and one for the options of a run.

import { optionTable, section } from "../api/api-page.ts";
import type { Entry } from "../api/api-page.ts";
import { html } from "../../reporters/html/markup.ts";
import { entryOf, placeOf } from "../spec-page/chapters.ts";
import { readMarkdown } from "../spec-page/markdown.ts";
import { prose } from "../spec-page/prose.ts";
import { counted } from "../spec-page/listed.ts";
import type { SpecData } from "../spec-page/spec-data.ts";
import type { SitePage } from "./site-page.ts";

/** The pages; of no modules, where nothing is built, the options alone. */
export function apiPages(modules: readonly Entry[], data: SpecData): SitePage[] {
  const options = page("options", "Options of a run", optionTable(), data);
  const own = modules.map((one) => {
    const [, text = ""] = section(one).split(/^## .*\n/);
    return page(one.specifier, one.specifier, text.replaceAll(/^### /gm, "## "), data);
  });
  const sizes = new Map(modules.map(({ specifier, exports }) => [specifier, counted(exports.length, "name")]));
  return [
    {
      path: "api/index.html",
      title: "API reference",
      anchor: "api",
      part: "api",
      body: html`<p>
          Every name that can be imported, with its declaration. What stands after <code>@see</code> is a sentence of
          <a href="#spec">the spec</a>, which a test holds the code to.
        </p>
        <ul>
          ${[options, ...own].map(
            ({ anchor, title }) =>
              html`<li>
                <a href="#${anchor}"><code>${title}</code></a> <small>${sizes.get(title) ?? ""}</small>
              </li> `,
          )}
        </ul>`,
    },
    options,
    ...own,
  ];
}

function page(name: string, title: string, text: string, data: SpecData): SitePage {
  // Beside the folder of the spec, as dist/ is: links of the text are meant from there.
  const file = `api/${name}.md`;
  const body = readMarkdown(text).children ?? [];
  return {
    path: `api/${name}.html`,
    ...entryOf({ file, title, body }),
    short: title.replace(/^[^/]*\//, "… /"),
    part: "api",
    group: name === "options" ? "" : "Modules",
    body: prose(body, placeOf(data, file)),
  };
}
