// Makes the site: every page that the project has anywhere, with links between them, one search and one frame.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry as ApiModule } from "../api/api-page.ts";
import { readMatrix } from "../../matrix/matrix-file.ts";
import { linkModules } from "../../reporters/html/link-modules.ts";
import { everyPuzzle } from "../../teaching/quiz/open-puzzle.ts";
import type { Puzzle } from "../../teaching/quiz/open-puzzle.ts";
import { walkScript, walkStyles } from "../../teaching/stepper/page.ts";
import { root } from "../schema-files.ts";
import { Relations } from "../spec-page/relations.ts";
import { readSpec } from "../spec-page/spec-data.ts";
import { Addresses } from "./addresses.ts";
import { apiPages } from "./api-pages.ts";
import { brokenLinks } from "./broken-links.ts";
import { firstPage } from "./first-page.ts";
import { framed } from "./frame.ts";
import { learnPages } from "./learn-pages.ts";
import { matrixData, matrixPages } from "./matrix-pages.ts";
import { quizPages } from "./quiz-pages.ts";
import { searchIndex } from "./search-index.ts";
import type { SiteFile, SitePage } from "./site-page.ts";
import { standardPages } from "./standard-pages.ts";
import { filePage, textPage } from "./text-pages.ts";
import { reachedTexts } from "./texts.ts";
import { walkPages } from "./walk-pages.ts";
import type { Traces } from "./walk-pages.ts";

/** What takes time to make, or needs a build. */
export interface SiteParts {
  /** What the reference did in each case that has a page. */
  traces: Traces;
  /** The modules that can be imported. */
  modules: readonly ApiModule[];
  puzzles?: readonly Puzzle[];
}

/**
 * The files of the site, by their paths from its folder. The same for the same project.
 * @throws Error that lists every link that leads nowhere
 */
export async function makeSite({ traces, modules, puzzles }: SiteParts): Promise<Map<string, string>> {
  const quiz = quizPages(puzzles ?? (await everyPuzzle()));
  const matrix = readMatrix(join(root, "conformance/matrix/matrix.json"));
  const pages = [...(await textsOfSite(traces, modules)), ...matrixPages(matrix), ...quiz.pages];
  const addresses = new Addresses(pages);
  const index = searchIndex(pages);
  const indexes = index.map(({ path }) => path);
  const framedPages = pages.map((page): SiteFile => ({
    path: page.path,
    content: framed(page, pages, addresses, indexes),
  }));
  const files = [...framedPages, ...quiz.files, matrixData(matrix), ...index, ...assets()];
  const site = new Map(files.map(({ path, content }) => [path, content]));
  const broken = brokenLinks(site);
  if (broken.length > 0) throw new Error(`The site has broken links:\n${broken.join("\n")}`);
  return site;
}

async function textsOfSite(traces: Traces, modules: readonly ApiModule[]): Promise<SitePage[]> {
  const spec = await readSpec();
  const { texts, files } = reachedTexts(
    [spec.readme, ...spec.chapters, ...spec.decisions],
    ["README.md", "conformance/README.md", "reference/README.md"],
  );
  const data = { ...spec, files: new Map([...spec.files, ...files]), texts: new Set(texts.map(({ file }) => file)) };
  const relations = new Relations(data);
  const readme = texts.find(({ file }) => file === "README.md")!;
  return [
    firstPage(readme, data),
    ...standardPages(data, relations, new Set(traces.keys())),
    ...(await learnPages(data, data)),
    ...texts.filter((text) => text !== readme).map((text) => textPage(text, data)),
    ...apiPages(modules, data),
    ...walkPages(data.cases, traces, new Set(data.catalogue.requirements.keys())),
    ...[...data.files].map(filePage),
  ];
}

/** Styles, scripts and the picture: one shared style, and one for each kind of page. */
function assets(): SiteFile[] {
  const html = (name: string) => new URL(`../../reporters/html/style/${name}.css`, import.meta.url);
  const spec = (name: string) => new URL(`../spec-page/style/${name}.css`, import.meta.url);
  const matrix = (name: string) => new URL(`../../matrix/style/${name}.css`, import.meta.url);
  const own = (name: string) => new URL(`style/${name}.css`, import.meta.url);
  const style = (path: string, ...parts: URL[]) => ({
    path,
    content: parts.map((part) => readFileSync(part, "utf8")).join(""),
  });
  const script = (path: string, entry: URL) => ({ path, content: `(() => {\n${linkModules(entry)}})();\n` });
  return [
    style("style.css", html("theme"), html("base"), own("site")),
    style("text.css", spec("text"), spec("paper"), own("text-page")),
    style("walk.css", ...walkStyles.map(html)),
    style(
      "matrix.css",
      html("filters"),
      ...["glance", "lists", "next", "evidence", "paper"].map(matrix),
      own("matrix-page"),
    ),
    style("quiz.css", own("quiz")),
    script("site.js", new URL("page/main.ts", import.meta.url)),
    script("walk.js", walkScript),
    script("matrix.js", new URL("../../matrix/page/main.ts", import.meta.url)),
    script("quiz.js", new URL("page/quiz.ts", import.meta.url)),
    style("matrix.svg", new URL("../../matrix/matrix.svg", import.meta.url)),
  ];
}
