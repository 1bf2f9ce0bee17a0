// Says what went wrong with a command line, and with which exit code it ends.

import { CommanderError } from "commander";
import { UsageError } from "../../kit/base/usage-error.ts";

/** The errors of modules that are not loaded here, about what the user gave; their messages say what to do. */
const ofTheUser: ReadonlySet<string> = new Set([
  "FixtureError",
  "LoadError",
  "ProgressError",
  "ReportError",
  "StartError",
  "UnknownDriverError",
  "UnknownVersionError",
]);

/**
 * Prints an error on stderr; commander has printed its own already.
 * @returns 0 where only help was asked for, 2 for what the user gave, 3 for a bug of the kit, which alone has a stack
 */
export function reportError(error: unknown): 0 | 2 | 3 {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { name, message, stack } = error as Error;
  const isUsage = error instanceof UsageError || ofTheUser.has(name);
  console.error(isUsage ? message : `The kit failed; this is a bug of the kit.\n${stack}`);
  return isUsage ? 2 : 3;
}
