// Makes the vectors for writing requests: a generic request, and what the body for a provider must have.

import type { ModelRequest } from "../../../schemas/types.ts";
import type { ProviderName, Transport } from "../wire/codec.ts";
import { fillCase } from "../suite/fill-case.ts";
import type { FilledCase } from "../suite/fill-case.ts";
import { idKeys } from "../base/matcher.ts";
import { replayModel } from "../suite/script.ts";
import type { SuiteCase } from "../suite/types.ts";
import { vectorSeed } from "./seed.ts";
import { providers, variantsOf } from "../suite/variant.ts";

/** A generic request, and what its body must have. */
export interface RenderVector {
  /** Unique in the file. */
  id: string;
  requirement: string;
  provider: ProviderName;
  /** How the answer is asked for. Absent where it makes no difference. */
  transport?: Transport;
  request: ModelRequest;
  /** Holds matchers; the body may have more. */
  expect: unknown;
}

/** What a case may give so that its first request follows from it alone. */
const plainKeys = new Set(["messages", "instructions", "tools", "handlers", "settings", "model"]);

/** The first requests of the cases that are about the body of one. */
export function renderVectors(cases: readonly SuiteCase[]): RenderVector[] {
  return cases
    .filter(({ case: { given, features = [] } }) => {
      const isPlain = features.every((feature) => feature === "settings");
      return isPlain && Object.keys(given).every((key) => plainKeys.has(key));
    })
    .flatMap((entry) => providers.flatMap((provider) => renderVector(entry, provider)));
}

function renderVector({ id, case: source }: SuiteCase, provider: ProviderName): RenderVector[] {
  const filled = fillCase(source, vectorSeed, id);
  const bodies = filled.case.expect.wire?.[provider];
  const body = Array.isArray(bodies) ? (bodies[0] as unknown) : undefined;
  if (body === undefined || !saysSomething(body)) return [];
  const expect = withIds(body, filled.bindings);
  // A name that nothing given stands for binds to what comes; that takes the kit's own matcher.
  if (hasName(expect)) return [];
  const transports = variantsOf(source).flatMap((one) => (one.seam === provider ? [one.transport] : []));
  const vector = { id: `${id} ${provider}`, requirement: source.requires[0]!, provider };
  const only = transports.length === 1 && { transport: transports[0]! };
  return [{ ...vector, ...only, request: requestOf(filled), expect }];
}

/** Some cases are about a later request, and expect of the first one only that it exists. */
function saysSomething(expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return false;
  return Object.entries(expected).some(([key, value]) =>
    typeof value === "object" ? saysSomething(value) : !["role", "type", "$any"].includes(key),
  );
}

/** What the loop asks the model first. */
function requestOf({ case: { given } }: FilledCase): ModelRequest {
  const { instructions, messages, tools = [], model = replayModel, settings } = given;
  return {
    messages: [
      ...(instructions === undefined ? [] : [{ role: "system" as const, content: instructions }]),
      ...messages,
    ],
    tools,
    model,
    ...(settings && { settings }),
  };
}

/** The expectation with the ids that the `$names` of the case stand for. */
function withIds(value: unknown, bindings: ReadonlyMap<string, string>, key = ""): unknown {
  if (typeof value === "string")
    return (idKeys.has(key) && value.startsWith("$") ? bindings.get(value.slice(1)) : undefined) ?? value;
  if (Array.isArray(value)) return value.map((entry) => withIds(entry, bindings));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withIds(entry, bindings, name)]));
}

function hasName(value: unknown, key = ""): boolean {
  if (typeof value === "string") return idKeys.has(key) && value.startsWith("$") && !value.startsWith("$$");
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, entry]) => hasName(entry, name));
}
