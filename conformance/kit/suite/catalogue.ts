// Reads what the spec and the suite know by name: requirements, features, policies and bugs.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RequirementLevel, RequirementSeverity } from "../../../schemas/types.ts";

/** A numbered sentence of the spec. */
export interface Requirement {
  id: string;
  /** The sentence, without its id. */
  text: string;
  why?: string;
  /** The feature that an implementation declares if it keeps the requirement; absent for core. */
  feature?: string;
  /** Why no case tests it. */
  untestable?: string;
  /** Whom it protects. */
  level: RequirementLevel;
  /** How a user is hurt where it is broken; only where it is essential. */
  severity?: RequirementSeverity;
  /** Why it has this level; of an essential one, what happens to the user. */
  level_reason: string;
  /** The real bug that made it necessary, a key of conformance/bugs.yaml. */
  bug?: string;
  /** File of the spec, relative to the package. */
  file: string;
  line: number;
}

/** Everything that a case may name. */
export interface Catalogue {
  requirements: Map<string, Requirement>;
  /** What each feature means, by name. */
  features: Map<string, string>;
  /** The values of each policy, by name. */
  policies: Map<string, string[]>;
  /** The bytes that it was read from, for cache keys. */
  source: string;
}

/** Reads the catalogue of a package. Files that are not there count as empty lists. */
export function readCatalogue(root: string): Catalogue {
  const text = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
  const requirements = text("spec/requirements.json");
  const features = text("spec/features.json");
  const policies = text("spec/policies.json");
  return {
    requirements: new Map(listOfRequirements(requirements).map((requirement) => [requirement.id, requirement])),
    features: new Map(Object.entries(parsed<Record<string, string>>(features))),
    policies: new Map(
      Object.entries(parsed<Record<string, unknown>>(policies)).map(([name, entry]) => [name, policyValues(entry)]),
    ),
    source: [requirements, features, policies].join("\0"),
  };
}

function listOfRequirements(text: string): Requirement[] {
  const document = parsed<{ requirements?: Requirement[] } | Requirement[]>(text);
  return Array.isArray(document) ? document : (document.requirements ?? []);
}

function policyValues(entry: unknown): string[] {
  if (Array.isArray(entry)) return entry as string[];
  const values = (entry as { values?: unknown }).values ?? {};
  return Array.isArray(values) ? (values as string[]) : Object.keys(values as object);
}

function parsed<T>(text: string): T {
  return (text === "" ? {} : JSON.parse(text)) as T;
}
