// Help that fits a screen: first what most people need, and the rest on demand.

import { Help } from "commander";
import type { Command, HelpConfiguration } from "commander";

const first = new WeakMap<Command, ReadonlySet<string>>();

/** Of a command with many options, help shows these; `--help --all` shows all. The names are those of its attributes, such as `knownFailures`. */
export function showFirst(command: Command, ...options: string[]): void {
  const known = new Set(command.options.map((option) => option.attributeName()));
  const odd = options.find((name) => !known.has(name));
  if (odd !== undefined) throw new Error(`${command.name()} has no option ${odd}; it has ${[...known].join(", ")}`);
  first.set(command, new Set(options));
  const more = command.options.length - options.length;
  command.addHelpText("after", () => (wantsAll() ? "" : `\n${more} more options: --help --all`));
}

/** The heading over the commands that have commands of their own. */
export const groupHeading = "More, each with commands of its own:";

/** What help of the program lists, beside its groups. */
const everyday = ["probe", "test", "init", "eject", "record", "replay", "audit", "explain", "learn", "matrix"];

/** How every command formats its help. */
export const screenHelp: HelpConfiguration = {
  // Words are not torn on a narrow terminal: what explains an option stays a column beside it.
  minWidthToWrap: 10,
  visibleOptions(command) {
    if (command.parent === null) return [];
    const names = first.get(command);
    const all = new Help().visibleOptions(command);
    if (names === undefined || wantsAll()) return all;
    return all.filter((option) => names.has(option.attributeName()) || option.long === "--help");
  },
  visibleCommands(command) {
    const all = new Help().visibleCommands(command).filter((each) => each.name() !== "help");
    if (command.parent !== null || wantsAll()) return all;
    const groups = all.filter((each) => each.helpGroup() === groupHeading);
    return [...everyday.map((name) => all.find((each) => each.name() === name)!), ...groups];
  },
  subcommandTerm: (command) => (command.parent?.parent === null ? command.name() : new Help().subcommandTerm(command)),
};

function wantsAll(): boolean {
  return process.argv.includes("--all");
}
