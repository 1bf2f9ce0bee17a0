// Derives the variants of a case, and says which of them cannot be expressed and which a driver cannot run.

import { isDeepStrictEqual } from "node:util";
import type { Case, InitializeResult } from "../../../schemas/types.ts";
import type { ProviderCodec, ProviderName, Transport } from "../wire/codec.ts";
import { providerNames } from "../wire/provider-names.ts";
import { isStreamed } from "../wire/transport.ts";
import { transportsOf } from "../wire/transports.ts";
import type { ScriptStep } from "./script-step.ts";
import { isWireDriver } from "./wire-driver.ts";

/** A seam and, on the wire, a transport. */
export type Variant =
  | { name: "generic"; seam: "generic" }
  | { name: `${ProviderName}/${Transport}`; seam: ProviderName; transport: Transport };

/** Every provider there is. */
export const providers = providerNames;

/** Whether the answers of a variant come over the wire in pieces. */
export function isStreamedVariant(variant: Variant): boolean {
  return variant.seam !== "generic" && isStreamed(variant.transport);
}

/**
 * Whether a variant is over the transport of this name: `streamed` is every one that streams.
 * @see KIT-40
 */
export function isOver(variant: Variant, transport: Transport | "streamed"): boolean {
  return transport === "streamed"
    ? isStreamedVariant(variant)
    : variant.seam !== "generic" && variant.transport === transport;
}

/** Every variant there is, in the order in which they are reported. */
export const allVariants: readonly Variant[] = [
  { name: "generic", seam: "generic" },
  ...providers.flatMap((seam) =>
    transportsOf[seam].map(({ name }): Variant => ({ name: `${seam}/${name}`, seam, transport: name })),
  ),
];

/** The variants of a case: what its author left of them, and what its script can mean at all. */
export function variantsOf(source: Case): Variant[] {
  const { seams, transports: allowed, providers: named } = source.variants ?? {};
  const wireOnly = source.model.some(({ http, sse, writes, raw, reset }) =>
    [http, sse, writes, raw, reset].some((key) => key !== undefined),
  );
  const eventsOnly = source.model.some(({ sse }) => sse !== undefined);
  const streamOnly =
    eventsOnly ||
    (source.actions ?? []).some(({ when }) => when.after_parts !== undefined || when.after_writes !== undefined);
  return allVariants.filter((variant) => {
    if (variant.seam === "generic") return !wireOnly && !streamOnly && (seams?.includes("generic") ?? true);
    if (seams && !seams.includes("wire")) return false;
    if (streamOnly && !isStreamedVariant(variant)) return false;
    if (eventsOnly && variant.transport !== "sse") return false;
    return (allowed?.some((one) => isOver(variant, one)) ?? true) && (named?.includes(variant.seam) ?? true);
  });
}

/**
 * `true`, or why the script cannot be said on the variant.
 * @param conversation where the case has it kept
 */
export function canExpress(
  variant: Variant,
  script: readonly ScriptStep[],
  codec: ProviderCodec | undefined,
  conversation: Case["given"]["conversation"] = "stateless",
): true | string {
  if (conversation === "server" && !codec?.keepsConversations) return `${variant.seam} keeps no conversations`;
  for (const [index, step] of script.entries()) {
    const reason = expressible(variant, step, codec);
    if (reason !== true) return `model entry ${index + 1}: ${reason}`;
  }
  return true;
}

function expressible(variant: Variant, step: ScriptStep, codec: ProviderCodec | undefined): true | string {
  if (variant.seam === "generic") {
    const nameless =
      step.kind === "response" && step.response.parts.some((part) => "tool_call" in part && !part.tool_call.id);
    return nameless ? "a generic response cannot carry a call without an id" : true;
  }
  if (step.kind === "wire") {
    if (step.provider !== undefined && step.provider !== variant.seam)
      return `the fixture is traffic of ${step.provider}`;
    return step.transport === undefined || step.transport === variant.transport
      ? true
      : `the fixture is ${step.transport}`;
  }
  return codec!.canExpress(step.kind === "response" ? step.response : step.fault, variant.transport);
}

/** `true`, or what the driver would have to declare to run the variant. */
export function canRun(variant: Variant, source: Case, driver: InitializeResult): true | string {
  if (!driver.seams.includes(variant.seam)) return `the driver does not declare the seam ${variant.seam}`;
  if (variant.seam !== "generic" && !(driver.transports ?? []).includes(variant.transport)) {
    return `the driver does not declare the transport ${variant.transport}`;
  }
  // Which cases can be said to it is known by now.
  if (isWireDriver(driver)) return true;
  const missing = (source.features ?? []).filter((feature) => !(driver.features ?? []).includes(feature));
  if (missing.length > 0) return `the driver does not declare ${missing.join(", ")}`;
  const undeclared = [...policiesIn(source.expect)].filter((policy) => driver.policies?.[policy] === undefined);
  if (undeclared.length > 0) return `the driver declares no policy ${undeclared.join(", ")}`;
  const resumes = (source.actions ?? []).some(({ do: act }) => typeof act === "object" && act.resume);
  return resumes && !reports(driver, "result")
    ? "the driver does not report results, so it gives no snapshot to resume"
    : true;
}

/** Fields of the result that have a name of their own in `reports`. */
const shortNames: Readonly<Record<string, string>> = {
  ended: "result.status",
  text: "result.final_text",
  usage: "result.usage",
};

/**
 * Whether a driver reports something: `session`, `events`, `result`, or one field such as `result.status`. Who reports the whole
 * reports each of its fields. @see KIT-27
 */
export function reports({ reports: reported }: Pick<InitializeResult, "reports">, field: string): boolean {
  return (
    reported === undefined || reported.map(fullName).some((name) => field === name || field.startsWith(`${name}.`))
  );
}

/** What of an expectation is about fields that the driver reports; undefined if nothing is. */
export function reportedPart(expected: unknown, field: string, driver: Pick<InitializeResult, "reports">): unknown {
  if (expected === undefined || reports(driver, field)) return expected;
  const hasParts = driver.reports!.map(fullName).some((name) => name.startsWith(`${field}.`));
  if (!hasParts || typeof expected !== "object" || expected === null) return undefined;
  const parts = Object.entries(expected)
    .map(([key, value]) => [key, reportedPart(value, `${field}.${key}`, driver)] as const)
    .filter(([, value]) => value !== undefined);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** `usage.input_tokens` is `result.usage.input_tokens`. */
function fullName(reported: string): string {
  const [first = "", ...rest] = reported.split(".");
  return [shortNames[first] ?? first, ...rest].join(".");
}

/** What the case expects that the driver does not report: `ended` is the word for how the run ended. */
export function unreported({ expect }: Case, driver: InitializeResult): string[] {
  // What it is judged by the kit has seen.
  if (isWireDriver(driver)) return [];
  const { status, result, session, events } = expect;
  const missing: [name: string, isMissing: boolean][] = [
    ["ended", status !== undefined && !reports(driver, "result.status")],
    ["result", result !== undefined && !isDeepStrictEqual(reportedPart(result, "result", driver), result)],
    ["session", session !== undefined && !reports(driver, "session")],
    ["events", events !== undefined && !reports(driver, "events")],
  ];
  return missing.flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}

/** Features for which the kit sends notifications while the driver waits for an answer. */
const barrierFeatures = [
  "parallel",
  "cancel",
  "stop",
  "steering",
  "tool_progress",
  "session_lock",
  "runs_at_once",
  "switch_model",
  "clock.virtual",
];

/** Whether the driver can be sent a barrier: one that blocks until its callback is answered cannot. */
export function takesBarrier(driver: InitializeResult): boolean {
  return barrierFeatures.some((feature) => driver.features?.includes(feature));
}

function policiesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  const { $policy } = value as { $policy?: { name: string } };
  if ($policy) found.add($policy.name);
  for (const entry of Object.values(value)) policiesIn(entry, found);
  return found;
}
