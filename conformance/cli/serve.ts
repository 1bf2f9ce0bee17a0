// The command `serve`: keeps a server running that answers from fixtures, until it is stopped.

import { once } from "node:events";
import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { FixtureFolder } from "../traffic/replay/fixture-folder.ts";
import type { OpenTape } from "../traffic/replay/open-tape.ts";
import type { Timing } from "../traffic/replay/play-answer.ts";
import { TapeServer } from "../traffic/replay/tape-server.ts";
import { describeVerdict } from "../traffic/replay/tape-messages.ts";
import { faultsOf } from "./shared/tape-options.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface ServeOptions {
  port: number;
  order?: "strict" | "any";
  timing: Timing;
  rules: boolean;
  repeat?: boolean;
  fault?: string[];
}

/** Ends with SIGINT or SIGTERM; then prints the verdicts of the named tapes, and exits with 1 if one failed. */
export async function serve(files: string[], options: ServeOptions): Promise<void> {
  const fixtures = await Promise.all(files.map(async (file) => ({ file, fixture: await readFixture(file) })));
  const server = await start(options.port, files);
  const { order, timing, rules, repeat = false } = options;
  const shared = { timing, rules, repeat, faults: faultsOf(options.fault), ...(order && { order }) };
  const open = fixtures.map(({ file, fixture }) => {
    const play = { ...shared, name: file };
    return { file, ...(fixtures.length === 1 ? server.openRoot(fixture, play) : server.open(fixture, play)) };
  });
  for (const { file, base_urls } of open) for (const line of whereTo(file, base_urls)) console.log(line);
  console.log(
    `A tape for one test: POST ${server.origin}/_tapes {"fixture": "file.json"}, then GET /_tapes/:id. Ctrl-C ends.`,
  );
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await server.stop();
  for (const { file, tape } of open) {
    for (const line of describeVerdict(file, tape.verdict)) console.error(line);
    if (!tape.verdict.passed) process.exitCode = 1;
  }
}

function whereTo(file: string, baseUrls: OpenTape["base_urls"]): string[] {
  return [`${file} is played at`, ...Object.entries(baseUrls).map(([name, url]) => `  ${name.padEnd(10)} ${url}`)];
}

async function start(port: number, files: string[]): Promise<TapeServer> {
  try {
    return await TapeServer.start(port, new FixtureFolder(process.cwd(), files));
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw new UsageError(
      code === "EADDRINUSE" ? `port ${port} is taken; choose another, or 0 for any free one` : message,
    );
  }
}
