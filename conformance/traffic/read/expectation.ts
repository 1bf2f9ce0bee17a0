// Checks the model traffic of a program against a file of expectations, in the language of cases.

import { isAtLeast } from "../../../reference/support/money.ts";
import type { Exchange, Expectation } from "../../../schemas/types.ts";
import { lineOf, readYamlFile } from "../../kit/suite/case-file.ts";
import type { CaseProblem } from "../../kit/suite/lint/problem.ts";
import { checkMatchers } from "../../kit/suite/lint/expectations.ts";
import { namesInExpectation } from "../../kit/suite/fill-case.ts";
import { match, matcherOf } from "../../kit/base/matcher.ts";
import type { MatchContext, Mismatch } from "../../kit/base/matcher.ts";
import { validate } from "../../kit/base/validate.ts";
import { readText } from "../../kit/base/read-json.ts";
import { UsageError } from "../../kit/base/usage-error.ts";
import { observeTraffic } from "./observed-traffic.ts";
import type { ObservedTraffic } from "./observed-traffic.ts";
import { shown } from "./shown-value.ts";

/** An expectation that was not met, and where it stands. */
export interface Unmet extends Mismatch {
  file: string;
  line: number;
}

/**
 * Reads a file of expectations.
 * @returns what finds every place in which traffic is not as expected
 * @throws UsageError that names every problem of the file with its line
 * @see REPLAY-11
 */
export function readExpectation(file: string): (exchanges: Exchange[]) => Promise<Unmet[]> {
  const text = readText(file);
  const { value, problems } = readYamlFile<Expectation>(file, text, expectationProblems);
  if (value === undefined)
    throw new UsageError(
      problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n"),
    );
  return async (exchanges) => {
    const mismatches = compare(value, await observeTraffic(exchanges, value.prices));
    return mismatches.map((mismatch) => ({ ...mismatch, file, line: lineOf(text, mismatch.path) }));
  };
}

/** An expectation that was not met, in lines for a person. */
export function unmetLines({ file, line, path, message, expected, received }: Unmet): string[] {
  return [
    `${file}:${line}: ${path} ${message}`,
    `    - expected  ${shown(expected)}`,
    `    + received  ${shown(received)}`,
  ];
}

/** What is wrong with a file of expectations. No driver declares a policy here. */
export function expectationProblems(read: unknown): CaseProblem[] {
  const invalid = validate("Expectation", read);
  if (invalid.length > 0) return invalid;
  const { prices: _prices, ...values } = read as Expectation;
  const single = [...namesInExpectation(values)].filter(([, count]) => count === 1);
  return [
    ...checkMatchers(values, "", { policies: new Map() }),
    ...single.map(([name]) => ({
      pointer: "",
      message: `$${name} is used only once, so that it checks nothing; write { $any: true }, or a literal $ as $$`,
    })),
  ];
}

function compare(expected: Expectation, { unpriced, ...seen }: ObservedTraffic): Mismatch[] {
  const context: MatchContext = { bindings: new Map(), policies: {} };
  const { tools, requests, request_count, wire = {}, result, budget } = expected;
  const checked = (path: string, wanted: unknown, received: unknown): Mismatch[] =>
    wanted === undefined ? [] : match(wanted, received, context, path);
  return [
    ...checked("/tools", named(tools), seen.tools),
    ...checked("/requests", requests, seen.requests),
    ...checked("/request_count", request_count, seen.requests.length),
    ...Object.entries(wire).flatMap(([provider, bodies]) =>
      checked(`/wire/${provider}`, bodies, seen.wire[provider] ?? []),
    ),
    ...checked("/result", result, seen.result),
    ...(budget === undefined ? [] : checkBudget(budget, seen.result.cost, unpriced)),
  ];
}

function checkBudget(budget: string, cost: string | null, unpriced: readonly string[]): Mismatch[] {
  const path = "/budget";
  if (cost === null) {
    const message = `cannot be checked: the tokens of ${unpriced.join(", ")} were not counted, or have no price; say it under prices`;
    return [{ path, expected: budget, received: null, message }];
  }
  if (isAtLeast(budget, cost)) return [];
  return [{ path, expected: budget, received: cost, message: "is less than the model calls cost" }];
}

/** Entries of a list, also inside a matcher, that are the name of a tool, as the object that they are short for. */
function named(tools: unknown): unknown {
  if (typeof tools === "string") return { name: tools };
  if (Array.isArray(tools)) return tools.map(named);
  const matcher = matcherOf(tools);
  return matcher && listMatchers.has(matcher.name) ? { [matcher.name]: named(matcher.operand) } : tools;
}

const listMatchers: ReadonlySet<string> = new Set(["$contains", "$unordered", "$exact", "$not"]);
