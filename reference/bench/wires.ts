// The providers that are measured: a file for each, found by its name.

import { readdirSync } from "node:fs";
import type { MeasuredWire } from "./measured-wire.ts";
import type { Wire } from "./turn-script.ts";

const folder = new URL("wires/", import.meta.url);

/** Their names. */
export const wires = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -".ts".length) as Wire)
  .sort();

const found = wires.map(async (name) => {
  const { wire } = (await import(new URL(`${name}.ts`, folder).href)) as { wire: MeasuredWire };
  return [name, wire] as const;
});

/** Each by its name. */
export const measured = Object.fromEntries(await Promise.all(found)) as Record<Wire, MeasuredWire>;
