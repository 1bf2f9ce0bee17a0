// Renews a fixture while it is replayed: a request that matches is answered from it, any other is sent upstream and recorded.

import type { ServerResponse } from "node:http";
import type { Exchange, Fixture } from "../../../schemas/types.ts";
import type { Recorder } from "./recorder.ts";
import type { Upstream } from "./routes.ts";
import type { ProviderName } from "../../kit/wire/codec.ts";
import { hostOf } from "../../kit/wire/hosts.ts";
import type { TapeRequest } from "../fixture/incoming-request.ts";

type Step = { kept: number } | { number: Promise<number | undefined>; why: string };

/** A renewed fixture. */
export interface Renewed {
  exchanges: Exchange[];
  /** In lines for a person: which exchanges are new and why, and which are gone. */
  changes: string[];
}

export class Renewal {
  readonly #recorder: Recorder;
  readonly #upstreams: readonly Upstream[];
  readonly #steps: Step[] = [];

  constructor(recorder: Recorder, upstreams: readonly Upstream[]) {
    this.#recorder = recorder;
    this.#upstreams = upstreams;
  }

  /** Notes that an exchange was replayed. */
  keep(number: number): void {
    this.#steps.push({ kept: number });
  }

  /** Answers a request that matches no exchange, from its upstream. */
  renew(request: TapeRequest, why: string, response: ServerResponse): Promise<unknown> {
    const { method, path, provider, headers, body } = request;
    const name = request.upstream ?? hostOf(provider).name;
    const upstream = this.#upstreams.find((one) => one.name === name)!;
    const route = { upstream, path, ...(isKnown(provider) && { provider }) };
    const number = this.#recorder.handOn({ method, headers, route, body }, response);
    this.#steps.push({ number, why });
    return number;
  }

  /** The exchanges in the order in which the program asked. What was broken off before it was recorded is left out. */
  async end(before: Fixture, recorded: ReadonlyMap<number, { exchange: Exchange }>): Promise<Renewed> {
    const exchanges: Exchange[] = [];
    const changes: string[] = [];
    const kept = new Set<number>();
    for (const step of this.#steps) {
      if ("kept" in step) {
        kept.add(step.kept);
        exchanges.push(before.exchanges[step.kept - 1]!);
        continue;
      }
      const fresh = recorded.get((await step.number) ?? 0)?.exchange;
      if (!fresh) continue;
      exchanges.push(fresh);
      changes.push(`exchange ${exchanges.length} was recorded again: ${step.why}`);
    }
    const gone = before.exchanges.length - kept.size;
    if (gone > 0) changes.push(`${gone} of ${before.exchanges.length} previous exchanges were removed`);
    return { exchanges, changes };
  }
}

function isKnown(provider: string | undefined): provider is ProviderName {
  return provider !== undefined;
}
