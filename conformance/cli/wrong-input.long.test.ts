// Every option and argument of every command, once with what is wrong: exit code 2, and what to do, without a stack.

import { readdirSync, rmSync } from "node:fs";
import type { Argument, Command, Option } from "commander";
import { afterAll, beforeAll, afterEach, expect, it, vi } from "vitest";
import { makeProgram } from "./program.ts";
import { reportError } from "./shared/report-error.ts";
import { wrongInput } from "./testing/wrong-input.ts";

const { folder, report, table } = wrongInput();
const codeBefore = process.exitCode;
beforeAll(async () => {
  const one = ["--case", "stop/end-turn-text", "--variant", "generic", "--shard", "1/1"];
  await makeProgram().parseAsync(["test", "--driver", "reference", ...one, "--reporter", `json=${report}`], {
    from: "user",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = codeBefore;
});

/** A command of commander's own list, with the words that call it. What is in a group as well is called as at the top. */
interface Named {
  words: string[];
  command: Command;
}

/** All of them; what is at the top and in a group as well is there once. */
function* commandsOf(parent: Command, words: string[] = []): Generator<Named> {
  for (const command of parent.commands) {
    const own = [...words, command.name()];
    if (command.commands.length > 0) yield* commandsOf(command, own);
    if (words.length === 0 || !isAtTheTop(command)) yield { words: own, command };
  }
}

/** The same command, and not another one of the same name. */
function isAtTheTop(command: Command): boolean {
  const other = program.commands.find((one) => one.name() === command.name());
  return other?.description() === command.description();
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const program = makeProgram();
const all = [...commandsOf(program)];
const given = all.flatMap(({ words, command }) =>
  command.registeredArguments.map((argument) => `${words.join(" ")} ${termOf(argument)}`),
);
const optionsThat = (are: (option: Option) => boolean) =>
  all.flatMap(({ words, command }) => command.options.filter(are).map(({ long }) => ({ words, long: long!, command })));
const valued = optionsThat(takesValue);
const switches = optionsThat((option) => !takesValue(option));
const nameOf = ({ words, long }: { words: string[]; long: string }) => `${words.join(" ")} ${long}`;

/** What a command line prints and how it ends, in this process. */
async function run(args: readonly string[]): Promise<{ code: number; printed: string }> {
  let printed = "";
  const keep = (text: unknown) => void (printed += String(text));
  const keepLine = (text: unknown = "") => void (printed += `${String(text)}\n`);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => (keep(text), true));
  vi.spyOn(console, "error").mockImplementation(keepLine);
  vi.spyOn(console, "log").mockImplementation(keepLine);
  process.exitCode = undefined;
  vi.stubEnv("CI", ""); // where some options are refused altogether
  try {
    await makeProgram().parseAsync([...args], { from: "user" });
  } catch (error) {
    process.exitCode = reportError(error);
  }
  return { code: Number(process.exitCode ?? 0), printed };
}

/** Says in few lines what to do, and starts nothing; one of `said` is in it. */
async function expectRefusal(args: readonly string[], said: readonly string[]): Promise<void> {
  const before = readdirSync(folder);
  const { code, printed } = await run(args);
  expect([code, printed]).toEqual([2, expect.any(String)]);
  expect(
    said.some((text) => printed.includes(text)),
    printed,
  ).toBe(true);
  expect(printed).toMatch(/\S/);
  expect(printed).not.toMatch(/^ {4}at |bug of the kit/m);
  expect(printed.trimEnd().split("\n").length, printed).toBeLessThanOrEqual(3);
  expect(readdirSync(folder)).toEqual(before);
}

it("the table has each option and argument, and nothing else", () => {
  expect(Object.keys(table).toSorted()).toEqual([...given, ...valued.map(nameOf)].toSorted());
});

it.each(Object.entries(table))("%s is refused where it is wrong", async (name, wrong) => {
  if ("never" in wrong) return expect(wrong.never).toMatch(/\S/);
  const words = all.map((one) => one.words).filter((one) => name.startsWith(`${one.join(" ")} `));
  const [called] = words.toSorted((one, other) => other.length - one.length);
  // It says which one is wrong: the option by what was given for it.
  const term = name.slice(called!.join(" ").length + 1);
  const named = term.startsWith("--") ? [term, wrong[wrong.lastIndexOf(term) + 1]!.replace(/^\w+=/, "")] : [""];
  await expectRefusal([...called!, ...wrong], named);
});

// An option whose value may be left out, as in `--page`, is no mistake without one.
it.each(
  valued
    .filter(({ command, long }) => command.options.some((one) => one.long === long && one.required))
    .map((one) => [nameOf(one), one] as const),
)("%s is refused without its value", async (_, { words, long }) => await expectRefusal([...words, long], [long]));

it.each(switches.map((one) => [nameOf(one), one] as const))(
  "%s is refused with a value",
  async (_, { words, long, command }) => {
    const needed = command.options.filter(({ mandatory }) => mandatory).flatMap((option) => [option.long!, "x"]);
    await expectRefusal([...words, ...needed, `${long}=yes`], [long]);
  },
);

it("a command that is none is refused, with the one that was meant", async () => {
  await expectRefusal(["tset"], ["test"]);
});
