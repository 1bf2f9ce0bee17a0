// The command `scan`: looks for secrets in fixtures, in decoded texts as well as in the file.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Fixture } from "../../schemas/types.ts";
import { fixtureAnswer } from "../kit/wire/fixture-bytes.ts";
import { textsIn } from "../traffic/fixture/body-text.ts";
import { createScan, secretsOf } from "../traffic/fixture/secrets.ts";
import type { Scan } from "../traffic/fixture/secrets.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** Exit code 1 if a file holds something that looks like a secret. */
export async function scanFiles(paths: string[]): Promise<void> {
  const scan = await createScan(secretsOf(process.env));
  const files = paths.flatMap(filesOf);
  if (files.length === 0) throw new UsageError(`there is no .json file in ${paths.join(", ")}`);
  let found = 0;
  for (const file of files) {
    for (const line of await findings(file, scan)) {
      console.log(line);
      found += 1;
    }
  }
  const count = `${files.length} ${files.length === 1 ? "file" : "files"}`;
  console.log(found === 0 ? `${count}, no secret found` : `${count}, ${found} that look like secrets`);
  if (found > 0) process.exitCode = 1;
}

function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`there is no file or folder ${path}`);
  if (!found.isDirectory()) return [path];
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return files.toSorted().map((file) => join(path, file));
}

async function findings(file: string, scan: Scan): Promise<string[]> {
  const text = readFileSync(file, "utf8");
  const written = (await scan(text)).map(({ kind, start }) => `${file}:${lineAt(text, start)} ${kind}`);
  if (written.length > 0) return written;
  // A key that is split over the events of a stream stands nowhere in the file.
  const hidden = await Promise.all(
    bodiesOf(text).map(async (body, at) => {
      const [first] = await scan(textsIn(body).join("\n"));
      return first ? [`${file}: ${first.kind}, split over the answer of exchange ${at + 1}`] : [];
    }),
  );
  return hidden.flat();
}

/** The answers of a fixture as they would be sent; none where the file is something else. */
function bodiesOf(text: string): string[] {
  try {
    const { exchanges } = JSON.parse(text) as Fixture;
    return exchanges.map(({ response }) =>
      fixtureAnswer(response)
        .writes.map((write) => write.text)
        .join(""),
    );
  } catch {
    return [];
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
