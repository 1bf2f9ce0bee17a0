// Reads the scenarios, and chooses among them.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProbeScenario, RequirementSeverity } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { validate } from "../kit/base/validate.ts";
import { readYamlFile } from "../kit/suite/case-file.ts";
import type { LoadProblem } from "../kit/suite/case-file.ts";
import { LoadError } from "../kit/suite/suite.ts";
import { fitsPattern } from "./fits-pattern.ts";

/** A scenario, its name and its file. */
export interface NamedScenario {
  /** Its path below the scenarios, without `.yaml`. */
  name: string;
  file: string;
  scenario: ProbeScenario;
}

/** Which scenarios are wanted; absent: all. */
export interface ScenarioChoice {
  scenarios?: readonly string[];
  requires?: readonly string[];
  severities?: readonly RequirementSeverity[];
}

/**
 * Every scenario, in the order of their names.
 * @throws LoadError with every problem of every file
 */
export function readScenarios(folder = packagePath("conformance/probes")): NamedScenario[] {
  const problems: LoadProblem[] = [];
  const found = globSync("**/*.yaml", { cwd: folder })
    .sort()
    .flatMap((path) => {
      const file = join(folder, path);
      const read = readYamlFile<ProbeScenario>(file, readFileSync(file, "utf8"), (value) =>
        validate("ProbeScenario", value),
      );
      problems.push(...read.problems);
      return read.value
        ? [{ name: path.replace(/\.yaml$/, "").replaceAll("\\", "/"), file, scenario: read.value }]
        : [];
    });
  if (problems.length > 0) throw new LoadError(problems);
  return found;
}

/** Those that are wanted: by their name, by a requirement that they name, by how a user is hurt. */
export function chooseScenarios(all: readonly NamedScenario[], choice: ScenarioChoice): NamedScenario[] {
  const { scenarios, requires, severities } = choice;
  return named(all, scenarios).filter(
    ({ scenario }) =>
      (requires?.some((id) => scenario.expect.some(({ requirement }) => requirement === id)) ?? true) &&
      (severities?.some((severity) => severitiesOf(scenario).includes(severity)) ?? true),
  );
}

/** Those with a name; where it is nobody's, those whose name has it as a part, or fits it as a pattern with *. Absent: all. */
export function named<Named extends { name: string }>(
  all: readonly Named[],
  wanted: readonly string[] | undefined,
): Named[] {
  const names = new Set(all.map(({ name }) => name));
  const isWanted = (name: string) => wanted?.some((one) => (names.has(one) ? name === one : fits(one, name))) ?? true;
  return all.filter(({ name }) => isWanted(name));
}

/** Every way in which a user is hurt that a scenario can show. */
export function severitiesOf({ severity, expect }: ProbeScenario): RequirementSeverity[] {
  return [severity, ...expect.flatMap((one) => one.severity ?? [])];
}

function fits(pattern: string, name: string): boolean {
  return pattern.includes("*") ? fitsPattern(pattern, name) : name.includes(pattern);
}
