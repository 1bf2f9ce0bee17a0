// Help fits a screen, whatever it is asked about, and a command that stands in a group is at the top as well.

import type { Command } from "commander";
import { expect, it } from "vitest";
import { makeProgram } from "./program.ts";

const program = makeProgram();
const groups = ["fixture", "session", "report", "suite", "driver"];

/** What `--help` prints on a screen of 80 columns. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (piece) => void (text += piece), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return text;
}

function named(parent: Command, name: string): Command {
  return parent.commands.find((command) => command.name() === name)!;
}

const all = [
  program,
  ...program.commands,
  ...groups.flatMap((group) => named(program, group).commands),
  ...named(program, "matrix").commands,
];

it.each(all.map((command) => [`${command.parent?.name() ?? ""} ${command.name()}`, command] as const))(
  "%s has a help of one screen",
  (_, command) => {
    const lines = helpOf(command).trimEnd().split("\n");
    expect(lines.length, lines.join("\n")).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  },
);

it("lists the commands of the first day, and the groups", () => {
  const listed = [...helpOf(program).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
  expect(listed).toEqual(
    ["probe", "test", "init", "eject", "record", "replay", "audit", "explain", "learn", "matrix"].concat(groups),
  );
});

it.each(["fixture", "session", "suite"])("each command of %s is at the top as well", (group) => {
  const afterUsage = (command: Command) => helpOf(command).replace(/^.*\n/, "");
  for (const command of named(program, group).commands)
    expect(afterUsage(named(program, command.name()))).toBe(afterUsage(command));
});

it("what a run certifies, and an old list, are at the top as well", () => {
  for (const name of ["coverage", "migrate"]) expect(named(program, name)).toBeDefined();
});
