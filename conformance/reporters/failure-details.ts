// Shows a broken requirement, or a failed check, in full: the sentence of the spec, the place, the difference, the wire, and the command to repeat it.

import colors from "picocolors";
import type { WireExchange } from "../../schemas/types.ts";
import type { Failure, Suite, VariantResult } from "../kit/index.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { shownPath } from "../kit/base/display-path.ts";
import { counted } from "../kit/base/plural.ts";
import { caseOf } from "./outcome.ts";
import { extentOf, sentenceOf, titleOf } from "./requirements.ts";
import type { BrokenRequirement } from "./requirements.ts";
import { showDifference } from "./show-difference.ts";
import { visible } from "./visible.ts";

export type Paint = ReturnType<typeof colors.createColors>;
type Known = Pick<Suite, "cases" | "catalogue">;

/** Failures of one variant that are shown. */
const maxFailures = 4;
/** How much of a body on the wire is shown, in characters. */
const maxBody = 1500;

/** The lines without colours, for files. */
export function plainDetails(result: VariantResult, suite: Known): string {
  return [...failureDetails([result], suite, colors.createColors(false))].join("\n");
}

/** A broken requirement in full: what happened to the user, the sentence of the spec, and the variant that shows it best. */
export function* brokenDetails(broken: BrokenRequirement, suite: Known, paint: Paint): Generator<string> {
  const { id, requirement, example } = broken;
  const { result } = example;
  const { file } = caseOf(result.case, suite);
  yield paint.bold(paint.red(`✗ ${titleOf(broken)}:`)) + ` ${sentenceOf(broken)}`;
  if (requirement?.level === "essential") yield `  ${requirement.level_reason}`;
  yield* sentence(id, suite, paint);
  yield `  ${extentOf(broken)}, such as ${result.check} ${result.variant}`;
  if (file !== undefined) yield paint.cyan(`  ${file}:${result.line ?? 1}`);
  if (result.reason !== undefined) yield* indented(result.reason);
  yield* endLines(result, paint);
  const own = (result.failures ?? []).filter((failure) => (failure.requirement ?? result.requirement) === id);
  yield "";
  for (const failure of own.slice(0, maxFailures)) yield* failureLines(failure, paint);
  yield* wireLines({ ...result, failures: own }, paint);
  if (result.repro !== undefined) yield `  ${paint.dim("again:")} ${visible(result.repro)}`;
}

/** The error with which the run ended, which is why most else is as it is. */
function* endLines({ error }: VariantResult, paint: Paint): Generator<string> {
  if (error) yield `  ${paint.yellow("the run ended with error")} ${error.kind}: ${visible(error.message)}`;
}

/** A failed check in full: its first variant, and the outcome of the others. */
export function* failureDetails(results: readonly VariantResult[], suite: Known, paint: Paint): Generator<string> {
  const [result, ...others] = results as [VariantResult, ...VariantResult[]];
  const { title, file } = caseOf(result.case, suite);
  yield paint.bold(paint.red(`✗ ${result.check}`)) + ` ${result.variant}`;
  if (title !== undefined) yield `  ${title}`;
  if (file !== undefined) yield paint.cyan(`  ${file}:${result.line ?? 1}`);
  if (result.reason !== undefined) yield* indented(result.reason);
  yield* endLines(result, paint);
  let last: string | undefined;
  for (const failure of (result.failures ?? []).slice(0, maxFailures)) {
    yield "";
    if (failure.requirement !== undefined && failure.requirement !== last)
      yield* sentence(failure.requirement, suite, paint);
    last = failure.requirement;
    yield* failureLines(failure, paint);
  }
  const hidden = (result.failures?.length ?? 0) - maxFailures;
  if (hidden > 0) yield paint.dim(`  … ${counted(hidden, "more failure")} of this variant`);
  yield* wireLines(result, paint);
  for (const [outcome, same] of Map.groupBy(others, outcomeOf))
    yield paint.dim(
      `  ${outcome} on ${same.map(({ variant }) => variant).join(", ")}${outcome === outcomeOf(result) ? " too" : ""}`,
    );
  if (result.repro !== undefined) yield `  ${paint.dim("again:")} ${visible(result.repro)}`;
}

/** The outcome of a variant, as a verb phrase: variants with the same one are shown together. */
function outcomeOf({ verdict, failures }: VariantResult): string {
  return verdict === "fail" && failures?.[0] ? `fails with ${failures[0].code}` : verdict;
}

function* sentence(id: string, { catalogue }: Known, paint: Paint): Generator<string> {
  const requirement = catalogue.requirements.get(id);
  if (!requirement) return;
  yield `  ${paint.bold(id)} ${requirement.text} ${paint.dim(`${shownPath(packagePath(requirement.file))}:${requirement.line}`)}`;
}

function* failureLines({ code, message, expected, received }: Failure, paint: Paint): Generator<string> {
  const [first = "", ...rest] = visible(message).split("\n");
  yield `  ${paint.yellow(code)}: ${first}`;
  for (const text of rest) yield `  ${text}`;
  if (expected === undefined && received === undefined) return;
  yield `    ${paint.green("- expected")}  ${paint.red("+ received")}`;
  for (const text of showDifference(expected, received).map(visible)) {
    const color = text.startsWith("-") ? paint.green : text.startsWith("+") ? paint.red : String;
    yield `    ${color(text)}`;
  }
}

/** The exchange that the failure is about, or the last one; before a request too many the one whose answer led to it. */
function* wireLines({ exchanges = [], failures }: VariantResult, paint: Paint): Generator<string> {
  if (exchanges.length === 0) return;
  const [failure] = failures ?? [];
  const isTooMany = failure?.code === "unmatched_request" && typeof failure.received === "number";
  const named = isTooMany ? failure.received : /model request (\d+)/.exec(failure?.message ?? "")?.[1];
  const number = Math.max(1, Math.min(Number(named ?? exchanges.length), exchanges.length));
  if (isTooMany && number > 1) yield* exchangeLines(exchanges, number - 1, paint);
  yield* exchangeLines(exchanges, number, paint);
}

/** @param number counted from 1 */
function* exchangeLines(exchanges: readonly WireExchange[], number: number, paint: Paint): Generator<string> {
  const exchange = exchanges[number - 1]!;
  yield "";
  yield paint.dim(`  model request ${number} of ${exchanges.length}`);
  yield `  → ${cut(wireText(exchange.request))}`;
  if (exchange.response !== undefined) yield `  ← ${cut(wireText(exchange.response))}`;
}

function wireText(side: unknown): string {
  const { method, path, body, status, text } = side as {
    method?: string;
    path?: string;
    body?: unknown;
    status?: number;
    text?: string;
  };
  if (method !== undefined) return `${method} ${path} ${typeof body === "string" ? body : JSON.stringify(body)}`;
  if (status !== undefined && text !== undefined) return `${status} ${text.trimEnd().replaceAll("\n", "\n    ")}`;
  return JSON.stringify(side);
}

function indented(text: string): string[] {
  return visible(text)
    .split("\n")
    .map((line) => `  ${line}`);
}

function cut(text: string): string {
  const clean = visible(text);
  return clean.length <= maxBody ? clean : `${clean.slice(0, maxBody)} … (${clean.length} characters)`;
}
