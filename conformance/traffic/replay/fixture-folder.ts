// Which files a request may name: fixtures below one folder, and those of the command line. Nothing is said of any other.

import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { commandLine } from "../../kit/base/cli-name.ts";
import type { Fixture } from "../../../schemas/types.ts";
import { FixtureError, checkFixture } from "../fixture/fixture-file.ts";

/** A file that no request may open, whether it exists or not. */
export class ForbiddenFileError extends FixtureError {}

const mebibyte = 1024 * 1024;
const maxMebibytes = 64;

/** @see REPLAY-13, REPLAY-14 */
export class FixtureFolder {
  readonly #folder: string;
  readonly #sizes = new WeakMap<Fixture, number>();
  readonly #named: readonly string[];

  /** @param named files that may be opened wherever they are */
  constructor(folder: string, named: readonly string[] = []) {
    this.#folder = folder;
    this.#named = named.map((file) => resolve(folder, file));
  }

  /** How large the file was that a fixture was read from; 0 if it came from nowhere here. */
  sizeOf(fixture: Fixture): number {
    return this.#sizes.get(fixture) ?? 0;
  }

  /**
   * Reads a fixture for a request.
   * @throws ForbiddenFileError for a file that may not be opened, FixtureError for one that is no fixture; neither says what is in it
   */
  async read(path: string): Promise<Fixture> {
    const place = await this.#permitted(path);
    if (place === undefined)
      throw new ForbiddenFileError(
        `fixture: expected a .json file below the folder that the server was started in, or one of its command line, got ${JSON.stringify(path.slice(0, 200))}; send the fixture itself, or start the server where its fixtures are`,
      );
    const text = await contentOf(path, place);
    const fixture = fixtureOf(path, text);
    this.#sizes.set(fixture, text.length);
    return fixture;
  }

  /** Where the file really is, links followed, if it may be opened. */
  async #permitted(path: string): Promise<string | undefined> {
    if (path.includes("\0")) return undefined;
    const given = resolve(this.#folder, path);
    const [place, folder] = await Promise.all([realPlace(given), realPlace(this.#folder)]);
    if (isInside(folder, place) && place.endsWith(".json")) return place;
    const named = await Promise.all(this.#named.map(realPlace));
    return named.includes(place) ? place : undefined;
  }
}

/** The path without links, also of what does not exist. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPlace(parent), basename(path));
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function contentOf(path: string, place: string): Promise<string> {
  const file = await opened(path, place);
  try {
    const { size } = await statOf(file, path);
    if (size > maxMebibytes * mebibyte)
      throw new FixtureError(`${path} is larger than ${maxMebibytes} MiB; divide it into several fixtures`);
    // A file that grows meanwhile is read no further.
    return await textOf(file.createReadStream({ end: maxMebibytes * mebibyte, autoClose: false }));
  } finally {
    await file.close();
  }
}

async function opened(path: string, place: string): Promise<FileHandle> {
  try {
    // A pipe would wait for somebody who writes to it.
    return await open(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (thrown) {
    const { code = "unknown reason" } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new FixtureError(`there is no file ${path}`);
    throw new FixtureError(`${path.slice(0, 200)} cannot be read (${code})`);
  }
}

async function statOf(file: FileHandle, path: string): Promise<{ size: number }> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new FixtureError(`${path} is no regular file; name a file of JSON`);
  return stats;
}

/** What is no fixture at all may be anything, also what nobody should see: of it nothing is said. */
function fixtureOf(path: string, text: string): Fixture {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FixtureError(`${path} is not JSON; ${commandLine} serve ${path} says where`);
  }
  if (typeof value !== "object" || value === null || (value as Partial<Fixture>).fixture !== 1)
    throw new FixtureError(`${path} is not a fixture; ${commandLine} serve ${path} says why`);
  return checkFixture(path, value);
}
