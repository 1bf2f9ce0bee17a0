// Reads fields of a foreign file, and reports where one does not have the expected type.

import { FixtureError } from "../fixture/fixture-file.ts";

/** An object of the file, and where it stands. */
export class Fields {
  readonly #value: Record<string, unknown>;
  readonly #where: string;

  constructor(value: unknown, where: string) {
    if (!isObject(value)) throw new FixtureError(`${where}: expected an object, got ${shown(value)}`);
    this.#value = value;
    this.#where = where;
  }

  /** The value as it is; undefined where it is absent. */
  raw(name: string): unknown {
    return this.#value[name] ?? undefined;
  }

  get names(): string[] {
    return Object.keys(this.#value);
  }

  text(name: string): string {
    return this.#expect(name, "a text", (value) => typeof value === "string");
  }

  number(name: string): number {
    return this.#expect(name, "a number", (value) => typeof value === "number");
  }

  /** A date, in milliseconds since 1970. */
  date(name: string): number {
    return Date.parse(this.#expect(name, "a date", (value) => !Number.isNaN(Date.parse(String(value)))));
  }

  object(name: string): Fields {
    return new Fields(this.#value[name], `${this.#where}, ${name}`);
  }

  /** The objects of a list. */
  list(name: string): Fields[] {
    const list: unknown[] = this.#expect(name, "a list", Array.isArray);
    return list.map((value, at) => new Fields(value, `${this.#where}, ${name} ${at + 1}`));
  }

  #expect<T>(name: string, what: string, holds: (value: unknown) => boolean): T {
    const value = this.#value[name];
    if (holds(value)) return value as T;
    throw new FixtureError(`${this.#where}, ${name}: expected ${what}, got ${shown(value)}`);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 80);
}
