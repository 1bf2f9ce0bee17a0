// How a test plays or records a fixture, and what it has of it.

import type { OpenOptions } from "../replay/open-tape.ts";
import type { TapeVerdict } from "../replay/tape-verdict.ts";

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
  /** For recording: whether bodies are kept that nobody can look through; else the first one fails it. */
  allowUnscanned?: boolean;
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
  /** The verdict so far; undefined while recording. */
  readonly verdict: TapeVerdict | undefined;
  /**
   * Ends the server; then says what went otherwise than recorded, or writes what was recorded.
   * @throws ReplayError
   */
  end(): Promise<void>;
}
