// What an id can mean: the kinds of things that are explained, and what each has to say.

import type { Suite } from "../../kit/index.ts";

/** What is explained from. */
export interface Sources {
  suite: Suite;
  /** Whether examples and lists are shown in full. */
  isFull?: boolean;
}

/** One kind of thing that has names. */
export interface Kind {
  /** What a name of it is, as in "cancelled is a status of a run". */
  called: string;
  /** Every name of the kind. */
  names(sources: Sources): Iterable<string>;
  /** What there is to say of one of them: its first line begins with the name. */
  explain(name: string, sources: Sources): Iterable<string>;
}
