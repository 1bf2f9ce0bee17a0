// A tape for clients in the same process: a `fetch` that answers as recorded.

import type { Fixture } from "../../../schemas/types.ts";
import { checkFixture } from "../fixture/fixture-file.ts";
import type { Timing } from "../replay/play-answer.ts";
import { otherUpstreams, routeOfUrl, upstreamsAt } from "../record/routes.ts";
import type { Upstream } from "../record/routes.ts";
import type { TapeVerdict } from "../replay/tape-verdict.ts";
import { Tape } from "../replay/tape.ts";
import type { TapeOptions } from "../replay/tape.ts";
import { tapeResponse } from "../replay/tape-response.ts";
import { verify } from "./verify.ts";

/** How a fixture is played in process. */
export interface InProcessOptions extends Omit<TapeOptions, "name"> {
  /** What the tape is called in messages. Default: `the tape`. */
  name?: string;
  timing?: Timing;
  /** Where the upstreams are that the fixture names: the URL by the name. Those of the providers are known. */
  upstreams?: Record<string, string>;
}

/**
 * A fixture that is being played to the program itself.
 * @see REPLAY-1, REPLAY-2, REPLAY-9
 */
export class InProcessTape {
  readonly fixture: Fixture;
  readonly name: string;
  readonly upstreams: readonly Upstream[];
  readonly #tape: Tape;
  readonly #timing: Timing;

  /** @throws FixtureError for a fixture that cannot be played */
  constructor(fixture: Fixture, { name = "the tape", timing = "fast", upstreams = {}, ...rest }: InProcessOptions) {
    this.fixture = checkFixture(name, fixture);
    this.name = name;
    this.upstreams = upstreamsOf(fixture, upstreams);
    this.#tape = new Tape(fixture, { ...rest, name });
    this.#timing = timing;
  }

  /**
   * Answers as recorded; what an SDK takes as its `fetch`. A request to another host fails as one without a network, and is a
   * problem of the verdict.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { method, url } = request;
    const route = routeOfUrl(method, url, this.upstreams);
    if (!route) {
      this.#tape.reportBlocked(url);
      const known = this.upstreams.map((upstream) => upstream.url).join(", ");
      throw new TypeError("fetch failed", { cause: new Error(`${this.name} answers for ${known}, not for ${url}`) });
    }
    const { upstream, ...where } = route;
    const headers = Object.fromEntries(request.headers);
    const body = Buffer.from(await request.arrayBuffer());
    const incoming = { ...where, upstream: upstream.name, method, headers, body };
    return tapeResponse(this.#tape, incoming, this.#timing, request.signal);
  };

  get verdict(): TapeVerdict {
    return this.#tape.verdict;
  }

  /** @throws ReplayError unless everything went as recorded @see REPLAY-6 */
  verify(): void {
    verify(this.name, this.verdict);
  }

  /** Verifies at the end of its block, when it is declared with `using`. */
  [Symbol.dispose](): void {
    this.verify();
  }
}

/**
 * Plays a fixture to the program itself.
 * @throws TypeError for what is no fixture, such as the path of one
 * @throws FixtureError for a fixture that cannot be played: it is checked here as it is when it is read
 * @see FIXTURE-6
 */
export function openTape(fixture: Fixture, options: InProcessOptions = {}): InProcessTape {
  // Programs in JavaScript have no types that would say so.
  if (!Array.isArray((fixture as Partial<Fixture> | undefined)?.exchanges))
    throw new TypeError("openTape: expected a fixture; the one of a file is `await readFixture(path)`");
  return new InProcessTape(fixture, options);
}

/** Where the upstreams are; an address that leads nowhere for those of which the fixture has only the name. */
function upstreamsOf({ exchanges }: Fixture, urls: Record<string, string>): Upstream[] {
  const given = new Set(upstreamsAt(urls).map(({ name }) => name));
  const named = exchanges.flatMap(({ upstream }) => (upstream === undefined || given.has(upstream) ? [] : [upstream]));
  const known = new Map(otherUpstreams.map(({ name, url }) => [name, url]));
  const places = named.map((name) => [name, known.get(name) ?? `https://${name}.invalid`]);
  return upstreamsAt({ ...Object.fromEntries(places), ...urls });
}
