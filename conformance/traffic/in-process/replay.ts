// A fixture as the model of one test: replayed if it exists, otherwise recorded.

import { existsSync } from "node:fs";
import { FixtureError } from "../fixture/fixture-file.ts";
import { playFile } from "./play-file.ts";
import { recordFile } from "./record-file.ts";
import type { Replay, ReplayOptions } from "./types.ts";

/**
 * Gives a test a local server that answers as the fixture says, and ends as red as the replay was:
 * `await using tape = await replay("fixtures/weather.json", { record: "once" });`
 * @throws FixtureError if there is no such fixture and none may be recorded, or if it is being recorded already
 * @see REPLAY-6, REPLAY-8, REPLAY-10
 */
export async function replay(file: string, options: ReplayOptions = {}): Promise<Replay> {
  const { record = "none", upstreams = {}, redact = false, allowUnscanned = false, environment, ...play } = options;
  const exists = existsSync(file);
  if (mayRecord() && (record === "all" || (record === "once" && !exists)))
    return recordFile(file, { upstreams, redact, allowUnscanned, environment });
  if (exists) return playFile(file, play, environment);
  const advice = mayRecord() ? 'record it with { record: "once" }' : "nothing is recorded where the variable CI is set";
  throw new FixtureError(`there is no fixture ${file}; ${advice}`);
}

function mayRecord(): boolean {
  return ["", "0", "false"].includes(process.env["CI"] ?? "");
}
