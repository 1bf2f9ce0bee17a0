// Everything that may meet in a run. What looks at each tool or call stands behind what adds them.

import type { Ingredient } from "../draft.ts";
import { agents } from "./agents.ts";
import { calls } from "./calls.ts";
import { contents } from "./contents.ts";
import { meanwhile } from "./meanwhile.ts";
import { onlookers } from "./onlookers.ts";
import { options } from "./options.ts";
import { responses } from "./responses.ts";

export const ingredients: readonly Ingredient[] = [
  ...calls,
  ...agents,
  ...responses,
  ...contents,
  ...options,
  ...onlookers,
  ...meanwhile,
];
