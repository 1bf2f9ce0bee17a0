// The command `scan`: looks for secrets in fixtures, in decoded texts as well as in the file.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Exchange, Fixture } from "../../schemas/types.ts";
import { fixtureAnswer } from "../kit/wire/fixture-bytes.ts";
import { inspectBytes } from "../traffic/fixture/binary-body.ts";
import { inspectText } from "../traffic/fixture/inspect-text.ts";
import { secretsOf } from "../traffic/fixture/secret-names.ts";
import { createScan } from "../traffic/fixture/secrets.ts";
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
  const { visible, hidden } = await inspectText(text, scan);
  const written = visible.map(({ kind, start }) => `${file}:${lineAt(text, start)} ${kind}`);
  if (written.length > 0) return written;
  if (hidden !== undefined) return [`${file}: ${hidden}, split or encoded`];
  // A key that is split over the events of a stream, or stands in bytes, stands nowhere in the file.
  const found = await Promise.all(
    exchangesIn(text).flatMap((exchange, at) =>
      bodiesOf(exchange).map(async (bytes) => {
        const { secret, unscanned } = await inspectBytes(bytes, scan);
        if (secret !== undefined) return [`${file}: ${secret}, split or encoded in exchange ${at + 1}`];
        return unscanned === undefined ? [] : [`${file}: exchange ${at + 1} has a body that is ${unscanned}`];
      }),
    ),
  );
  return found.flat();
}

/** The exchanges of a fixture; none where the file is something else. */
function exchangesIn(text: string): Exchange[] {
  try {
    return (JSON.parse(text) as Fixture).exchanges ?? [];
  } catch {
    return [];
  }
}

/** The bodies that the text of a fixture does not show: bytes, and an answer as it would be sent. */
function bodiesOf({ request, response }: Exchange): Uint8Array[] {
  const answered = fixtureAnswer(response).writes.map(({ text, bytes }) => bytes ?? Buffer.from(text));
  return [Buffer.from(request?.base64 ?? "", "base64"), Buffer.concat(answered)];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
