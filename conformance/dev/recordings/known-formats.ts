// The providers whose recordings are read: a folder for each, found by its name.

import { existsSync } from "node:fs";
import { providerNames } from "../../kit/wire/provider-names.ts";
import type { RecordedFormat } from "./recorded-format.ts";

const found = await Promise.all(
  providerNames.map(async (name) => {
    const file = new URL(`formats/${name}/index.ts`, import.meta.url);
    return existsSync(file) ? [[name, ((await import(file.href)) as { format: RecordedFormat }).format] as const] : [];
  }),
);

/** The formats of the providers of which there are recordings, by name. */
export const formats: Readonly<Record<string, RecordedFormat | undefined>> = Object.fromEntries(found.flat());
