// Derives the variants of a case, and says which of them cannot be expressed and which a driver cannot run.

import type { Case, InitializeResult } from "../../../schemas/types.ts";
import type { ProviderCodec, ProviderName, Transport } from "../wire/codec.ts";
import type { ScriptStep } from "./script-step.ts";

/** A seam and, on the wire, a transport. */
export type Variant =
  | { name: "generic"; seam: "generic" }
  | { name: `${ProviderName}/${Transport}`; seam: ProviderName; transport: Transport };

export const providers: readonly ProviderName[] = ["anthropic-messages", "openai-chat", "openai-responses"];
export const transports: readonly Transport[] = ["json", "sse"];

/** Every variant there is, in the order in which they are reported. */
export const allVariants: readonly Variant[] = [
  { name: "generic", seam: "generic" },
  ...providers.flatMap((seam) =>
    transports.map((transport): Variant => ({ name: `${seam}/${transport}`, seam, transport })),
  ),
];

/** The variants of a case: what its author left of them, and what its script can mean at all. */
export function variantsOf(source: Case): Variant[] {
  const { seams, transports: allowed, providers: named } = source.variants ?? {};
  const wireOnly = source.model.some(({ http, sse, writes, raw, reset }) =>
    [http, sse, writes, raw, reset].some((key) => key !== undefined),
  );
  const streamOnly =
    source.model.some(({ sse }) => sse !== undefined) ||
    (source.actions ?? []).some(({ when }) => when.after_parts !== undefined || when.after_writes !== undefined);
  return allVariants.filter((variant) => {
    if (variant.seam === "generic") return !wireOnly && !streamOnly && (seams?.includes("generic") ?? true);
    if (seams && !seams.includes("wire")) return false;
    if (streamOnly && variant.transport === "json") return false;
    return (allowed?.includes(variant.transport) ?? true) && (named?.includes(variant.seam) ?? true);
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
  const missing = (source.features ?? []).filter((feature) => !(driver.features ?? []).includes(feature));
  if (missing.length > 0) return `the driver does not declare ${missing.join(", ")}`;
  const undeclared = [...policiesIn(source.expect)].filter((policy) => driver.policies?.[policy] === undefined);
  if (undeclared.length > 0) return `the driver declares no policy ${undeclared.join(", ")}`;
  const resumes = (source.actions ?? []).some(({ do: act }) => typeof act === "object" && act.resume);
  return resumes && !reports(driver, "result")
    ? "the driver does not report results, so it gives no snapshot to resume"
    : true;
}

/** Whether a driver reports something. */
export function reports(driver: InitializeResult, what: "session" | "events" | "result"): boolean {
  return driver.reports === undefined || driver.reports.includes(what);
}

/** What the case expects that the driver does not report; such a case is never passed. */
export function unreported(source: Case, driver: InitializeResult): string[] {
  const { status, result, session, events } = source.expect;
  const needed = {
    result: status !== undefined || result !== undefined,
    session: session !== undefined,
    events: events !== undefined,
  };
  return (["result", "session", "events"] as const).filter((what) => needed[what] && !reports(driver, what));
}

/** Features for which the kit sends notifications while the driver waits for an answer. */
const barrierFeatures = [
  "parallel",
  "cancel",
  "stop",
  "steering",
  "tool_progress",
  "session_lock",
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
