// Holds what a driver says of itself in the handshake against what the spec has, and what its agent-loop.json says.

import type { InitializeResult, Manifest } from "../../reference/types.ts";
import type { Catalogue } from "./catalogue.ts";
import { whichName } from "./nearest.ts";

/**
 * What is wrong with how a driver introduces itself, in one line; undefined if nothing is.
 * @param manifest its agent-loop.json, if it was found by one; what only one of the two says is no difference
 * @see DRIVER-17
 */
export function wrongIntroduction(
  handshake: InitializeResult,
  catalogue: Catalogue,
  manifest: Partial<Manifest> = {},
): string | undefined {
  return unknownName(handshake, catalogue) ?? difference(handshake, manifest);
}

/** A name that the spec does not have is a mistake that would hide behind `unsupported`. */
function unknownName({ features = [], policies = {} }: InitializeResult, catalogue: Catalogue): string | undefined {
  const feature = features.find((name) => !catalogue.features.has(name));
  if (feature !== undefined)
    return `it declares the feature ${feature}, which the spec does not have; ${whichName(feature, catalogue.features.keys())}`;
  const policy = Object.entries(policies).find(([name, value]) => !catalogue.policies.get(name)?.includes(value));
  return policy
    ? `it declares ${policy[1]} for the policy ${policy[0]}, which the spec does not have; see spec/policies.json`
    : undefined;
}

function difference({ implementation, features = [] }: InitializeResult, manifest: Partial<Manifest>) {
  const pairs = [
    ...(["name", "version", "language"] as const).map((key) => [key, manifest[key], implementation[key]] as const),
    ["features", manifest.features?.toSorted(), features.toSorted()] as const,
  ];
  for (const [key, written, said] of pairs) {
    const [left, right] = [JSON.stringify(written), JSON.stringify(said)];
    if (written !== undefined && left !== right)
      return `its agent-loop.json says ${key} ${left}, and its answer to initialize ${right}; make them agree`;
  }
  return undefined;
}
