// Checks the body of a request against the rules of a provider, offline.

import type { ProviderName } from "../../kit/wire/codec.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { providers } from "../../kit/suite/variant.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { goodHeaders } from "../fixture/kept-headers.ts";

/** The provider of this name. Throws if there is none. */
export function providerNamed(name: string): ProviderName {
  const provider = providers.find((one) => one === name);
  if (provider === undefined) throw new UsageError(`--provider ${name} is not known; known: ${providers.join(", ")}`);
  return provider;
}

/**
 * Prints each rule that the request breaks: its id, what is wrong, what the provider asks, and where that is documented. Rules about
 * headers, and about what an earlier response said, are not applied.
 * @returns whether it breaks none
 */
export function validateRequest(file: string, body: unknown, provider: ProviderName): boolean {
  const { rules, checkRequest } = codecs[provider];
  const breaches = checkRequest(body, goodHeaders);
  for (const { rule: id, requirement, message, status } of breaches) {
    const rule = rules.find((one) => one.id === id);
    console.log(`${file}: ${id}: ${message}`);
    if (rule === undefined) continue;
    console.log(`  ${rule.statement} (${requirement}, status ${status})`);
    if (rule.note !== undefined) console.log(`  ${rule.note}`);
    console.log(`  ${rule.docs}${rule.undocumented ? " (says nothing of it)" : ""}`);
    for (const { where, on } of rule.seen ?? []) console.log(`  seen to be refused: ${where} (${on})`);
  }
  if (breaches.length === 0) console.log(`${file}: a request that keeps the rules of ${provider}`);
  return breaches.length === 0;
}
