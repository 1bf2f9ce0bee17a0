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
  /** The servers that it is about, where these are not the provider's own: who does not talk to them, does not need it. */
  dialect?: string;
  /** The last version of the suite in which the id said something else, and what. */
  until?: string;
  /** File of the spec, relative to the package. */
  file: string;
  line: number;
}

/** A point at which loops do differently what is defensible either way. The kit observes what a loop does there. */
export interface Policy {
  question: string;
  /** What a loop may do, by name, and what that means. */
  choices: Readonly<Record<string, string>>;
  /** What the loop of this spec does. */
  spec: string;
  /** The requirement that says so. Its level is not essential: who does it otherwise hurts nobody. */
  requirement: string;
  /** What shows it. */
  seen: string;
}

/** Everything that a case may name. */
export interface Catalogue {
  requirements: Map<string, Requirement>;
  /** What each feature means, by name. */
  features: Map<string, string>;
  /** The policies by name. */
  policies: Map<string, Policy>;
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
    policies: new Map(Object.entries(parsed<Record<string, Policy>>(policies))),
    source: [requirements, features, policies].join("\0"),
  };
}

function listOfRequirements(text: string): Requirement[] {
  const document = parsed<{ requirements?: Requirement[] } | Requirement[]>(text);
  return Array.isArray(document) ? document : (document.requirements ?? []);
}

function parsed<T>(text: string): T {
  return (text === "" ? {} : JSON.parse(text)) as T;
}
