// Makes the handshake of a relay of those of its two drivers: it has what both have, and can be handed over.

import type { InitializeResult } from "../../../schemas/types.ts";
import { isHandedOver } from "./cases.ts";
import { reports } from "../suite/variant.ts";

/**
 * What a relay of two drivers can do.
 * @throws Error if one of them does not report what is handed over
 */
export function bothOf(first: InitializeResult, second: InitializeResult): InitializeResult {
  for (const driver of [first, second])
    for (const what of ["session", "result"] as const)
      if (!reports(driver, what)) {
        const { name } = driver.implementation;
        throw new Error(
          `${name} does not report its ${what}, so that no run of it can be handed over; see spec/kit/conformance.md`,
        );
      }
  const both = (key: "name" | "version" | "language") => `${first.implementation[key]} ⇄ ${second.implementation[key]}`;
  const features = shared(first.features, second.features).filter(isHandedOver);
  return {
    protocol: first.protocol,
    implementation: { name: both("name"), version: both("version"), language: both("language") },
    concurrency: Math.min(first.concurrency ?? 1, second.concurrency ?? 1),
    seams: shared(first.seams, second.seams),
    transports: shared(first.transports, second.transports),
    features,
    reports: ["session", "result"],
    policies: Object.fromEntries(
      Object.entries(first.policies ?? {}).filter(([name, value]) => second.policies?.[name] === value),
    ),
  };
}

function shared<Name>(left: readonly Name[] = [], right: readonly Name[] = []): Name[] {
  return left.filter((name) => right.includes(name));
}
