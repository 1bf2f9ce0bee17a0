// The quiz: a page that asks, and the puzzles in files of data that it loads when they are wanted.

import { html } from "../../reporters/html/markup.ts";
import type { Suite } from "../../kit/index.ts";
import { answerLines } from "../../teaching/quiz/answer.ts";
import { placeOf, rightAnswers } from "../../teaching/quiz/choices.ts";
import type { Puzzle } from "../../teaching/quiz/open-puzzle.ts";
import { puzzleLines } from "../../teaching/quiz/puzzle.ts";
import { codeOf } from "../../teaching/faults/faults.ts";
import type { SiteFile, SitePage } from "./site-page.ts";

/** Puzzles in one file. */
const perFile = 60;
/** As the terminal shows them: the same lines, of this width. */
const style = { color: false, columns: 96, most: 2 };

/** A puzzle as the page has it. */
export interface ShownPuzzle {
  code: string;
  /** What was given, what happened, and what the kit says. */
  report: string;
  requirements: { id: string; text: string }[];
  /** The requirements that are a right answer. */
  right: string[];
  places: readonly string[];
  place: string;
  answer: string;
}

/** The page, and its data. */
export function quizPages(puzzles: readonly Puzzle[]): { pages: SitePage[]; files: SiteFile[] } {
  const files = Array.from({ length: Math.ceil(puzzles.length / perFile) }, (_, at) => ({
    path: `quiz/puzzles-${at + 1}.js`,
    content: dataScript(puzzles.slice(at * perFile, (at + 1) * perFile).map(shown)),
  }));
  const codes = puzzles.map(({ fault }) => codeOf(fault)).join(" ");
  return { pages: [quizPage(codes)], files };
}

function quizPage(codes: string): SitePage {
  return {
    path: "quiz/index.html",
    title: "The quiz",
    anchor: "quiz",
    part: "quiz",
    kind: "quiz",
    body: html`<header>
        <h1>The quiz</h1>
        <p>
          Something small was changed in the reference, and one run is not as it must be. Which requirement is broken,
          and where is the fault?
        </p>
      </header>
      <main id="text" tabindex="-1" data-codes="${codes}" data-per-file="${perFile}">
        <noscript
          ><p>The quiz needs its script. In a terminal: <code>npx agent-loop-spec quiz</code></p></noscript
        >
        <p class="controls" hidden>
          <button type="button" id="another">Another puzzle</button> <span id="score" role="status"></span>
        </p>
        <div id="puzzle"></div>
      </main>`,
  };
}

function dataScript(puzzles: readonly ShownPuzzle[]): string {
  return `(globalThis.puzzles ??= []).push(...${JSON.stringify(puzzles)});\n`;
}

function shown({ fault, red, suite, requirements, places }: Puzzle): ShownPuzzle {
  return {
    code: codeOf(fault),
    report: linesOf(puzzleLines(fault, red, suite, style)).replace(/^.*\n\n/, ""),
    requirements: requirements.map((id) => ({ id, text: sentenceOf(id, suite) })),
    right: rightAnswers(fault, red),
    places,
    place: placeOf(fault),
    answer: linesOf(answerLines(fault, red, suite, false)),
  };
}

function sentenceOf(id: string, { catalogue }: Suite): string {
  return catalogue.requirements.get(id)!.text;
}

function linesOf(lines: Iterable<string>): string {
  return [...lines].join("\n");
}
