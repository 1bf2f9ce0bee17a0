// A fixture as the model of one test: played where there is one, recorded where there is none yet.

import { existsSync } from "node:fs";
import { FixtureError } from "../recorder/fixture-file.ts";
import type { OpenOptions } from "../recorder/tape-server.ts";
import type { TapeVerdict } from "../recorder/tape.ts";
import { playFile } from "./play-file.ts";
import { recordFile } from "./record-file.ts";

/** How a test plays or records its fixture. */
export interface ReplayOptions extends Omit<OpenOptions, "name" | "renewal"> {
  /**
   * `none`, the default: the fixture is played. `once`: it is recorded where there is no such file. `all`: it is recorded anew. Where
   * the variable `CI` is set nothing is ever recorded.
   */
  record?: "none" | "once" | "all";
  /** For recording: where other hosts are, or other addresses of `anthropic` and `openai`; the URL by the name. */
  upstreams?: Record<string, string>;
  /** For recording: whether secrets are replaced; else the first one fails it, and nothing is written. */
  redact?: boolean;
  /**
   * What is changed to `env` until the end: `environment: process.env` for a program that runs in the test itself. Not where
   * several tests of one process run at once.
   */
  environment?: NodeJS.ProcessEnv;
}

/** The local server of one test. It ends with its block, if it is declared with `await using`. */
export interface Replay extends AsyncDisposable {
  readonly mode: "replay" | "record";
  /** What the official SDK of the fixture's provider takes as its base URL; that of `openai` while recording. */
  readonly base_url: string;
  /** The base URL of each upstream, by its name. */
  readonly base_urls: Readonly<Record<string, string>>;
  /** The whole environment of a program under test: base URLs and, while replaying, nothing that leads to a provider. */
  readonly env: NodeJS.ProcessEnv;
  /** What came of it so far; nothing while recording. */
  readonly verdict: TapeVerdict | undefined;
  /**
   * Ends the server; then says what went otherwise than recorded, or writes what was recorded.
   * @throws ReplayError
   */
  end(): Promise<void>;
}

/**
 * Gives a test a local server that answers as the fixture says, and ends as red as the replay was:
 * `await using tape = await replay("fixtures/weather.json", { record: "once" });`
 * @throws FixtureError if there is no such fixture and none may be recorded, or if it is being recorded already
 * @see REPLAY-6, REPLAY-8, REPLAY-10
 */
export async function replay(file: string, options: ReplayOptions = {}): Promise<Replay> {
  const { record = "none", upstreams = {}, redact = false, environment, ...play } = options;
  const exists = existsSync(file);
  if (mayRecord() && (record === "all" || (record === "once" && !exists)))
    return recordFile(file, { upstreams, redact, environment });
  if (exists) return playFile(file, play, environment);
  const advice = mayRecord() ? 'record it with { record: "once" }' : "nothing is recorded where the variable CI is set";
  throw new FixtureError(`there is no fixture ${file}; ${advice}`);
}

function mayRecord(): boolean {
  return ["", "0", "false"].includes(process.env["CI"] ?? "");
}
