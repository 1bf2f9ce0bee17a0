// The sentences that a complete version of the spec froze, and whether the chapters still say them.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Requirement } from "../kit/suite/catalogue.ts";
import { coreRequirements } from "./part-page.ts";

/** What one version froze. */
export interface Frozen {
  version: string;
  /** Each sentence under its id. */
  sentences: Record<string, string>;
}

/** What a version freezes: the sentences of the core, as they are now. */
export function frozen(version: string, requirements: Iterable<Requirement>): Frozen {
  return {
    version,
    sentences: Object.fromEntries(coreRequirements(requirements).map(({ id, text }) => [id, text])),
  };
}

/** Every version that is frozen: the files of `spec/stable`. None before the first one. */
export function readFrozen(root: string): Frozen[] {
  const folder = join(root, "spec/stable");
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Frozen);
}

/**
 * Where the chapters break the promise of a version: a frozen sentence is gone, or says something else without `Until:`.
 * One line each.
 */
export function stableMistakes(versions: readonly Frozen[], requirements: ReadonlyMap<string, Requirement>): string[] {
  return versions.flatMap(({ version, sentences }) =>
    Object.entries(sentences).flatMap(([id, sentence]) => {
      const now = requirements.get(id);
      if (now === undefined) return [`${id} was frozen in ${version} and is gone; an id is never taken away`];
      if (now.text === sentence || isKept(now, version, sentence)) return [];
      return [
        `${now.file}:${now.line}: ${id} was frozen in ${version} as "${sentence}"; write the new sentence under a new id, or "Until: ${version}. ${sentence}" below it`,
      ];
    }),
  );
}

/** Whether the line `Until:` has the sentence of that version. */
function isKept({ until }: Requirement, version: string, sentence: string): boolean {
  return until === `${version}. ${sentence}`;
}
