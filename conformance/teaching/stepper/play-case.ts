// Plays a case against a driver, and reads its events as a trace.

import type { LoopEvent, Message, VariantResult } from "../../../schemas/types.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import type { Suite, SuiteCase } from "../../kit/suite/types.ts";
import { loadSuite } from "../../kit/suite/suite.ts";
import { runSuite } from "../../kit/run/runner.ts";
import { variantsOf } from "../../kit/suite/variant.ts";
import type { Trace } from "./trace.ts";

/** A case, and how it is played. */
export interface CasePlay {
  /** The id, and behind `#` a variant. Absent: the first one that the case has, which is `generic` if it can be. */
  name: string;
  /** A name, a folder with an agent-loop.json, or a command. */
  driver: string;
}

/**
 * The run of a case, from the events of a driver. The kit plays the other side, as in a test.
 * @throws UsageError if there is no such case, or the driver cannot run it
 */
export async function readCase({ name, driver }: CasePlay): Promise<Trace> {
  const suite = await loadSuite();
  const { entry, variant } = chosen(name, suite);
  const { report, startError } = await runSuite({
    driver,
    suite,
    select: { variants: [variant] },
    only: (selected) => selected.entry === entry && selected.variant.name === variant,
    knownFailures: null,
    details: "all",
    jobs: 1,
  });
  if (startError !== undefined) throw new UsageError(`The driver ${driver} did not start: ${startError}`);
  return traceOf(entry, report.variants[0]!, driver);
}

/**
 * What a driver did when it played a case.
 * @throws UsageError if it emitted no events
 */
export function traceOf(entry: SuiteCase, result: VariantResult, driver: string): Trace {
  const { given, title } = entry.case;
  const { variant } = result;
  const instructions = typeof given.instructions === "string" ? given.instructions : undefined;
  return {
    title: `${entry.id}: ${title}`,
    notes: [`Played by ${driver} on ${variant}: ${verdictOf(result)}`],
    before: beginOf(result, given.messages, instructions !== undefined),
    events: eventsOf(result, entry, variant, driver),
    ...requestsOf(result),
    ...(instructions !== undefined && { instructions }),
    ...(given.options && { options: given.options }),
  };
}

function chosen(name: string, { cases }: Suite): { entry: SuiteCase; variant: string } {
  const [id = "", wanted] = name
    .replace(/^conformance\/cases\//, "")
    .replace(/\.yaml(?=#|$)/, "")
    .split("#");
  const entry = cases.find((one) => one.id === id);
  if (!entry) {
    const near = cases.filter((one) => one.id.includes(id)).slice(0, 5);
    const advice = near.length > 0 ? `; do you mean ${near.map((one) => one.id).join(", ")}?` : "";
    throw new UsageError(`${name}: expected a file, or the id of a case, and there is neither${advice}`);
  }
  const variants = variantsOf(entry.case).map((variant) => variant.name as string);
  if (wanted === undefined || entry.case.requires.includes(wanted)) return { entry, variant: variants[0]! };
  if (variants.includes(wanted)) return { entry, variant: wanted };
  throw new UsageError(`${entry.id} has no variant ${wanted}; it has ${variants.join(", ")}`);
}

function eventsOf(
  { events = [], verdict, reason }: VariantResult,
  { id }: SuiteCase,
  variant: string,
  driver: string,
): LoopEvent[] {
  if (events.length > 0) return events.map(({ event }) => event);
  throw new UsageError(`${id} on ${variant} emitted no events when ${driver} played it: ${reason ?? verdict}`);
}

function verdictOf({ verdict, reason, failures = [] }: VariantResult): string {
  const messages = failures.map(({ message }) => message);
  return [verdict, ...(reason === undefined ? [] : [reason]), ...messages].join("; ");
}

/** What the session of the run began with: on the generic seam as it was sent, with the ids that the kit made. */
function beginOf({ exchanges = [] }: VariantResult, given: Message[], isInstructed: boolean): Message[] {
  const first = exchanges[0]?.request as { messages?: Message[]; method?: string } | undefined;
  if (!first?.messages || first.method !== undefined) return given;
  return first.messages.slice(isInstructed ? 1 : 0);
}

/** What was asked in each model call, if the attempts in the events account for every request. */
function requestsOf({ events = [], exchanges = [] }: VariantResult): Pick<Trace, "requests"> {
  const counts: { own: number; inside: number }[] = [];
  for (const { event } of events) {
    if (event.type === "model_start") counts.push({ own: 0, inside: 0 });
    const count = counts.at(-1);
    if (event.type === "attempt_start") count!.own += 1;
    if (count && event.type === "subagent_event") count.inside += attemptsIn(event.event);
  }
  const total = counts.reduce((sum, { own, inside }) => sum + own + inside, 0);
  if (total !== exchanges.length) return {};
  let at = 0;
  const requests = counts.map(({ own, inside }) => {
    const matching = exchanges.slice(at, at + own).map(({ request }) => request);
    at += own + inside;
    return matching;
  });
  return { requests };
}

function attemptsIn(event: LoopEvent): number {
  if (event.type === "subagent_event") return attemptsIn(event.event);
  return event.type === "attempt_start" ? 1 : 0;
}
