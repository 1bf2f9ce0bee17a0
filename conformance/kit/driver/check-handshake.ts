// Checks a driver's handshake against the names that the spec defines, and against its agent-loop.json.

import type { InitializeResult, Manifest } from "../../../schemas/types.ts";
import type { Catalogue } from "../suite/catalogue.ts";
import { isExtension } from "../base/extension-name.ts";
import { whichName } from "../base/suggest-name.ts";

/** What is wrong with an introduction, in one line, and which requirement it breaks. */
export interface WrongIntroduction {
  requirement: "DRIVER-1" | "DRIVER-2" | "DRIVER-17";
  message: string;
}

/**
 * What is wrong with how a driver introduces itself; undefined if nothing is.
 * @param manifest its agent-loop.json, if it was found by one; what only one of the two says is no difference
 */
export function wrongIntroduction(
  handshake: InitializeResult,
  catalogue: Catalogue,
  manifest: Partial<Manifest> = {},
): WrongIntroduction | undefined {
  return unknownName(handshake, catalogue) ?? wrongLevel(handshake) ?? difference(handshake, manifest);
}

/** In what a driver that was started again introduces itself otherwise than at first; undefined if in nothing. @see KIT-42 */
export function changedIntroduction(first: InitializeResult, again: InitializeResult): string | undefined {
  const content = (handshake: InitializeResult, key: string) =>
    JSON.stringify(handshake[key as keyof InitializeResult], (_, value: unknown) =>
      Array.isArray(value) ? value.toSorted() : value,
    );
  const key = Object.keys({ ...first, ...again }).find((one) => content(first, one) !== content(again, one));
  if (key === undefined) return undefined;
  return `it says ${key} ${content(again, key)} where it said ${content(first, key)} when it was started first`;
}

/** A name that the spec does not have is a mistake that would hide behind `unsupported`. */
function unknownName(
  { features = [], policies = {} }: InitializeResult,
  catalogue: Catalogue,
): WrongIntroduction | undefined {
  const feature = features.find((name) => !catalogue.features.has(name) && !isExtension(name));
  if (feature !== undefined) {
    const known = whichName(feature, catalogue.features.keys());
    const message = `it declares the feature ${feature}, which the spec does not define; ${known}`;
    return { requirement: "DRIVER-2", message };
  }
  const policy = Object.entries(policies).find(([name, value]) => !choicesOf(catalogue, name).includes(value));
  if (!policy) return undefined;
  const message = `it declares ${policy[1]} for the policy ${policy[0]}, which the spec does not define; see spec/policies.json`;
  return { requirement: "DRIVER-1", message };
}

function choicesOf({ policies }: Catalogue, name: string): string[] {
  return Object.keys(policies.get(name)?.choices ?? {});
}

/** What stands beside a level, or lacks it, is a mistake that would hide behind `not-applicable`. */
function wrongLevel({
  level,
  seams,
  transports = [],
  features = [],
  verbs,
  models = {},
}: InitializeResult): WrongIntroduction | undefined {
  const wrong = (message: string) => ({ requirement: "DRIVER-1", message }) as const;
  const stray = Object.keys(models).find((seam) => !(seams as string[]).includes(seam));
  if (stray !== undefined) return wrong(`it names a model for the seam ${stray}, which it does not declare`);
  if (level === undefined) return verbs ? wrong('it offers verbs, which belong to "level": "wire"') : undefined;
  if (seams.includes("generic")) return wrong("its level is wire, but it declares the seam generic; leave that out");
  if (transports.length === 0)
    return wrong("its level is wire, but it declares no transports; say which of json, sse and the others it speaks");
  if (features.length === 0) return undefined;
  return wrong(
    `its level is wire, but it declares the feature ${features[0]}; what it offers beside run stands in verbs`,
  );
}

function difference(
  { implementation, features = [] }: InitializeResult,
  manifest: Partial<Manifest>,
): WrongIntroduction | undefined {
  const pairs = [
    ...(["name", "version", "language"] as const).map((key) => [key, manifest[key], implementation[key]] as const),
    ["features", manifest.features?.toSorted(), features.toSorted()] as const,
  ];
  for (const [key, written, declared] of pairs) {
    const [left, right] = [JSON.stringify(written), JSON.stringify(declared)];
    if (written === undefined || left === right) continue;
    const message = `its agent-loop.json says ${key} ${left}, and its answer to initialize ${right}; make them agree`;
    return { requirement: "DRIVER-17", message };
  }
  return undefined;
}
