// Fixtures as files: read with clear words about what is wrong with them, and written so that no half of one is ever left.

import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Fixture } from "../../reference/types.ts";
import { describeProblems, validate } from "../kit/validate.ts";

/** A file that is no fixture. The message names the file, what was expected, what came and what to do. */
export class FixtureError extends Error {
  override readonly name = "FixtureError";
}

/**
 * Reads a fixture.
 * @throws FixtureError if there is no such file, or if it is not JSON or not a fixture
 * @see FIXTURE-1
 */
export async function readFixture(file: string): Promise<Fixture> {
  return parseFixture(file, await textOf(file));
}

/** The fixture that a text is. @throws FixtureError */
export function parseFixture(file: string, text: string): Fixture {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new FixtureError(`${file}: expected a fixture in JSON, but ${(thrown as Error).message}`);
  }
  const problems = validate("Fixture", value);
  if (problems.length === 0) return value as Fixture;
  throw new FixtureError(`${file} is not a fixture (schemas/fixture.schema.json):\n${describeProblems(problems)}`);
}

/**
 * Writes a fixture, and the folders that it needs. Whoever reads the file meanwhile sees the old one or the new one, whole.
 * @throws FixtureError if the value is not a fixture; then nothing is written
 */
export async function writeFixture(file: string, fixture: Fixture): Promise<void> {
  const problems = validate("Fixture", fixture);
  if (problems.length > 0) throw new FixtureError(`${file} was not written: ${describeProblems(problems)}`);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `.${randomUUID()}.draft`);
  try {
    await writeFile(draft, fixtureText(fixture));
    await rename(draft, file);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
}

/** A fixture as it stands in a file. */
export function fixtureText(fixture: Fixture): string {
  return `${JSON.stringify(fixture, null, 2)}\n`;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw new FixtureError(code === "ENOENT" ? `there is no file ${file}` : `${file} cannot be read: ${message}`);
  }
}
