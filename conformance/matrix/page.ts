// Writes the matrix as one page to look at, in any browser, from a disk, without a network.

import { readFileSync } from "node:fs";
import type { Matrix } from "../../schemas/types.ts";
import { htmlDocument } from "../reporters/html/document.ts";
import { Html } from "../reporters/html/markup.ts";

/** The page, whole: style, script and data are in it. */
export function matrixPage(matrix: Matrix): string {
  const style = (name: string) => new URL(`style/${name}.css`, import.meta.url);
  return htmlDocument({
    title: "Which loop gets it right? · Agent Loop Spec",
    styles: ["filters", style("glance"), style("lists"), style("next"), style("evidence"), style("paper")],
    body: new Html(readFileSync(new URL("page.html", import.meta.url), "utf8")),
    // Beside a source lies a source, beside what was built what was built.
    script: new URL(`page/main${import.meta.url.slice(-3)}`, import.meta.url),
    data: matrix,
  });
}
