// Makes one file of a page: style, script and data inside, nothing loaded from anywhere, and no other script allowed to run.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { linkModules } from "./link-modules.ts";
import { html } from "./markup.ts";
import type { Html } from "./markup.ts";

/** What a page is made of. */
export interface Page {
  title: string;
  /** Names of files in `style/`, without those that every page has; or other files. */
  styles: (string | URL)[];
  body: Html;
  /** The module that runs when the page is loaded. Absent: nothing runs. */
  script?: URL;
  /** What the script finds in the element `data`. */
  data?: unknown;
}

/** The whole document. It works from a disk, without a network. */
export function htmlDocument({ title, styles, body, script, data }: Page): string {
  const style = ["theme", "base", ...styles]
    .map((name) => readFileSync(name instanceof URL ? name : new URL(`style/${name}.css`, import.meta.url), "utf8"))
    .join("");
  const code = script === undefined ? "" : linkModules(script);
  const policy = [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    `script-src '${hash(code)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const head = html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>${title}</title>`;
  return `<!doctype html>
<html lang="en">
<head>
${head.text}
<style>${style}</style>
</head>
<body>
${body.text}
${data === undefined ? "" : `<script type="application/json" id="data">${inertJson(data)}</script>`}
${code === "" ? "" : `<script type="module">${code}</script>`}
</body>
</html>
`;
}

/** JSON without the character with which markup begins: no string in it can end the element that it stands in. */
function inertJson(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
