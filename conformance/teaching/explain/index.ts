// Explains whatever has a name: everything that the name means, one explanation for each.

import { commandLine } from "../../kit/base/cli-name.ts";
import { nearest } from "../../kit/base/suggest-name.ts";
import { bugKind } from "./bug.ts";
import { chapterKind } from "./chapter.ts";
import { caseKind } from "./case.ts";
import { eventKind } from "./event.ts";
import { faultKind } from "./fault.ts";
import { featureKind } from "./feature.ts";
import type { Kind, Sources } from "./kind.ts";
import { messageKind } from "./message.ts";
import { profileKind } from "./profile.ts";
import { protocolMessageKind } from "./protocol-message.ts";
import { requirementKind } from "./requirement.ts";
import { ruleKind } from "./rule.ts";
import { fieldKind, typeKind, valueKind, wordKind } from "./schema-names.ts";
import { termKind } from "./term.ts";
import { listKind, wordKinds } from "./word.ts";

/** Everything that can be explained, in the order in which the meanings of one name are shown. */
export const kinds: readonly Kind[] = [
  requirementKind,
  caseKind,
  bugKind,
  ruleKind,
  featureKind,
  ...wordKinds,
  eventKind,
  messageKind,
  protocolMessageKind,
  termKind,
  typeKind,
  listKind,
  profileKind,
];

/** What is explained only if nothing else has the name: reading the faults takes long, and fields have everybody's names. */
export const otherKinds: readonly Kind[] = [chapterKind, faultKind, fieldKind, valueKind, wordKind];

/** One meaning of a name. */
export interface Meaning {
  /** What it is, as in "a status of a run". */
  called: string;
  /** What there is to say; the first line begins with the name. */
  lines: string[];
}

/** Everything that a name means; empty if nothing has it. Upper case, `-`, `_` and spaces make no difference. */
export function meaningsOf(id: string, sources: Sources): Meaning[] {
  const found = kinds.flatMap((kind) => meaningIn(kind, id, sources));
  return found.length > 0 ? found : otherKinds.flatMap((kind) => meaningIn(kind, id, sources));
}

function meaningIn(kind: Kind, id: string, sources: Sources): Meaning[] {
  const wanted = comparable(bare(id));
  const name = [...kind.names(sources)].find((one) => comparable(one) === wanted);
  return name === undefined ? [] : [{ called: kind.called, lines: spaced([...kind.explain(name, sources)]) }];
}

/** No two blank lines together, and none at the end. */
function spaced(lines: readonly string[]): string[] {
  return lines.filter((line, at) => line !== "" || (lines[at - 1] !== "" && at < lines.length - 1));
}

/** What to say of a name that nothing has: the nearest ones, or how to see what there is. */
export function unknownName(id: string, sources: Sources): string {
  const names = new Set([...kinds, ...otherKinds].flatMap((kind) => [...kind.names(sources)]));
  const near = nearest(bare(id), [...names], comparable);
  const advice =
    near.length > 0
      ? `do you mean ${near.join(", ")}?`
      : `see what there is with: ${commandLine} list requirements, list cases, list features, list rules`;
  return `${id || '""'} is the name of no requirement, case, bug, rule, feature, status, event, term, profile, type or field; ${advice}`;
}

/** A case is also found by its file or its check, what is in an agent-loop.json by its name. */
function bare(id: string): string {
  return id
    .replace(/^conformance\/cases\//, "")
    .replace(/\.yaml$/, "")
    .replace(/#.*$/, "")
    .replace(/^(?:.*\/)?agent-loop\.json$/, "Manifest");
}

function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]+/g, "_");
}
