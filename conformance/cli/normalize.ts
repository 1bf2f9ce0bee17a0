// The command `normalize`: rewrites fixtures in their normal form, the smallest one with the same replay.

import { readFile } from "node:fs/promises";
import { commandLine } from "../kit/base/cli-name.ts";
import { fixtureText, readFixture, writeFixture } from "../traffic/fixture/fixture-file.ts";
import { normalForm } from "../traffic/fixture/normal-form.ts";
import type { Normalized } from "../traffic/fixture/normal-form.ts";

/** The options of the command line. */
export interface NormalizeOptions {
  check?: boolean;
}

/** With `check` nothing is written. Exit code 1 if it finds a file that is not in its normal form. */
export async function normalize(files: readonly string[], { check = false }: NormalizeOptions): Promise<void> {
  for (const file of files) {
    const normal = normalForm(await readFixture(file));
    const [before, after] = [await readFile(file, "utf8"), fixtureText(normal.fixture)];
    if (before === after) console.log(`${file}: is in its normal form`);
    else if (check) {
      process.exitCode = 1;
      console.log(`${file}: is not in its normal form (${changesIn(normal)}); run ${commandLine} normalize ${file}`);
    } else {
      await writeFixture(file, normal.fixture);
      const sizes = [before, after].map((text) => Buffer.byteLength(text));
      console.log(`${file}: ${changesIn(normal)}; ${sizes[1]} bytes instead of ${sizes[0]}`);
    }
  }
}

function changesIn({ headers, forms, renumbered }: Normalized): string {
  const changes = [
    [headers, "header taken out", "headers taken out"],
    [forms, "body in a simpler form", "bodies in a simpler form"],
    [renumbered, "id or date renumbered", "ids and dates renumbered"],
  ] as const;
  const parts = changes.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]));
  return parts.length > 0 ? parts.join(", ") : "laid out in one way";
}
