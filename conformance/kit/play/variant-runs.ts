// Makes the runs of cases: fills each case once, and plays the providers of all of them on one server.

import type { InitializeResult } from "../../../schemas/types.ts";
import { CaseRun } from "./play-variant.ts";
import type { ProviderCodec, ProviderName } from "../wire/codec.ts";
import type { DriverSession } from "../driver/session.ts";
import { isExpressible } from "../suite/expressible.ts";
import { fillCase, withKey } from "../suite/fill-case.ts";
import type { FilledCase } from "../suite/fill-case.ts";
import { apiKeyPrefix } from "../base/redact.ts";
import type { ProviderServer, Stray } from "../wire/provider-server.ts";
import { modelOf, readScript } from "../suite/script.ts";
import type { CaseRunInput } from "./run-state.ts";
import { randomId, seeded } from "../base/seeded-random.ts";
import type { Selected } from "../suite/selection.ts";
import type { SuiteCase } from "../suite/types.ts";
import type { Variant } from "../suite/variant.ts";
import { sayableTo } from "../suite/wire-driver.ts";

/** How a run is played: how its streams are cut, and where its process is ended. */
export type Manner = Pick<CaseRunInput, "split" | "process" | "endsAt">;

/** What the runs of one run of the suite have in common. */
export class CaseRuns {
  readonly #seed: number;
  readonly #filled = new Map<string, FilledCase>();
  #codecs: Partial<Record<ProviderName, ProviderCodec>> = {};
  #server: ProviderServer | undefined;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Starts what plays the providers, where one of the variants needs it. */
  async open(variants: readonly Variant[]): Promise<void> {
    if (variants.every(({ seam }) => seam === "generic")) return;
    const [{ startProviderServer }, { codecs }] = await Promise.all([
      import("../wire/provider-server.ts"),
      import("../wire/codecs.ts"),
    ]);
    this.#codecs = codecs;
    this.#server = await startProviderServer();
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }

  /** Requests that belonged to no run that was open. */
  get strays(): readonly Stray[] {
    return this.#server?.strays ?? [];
  }

  /** `true`, or why the case cannot be said on the variant, or to this driver. */
  isExpressible({ entry, variant }: Selected, driver?: InitializeResult): true | string {
    const codec = this.#codec(variant);
    const sayable = driver ? sayableTo(driver, entry.case, codec) : true;
    return sayable === true ? isExpressible(this.#fill(entry), variant, codec) : sayable;
  }

  /**
   * A run that has not begun.
   * @param run names it
   * @param how what is different in it from the run of another variant
   */
  make(run: string, { entry, variant }: Selected, session: DriverSession, how: Manner = {}): CaseRun {
    const apiKey = randomId(seeded(this.#seed, run), apiKeyPrefix);
    const filled = withKey(this.#fill(entry), apiKey);
    const codec = this.#codec(variant);
    return new CaseRun({
      run,
      filled,
      script: readScript(
        filled.case,
        run,
        variant.seam === "generic" ? undefined : variant.transport,
        modelOf(session.handshake, variant.seam),
      ),
      variant,
      driver: session.handshake,
      connection: session.connection,
      pid: () => session.pid,
      sessionId: randomId(seeded(this.#seed, `session of ${run}`), "session_"),
      apiKey,
      ...how,
      ...(codec && { codec }),
      ...(this.#server && { server: this.#server }),
    });
  }

  #codec(variant: Variant): ProviderCodec | undefined {
    return variant.seam === "generic" ? undefined : this.#codecs[variant.seam];
  }

  #fill(entry: SuiteCase): FilledCase {
    const known = this.#filled.get(entry.id);
    if (known) return known;
    const filled = fillCase(entry.case, this.#seed, entry.id);
    this.#filled.set(entry.id, filled);
    return filled;
  }
}
