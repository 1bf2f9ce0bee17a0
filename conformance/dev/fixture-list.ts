// Reads the fixtures of the project, and lists them for fixtures/README.md.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Fixture } from "../../schemas/types.ts";
import { providers } from "../kit/suite/variant.ts";
import { root } from "./schema-files.ts";

/** A fixture of the project. */
export interface OwnFixture {
  provider: (typeof providers)[number];
  /** Without the folder and `.json`. */
  name: string;
  fixture: Fixture;
}

/** All fixtures below fixtures/, by provider and name. */
export function ownFixtures(): OwnFixture[] {
  return providers.flatMap((provider) => {
    const folder = join(root, "fixtures", provider);
    const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];
    return files.map((file) => ({
      provider,
      name: file.replace(/\.json$/, ""),
      fixture: JSON.parse(readFileSync(join(folder, file), "utf8")) as Fixture,
    }));
  });
}

/** A table for each provider: the name of each fixture, how many answers it has in which form, and why it exists. */
export function fixtureTables(all = ownFixtures()): string {
  const tables = providers.flatMap((provider) => {
    const rows = all.filter((one) => one.provider === provider).map(row);
    if (rows.length === 0) return [];
    return [`### ${provider}`, "", "| fixture | answers | why |", "|---|---|---|", ...rows].join("\n");
  });
  return `\n${tables.join("\n\n")}\n`;
}

function row({ provider, name, fixture: { exchanges, why = "" } }: OwnFixture): string {
  const forms = exchanges.map(({ response }) => {
    const form = (["body", "text", "events", "writes"] as const).find((key) => response[key] !== undefined)!;
    const cut = response.cut === undefined ? "" : ", cut";
    return `${response.status === 200 ? "" : `${response.status} `}${form}${cut}`;
  });
  return `| [\`${name}\`](${provider}/${name}.json) | ${[...new Set(forms)].join("; ")} | ${why} |`;
}
