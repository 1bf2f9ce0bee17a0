// Plays a fixture to one test, and verifies at its end.

import { offlineEnvironment } from "../record/environment.ts";
import { readFixture } from "../fixture/fixture-file.ts";
import type { OpenOptions } from "../replay/open-tape.ts";
import { TapeServer } from "../replay/tape-server.ts";
import { endingWith } from "./ending.ts";
import { replaceVariables } from "./replace-variables.ts";
import type { Replay } from "./types.ts";
import { verify } from "./verify.ts";

/** @see REPLAY-6, REPLAY-8 */
export async function playFile(
  file: string,
  options: Omit<OpenOptions, "name">,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<Replay> {
  const fixture = await readFixture(file);
  const server = await TapeServer.start();
  const { tape, upstreams, base_url, base_urls } = server.openRoot(fixture, { ...options, name: file });
  const env = offlineEnvironment(process.env, server.origin, upstreams, server.origin);
  const putBack = replaceVariables(environment, env);
  return {
    mode: "replay",
    base_url,
    base_urls,
    env,
    get verdict() {
      return tape.verdict;
    },
    ...endingWith(async () => {
      putBack();
      await server.stop();
      verify(file, tape.verdict);
    }),
  };
}
