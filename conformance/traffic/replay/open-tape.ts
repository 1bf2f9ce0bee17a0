// What it is to have tapes open: how each is played, where, and who opens and closes them.

import type { Fixture } from "../../../schemas/types.ts";
import type { Timing } from "./play-answer.ts";
import type { Renewal } from "../record/renew.ts";
import type { Upstream } from "../record/routes.ts";
import type { Tape, TapeOptions } from "./tape.ts";

/** How a tape is played by the server. */
export interface OpenOptions extends TapeOptions {
  timing?: Timing;
  /** Notes each answer, and answers the requests that match no exchange. */
  renewal?: Renewal;
}

/** A tape that is being played, and where. */
export interface OpenTape {
  tape: Tape;
  timing: Timing;
  renewal: Renewal | undefined;
  upstreams: readonly Upstream[];
  /** What the official SDK of the fixture's first provider takes as its base URL. */
  base_url: string;
  /** The base URL of each upstream, by its name. */
  base_urls: Record<string, string>;
}

/** Where tapes are opened, each under a path of its own. */
export interface OpenTapes {
  /** Plays a fixture under a path of its own; `bytes` is what it takes, if it came with the request for the tape. */
  open(fixture: Fixture, options: OpenOptions, bytes?: number): { id: string } & OpenTape;
  /** The tape with an id, if it is open. */
  find(id: string): OpenTape | undefined;
  /** Closes a tape; later requests for it are rejected. */
  close(id: string): void;
}
