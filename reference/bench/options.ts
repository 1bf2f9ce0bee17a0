// Reads the command line of a benchmark. What is wrong with it is said in one line, above the usage.

import { parseArgs } from "node:util";

type Asked = Record<string, { type: "string"; default: string } | { type: "boolean"; default: boolean }>;
type Given<O extends Asked> = { [Name in keyof O]: O[Name]["default"] extends boolean ? boolean : string };

/**
 * The options that were given. Where one is not known, or help was asked for, the process ends here, with code 2 or 0.
 * @param usage what to show then
 */
export function readOptions<O extends Asked>(usage: string, options: O): Given<O> {
  return readArguments(usage, 0, options).values;
}

/**
 * As `readOptions`, with words that are no options.
 * @param most how many of them there may be
 */
export function readArguments<O extends Asked>(
  usage: string,
  most: number,
  options: O,
): { given: string[]; values: Given<O> } {
  const { values, positionals: given } = parsed(usage, { ...options, help: { type: "boolean", default: false } }, most);
  const { help, ...rest } = values;
  if (given.length > most) refuse(usage, `Unexpected argument '${given[most]}'.`);
  if (!help) return { given, values: rest as Given<O> };
  console.log(usage);
  process.exit(0);
}

function parsed(usage: string, options: Asked, most: number) {
  try {
    return parseArgs({ options, allowPositionals: most > 0 });
  } catch (error) {
    refuse(usage, error instanceof Error ? error.message : String(error));
  }
}

/** Says what is wrong with the command line, and ends. */
export function refuse(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}

/** True for a list of whole numbers from 1, with commas between them. */
export function areWhole(list: string): boolean {
  return list.split(",").every((text) => /^[1-9][0-9]*$/.test(text));
}
