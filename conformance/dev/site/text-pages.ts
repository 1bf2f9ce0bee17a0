// The pages of texts outside the spec, and of the files that texts name.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { anchors } from "../spec-page/anchors.ts";
import { entryOf, placeOf } from "../spec-page/chapters.ts";
import { prose } from "../spec-page/prose.ts";
import type { Chapter, SpecData } from "../spec-page/spec-data.ts";
import type { PartName, SitePage } from "./site-page.ts";

/** The page of a text, in the folder in which the project has it. */
export function pathOf(file: string): string {
  return file.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
}

/** The first page of a part has no folder of its own on the disk of the project. */
const folders: [prefix: string, part: PartName, group: string][] = [
  ["conformance/teaching/", "learn", "The tour"],
  ["conformance/matrix/", "matrix", ""],
  ["conformance/peers/", "matrix", ""],
  ["reference/", "library", ""],
  ["", "kit", ""],
];

/** Where a text belongs. */
export function partOf(file: string): { part: PartName; group: string } {
  const [, part, group] = folders.find(([prefix]) => file.startsWith(prefix))!;
  return { part, group };
}

/** The page of a text. */
export function textPage(chapter: Chapter, data: SpecData): SitePage {
  const { file, title, body } = chapter;
  return {
    path: pathOf(file),
    ...entryOf(chapter),
    title,
    ...partOf(file),
    body: html`${prose(body, placeOf(data, file))}${tourProgram(file, data)}`,
  };
}

/** Below a step of the tour stands its program. */
function tourProgram(file: string, { files }: SpecData): Html | false {
  const program = file.replace(/README\.md$/, "main.ts");
  return (
    /\/tour\/\d\d-/.test(file) &&
    files.has(program) &&
    html`<p>
      The whole program: <a href="#${anchors.file(program)}"><code>main.ts</code></a>
    </p>`
  );
}

/** The page of a file that is shown as it is. */
export function filePage([path, text]: [path: string, text: string]): SitePage {
  return {
    path: `files/${path}.html`,
    title: path,
    anchor: anchors.file(path),
    ...partOf(path),
    isUnlisted: true,
    body: html`<pre tabindex="0"><code>${text}</code></pre>`,
  };
}
