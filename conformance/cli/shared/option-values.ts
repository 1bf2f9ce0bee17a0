// Parses the values of options that several commands have.

import { InvalidArgumentError } from "commander";

/** An option that may be repeated. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** A whole number from 1. */
export function positive(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError("expected a whole number from 1");
  return Number(value);
}

/** A whole number from 0. */
export function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("expected a whole number from 0");
  return Number(value);
}

/** A port; 0 is any that is free. */
export function port(value: string): number {
  if (!/^\d+$/.test(value) || Number(value) > 65_535) throw new InvalidArgumentError("expected a port from 0 to 65535");
  return Number(value);
}
