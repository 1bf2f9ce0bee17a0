// What a page of the site is, and the parts that the site has.

import type { Html } from "../../reporters/html/markup.ts";
import type { Entry } from "../spec-page/contents.ts";

/** The parts, in the order of the bar, each with its first page and what it is. */
export const parts = {
  standard: {
    title: "Standard",
    first: "spec",
    about: "What a loop must do, sentence by sentence, each with its reason and what tests it.",
  },
  kit: {
    title: "Kit",
    first: "conformance/README",
    about: "Plays the model, the user and the network to a loop in any language.",
  },
  library: {
    title: "Library",
    first: "reference/README",
    about: "The loop itself: the reference, its plug-ins, examples.",
  },
  api: { title: "API", first: "api", about: "Every name that can be imported, with its declaration." },
  matrix: {
    title: "Matrix",
    first: "matrix",
    about: "Which loop gets it right? Every breach with the script that shows it.",
  },
  learn: {
    title: "Learn",
    first: "learn",
    about: "A tour of ten programs, and a track on which you write a loop yourself.",
  },
  stepper: {
    title: "Stepper",
    first: "step",
    about: "Every case, played and walked through, one transition at a time.",
  },
  quiz: {
    title: "Quiz",
    first: "quiz",
    about: "Something small is wrong in a run: which requirement is broken, and where?",
  },
} as const;

export type PartName = keyof typeof parts;

/** A page of the site. */
export interface SitePage {
  /** From the folder of the site. */
  path: string;
  title: string;
  /** What the contents call it; absent: its title. */
  short?: string;
  /** Links to the page as a whole name this anchor. */
  anchor: string;
  /** Absent: the first page. */
  part?: PartName;
  /** The label under which the contents of the part have it. */
  group?: string;
  /** The anchor of the page beside which, and beside whose other pages, the contents have it; absent: always. */
  parent?: string;
  /** The contents do not have it. */
  isUnlisted?: boolean;
  /** Links have the form `#anchor`, wherever the place is. */
  body: Html;
  /** Its sections, for the contents. */
  below?: Entry[];
  /** Absent: a text, in the frame of one. Otherwise the body brings its own header and `main`. */
  kind?: "matrix" | "walk" | "quiz";
  /** The script of its kind does not run. */
  isStill?: boolean;
  /** What stands in the footer beside what every page has. */
  footer?: Html;
}

/** A file of the site that is no page. */
export interface SiteFile {
  path: string;
  content: string;
}
