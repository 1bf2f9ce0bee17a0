// One replay of a fixture: each request takes the exchange that it matches, once; every deviation is reported.

import type { Fixture, ReplayTerms } from "../../../schemas/types.ts";
import type { ProviderCodec, ProviderName, RuleBreach } from "../../kit/wire/codec.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { isRuleOf } from "../../kit/wire/hosts.ts";
import { maxLevels } from "../../kit/base/nesting.ts";
import { redact } from "../../kit/base/redact.ts";
import { RequestMatcher } from "../fixture/match-request.ts";
import type { Difference } from "../fixture/match-request.ts";
import { ownIdsOf } from "../fixture/own-ids.ts";
import { IncomingRequest, bodyOf, bytesDifference, recipientDifference } from "../fixture/incoming-request.ts";
import type { TapeRequest } from "../fixture/incoming-request.ts";
import type { Fault } from "../fixture/fault.ts";
import { sentHeaders } from "../fixture/kept-headers.ts";
import { prepare } from "../fixture/prepared.ts";
import { requestValue, withTarget } from "../fixture/request-value.ts";
import type { PreparedExchange } from "../fixture/prepared.ts";
import { providerError } from "../fixture/provider-error.ts";
import { maxProblems } from "./server-limits.ts";
import type { TapeProblem, TapeVerdict } from "./tape-verdict.ts";
import { describeMismatch, exhausted } from "./tape-messages.ts";

/** What a request gets: an exchange, or a refusal in the provider's own form. */
export type Taken =
  | { taken: PreparedExchange; fault?: Fault["kind"] }
  | { refused: { status: number; body: unknown }; problem?: TapeProblem }
  | { reset: true };

/** How a fixture is played. */
export interface TapeOptions {
  /** What the tape is called in messages, such as the name of the file. */
  name: string;
  /** In place of the fixture's own. */
  order?: ReplayTerms["order"];
  /** Whether a request that breaks a rule of its provider is refused as the provider would. Default: true. */
  rules?: boolean;
  /** Whether the fixture begins again when all is used; unused exchanges are then no problem. */
  repeat?: boolean;
  faults?: readonly Fault[];
  /** Called with each request, and what it was answered. */
  onRequest?(request: TapeRequest, taken: Taken): void;
}

/**
 * One play of a fixture.
 * @see REPLAY-1, REPLAY-2, REPLAY-6
 */
export class Tape {
  readonly #exchanges: readonly PreparedExchange[];
  /** By number, in order. */
  readonly #unused = new Map<number, PreparedExchange>();
  readonly #problems: TapeProblem[] = [];
  readonly #options: TapeOptions;
  readonly #ordered: boolean;
  readonly #isRecorded: boolean;
  readonly #matcher: RequestMatcher;
  readonly #newMatcher: () => RequestMatcher;
  readonly #checks = new Map<ProviderName, Check>();
  /** Whether equal bytes are enough to match: not if ids must be remembered. */
  readonly #bytesSuffice: boolean;
  #moreProblems = 0;
  #requests = 0;
  #rounds = 0;

  constructor(fixture: Fixture, options: TapeOptions) {
    this.#exchanges = prepare(fixture);
    this.#rewind();
    this.#options = options;
    this.#ordered = (options.order ?? fixture.replay?.order ?? "strict") === "strict";
    const isRedacted = fixture.recorded?.redacted !== undefined;
    const ownIds = ownIdsOf(fixture.exchanges);
    this.#newMatcher = () => new RequestMatcher(fixture.replay, { isRedacted, ownIds });
    this.#matcher = this.#newMatcher();
    this.#isRecorded = fixture.origin === "recorded";
    this.#bytesSuffice = ownIds === undefined && !Object.values(fixture.replay?.like ?? {}).includes("id");
  }

  /** Finds the exchange for a request, and takes it. */
  take(request: TapeRequest): Taken {
    const taken = this.#take(request);
    this.#options.onRequest?.(request, taken);
    return taken;
  }

  #take(request: TapeRequest): Taken {
    this.#requests += 1;
    const fault = this.#options.faults?.find((one) => one.request === this.#requests)?.kind;
    if (fault === "reset") return { reset: true };
    if (typeof fault === "object" && "status" in fault)
      return this.#refusal(request, fault.status, `this request was made to fail with ${fault.status}`);
    if (this.#options.repeat && this.#unused.size === 0) {
      this.#rewind();
      this.#rounds += 1;
    }
    const incoming = new IncomingRequest(request);
    const found = this.#find(incoming);
    if ("problem" in found) return this.#refuse(request, found.problem);
    const [breach] = this.#breaches(found.agreed, incoming);
    if (breach) return this.#refuse(request, { kind: "rule", message: `${breach.rule}: ${breach.message}` }, breach);
    // Who gets half an answer asks again, and must find it.
    if (fault !== "cut") this.#unused.delete(found.agreed.number);
    return { taken: found.agreed, ...(fault !== undefined && { fault }) };
  }

  /** Withdraws a problem: the request is answered from upstream, in place of the next exchange. */
  forgive(problem: TapeProblem): void {
    const at = this.#problems.indexOf(problem);
    if (at >= 0) this.#problems.splice(at, 1);
    else this.#moreProblems -= 1;
    const [next] = this.#unused.keys();
    if (this.#ordered && next !== undefined) this.#unused.delete(next);
  }

  /** Notes that the program under test tried to reach another host. */
  reportBlocked(where: string): void {
    const message = `blocked a request to ${where}: a replay is offline`;
    this.#note({ kind: "elsewhere", request: this.#requests, message });
  }

  /** Notes that the server could not answer a request, for a reason of its own. */
  reportFailure(reason: string): void {
    this.#note({
      kind: "server",
      request: this.#requests,
      message: `a request could not be answered: ${reason}`,
    });
  }

  /** A client that asks for ever must not fill the memory with its mistakes. @see REPLAY-19 */
  #note(problem: TapeProblem): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem);
    else this.#moreProblems += 1;
  }

  /** What the tape is called in messages. */
  get name(): string {
    return this.#options.name;
  }

  get verdict(): TapeVerdict {
    const exchanges = this.#exchanges.length;
    const used = (this.#rounds + 1) * exchanges - this.#unused.size;
    const isWhole = this.#options.repeat ? used > 0 : this.#unused.size === 0;
    return {
      passed: isWhole && this.#problems.length === 0 && this.#moreProblems === 0,
      requests: this.#requests,
      used,
      exchanges,
      unused: [...this.#unused.values()].map(({ number, exchange: { request } }) => ({
        number,
        method: request?.method ?? "POST",
        path: request?.path ?? "(not recorded)",
      })),
      // What was sent is quoted in them, and logs are read by others. [RECORD-3]
      problems: redact(this.#problems),
      ...(this.#moreProblems > 0 && { more_problems: this.#moreProblems }),
    };
  }

  /** The next exchange, or with any order the first that matches; if none does, the differences to the nearest. */
  #find(incoming: IncomingRequest): Found {
    const [next] = this.#unused.values();
    if (!next)
      return { problem: { kind: "none-left", message: exhausted(this.#options.name, this.#exchanges.length) } };
    const unused = [...this.#unused.values()];
    const candidates = this.#ordered ? unused.filter(({ group }) => group === next.group) : unused;
    const same = candidates.find((candidate) => this.#isSame(candidate, incoming));
    if (same) return { agreed: same };
    if (incoming.isTooDeep) return { problem: { kind: "mismatch", message: this.#tooDeep() } };
    let nearest: { candidate: PreparedExchange; differences: Difference[] } | undefined;
    for (const candidate of candidates) {
      const differences = this.#differences(candidate, incoming);
      if (differences.length === 0) return { agreed: candidate };
      if (!nearest || differences.length < nearest.differences.length) nearest = { candidate, differences };
    }
    const others = unused.filter((one) => !candidates.includes(one));
    // Another matcher: an exchange that is only named must not be remembered as the one that was given.
    const later = others.find((one) => this.#differences(one, incoming, this.#newMatcher()).length === 0);
    return { problem: this.#mismatch(nearest!.candidate, nearest!.differences, later?.number) };
  }

  /** Whether the request is the recorded one, byte for byte: then it matches without being parsed. */
  #isSame({ exchange, request: recorded }: PreparedExchange, { request }: IncomingRequest): boolean {
    return (
      this.#bytesSuffice &&
      recorded !== undefined &&
      recorded.equals(request.body) &&
      recipientDifference(exchange, request) === undefined
    );
  }

  /** Where a request differs from a recorded one. What the source of a fixture did not keep is not compared. */
  #differences(
    { exchange, request: recorded }: PreparedExchange,
    incoming: IncomingRequest,
    matcher = this.#matcher,
  ): Difference[] {
    const { request } = incoming;
    const receiver = recipientDifference(exchange, request);
    if (receiver) return [receiver];
    if (recorded === undefined) return [];
    const { body, base64 } = exchange.request!;
    // JSON that would be written otherwise, such as 1.0, is kept as a text.
    if (base64 === undefined)
      return matcher.compare(typeof body === "string" ? bodyOf({ body: recorded }) : body, incoming.value);
    return recorded.equals(request.body) ? [] : [bytesDifference(recorded, request)];
  }

  #mismatch({ number, exchange }: PreparedExchange, differences: Difference[], later: number | undefined): Problem {
    const { name } = this.#options;
    const message = describeMismatch({ name, request: this.#requests, number, exchange, differences, later });
    return { kind: "mismatch", message };
  }

  #tooDeep(): string {
    return `request ${this.#requests} is nested deeper than ${maxLevels} levels, and is compared with no exchange of ${this.#options.name}; send a body of fewer levels`;
  }

  /** The rules that a request breaks; none where the recorded answer was itself a refusal. */
  #breaches(prepared: PreparedExchange, incoming: IncomingRequest): readonly RuleBreach[] {
    const { exchange, request: recorded, breaches } = prepared;
    const { request } = incoming;
    const { provider, upstream, response } = exchange;
    if (this.#options.rules === false || response.status >= 400 || !isKnown(provider)) return [];
    const value = withTarget(request.path, incoming.value);
    const place = { provider, upstream, path: request.path };
    const check = () => {
      const found = this.#checkOf(provider)(value, incoming.headers).filter((breach) => isRuleOf(place, breach));
      return this.#withoutAccepted(prepared, found);
    };
    if (recorded === undefined || !recorded.equals(request.body)) return check();
    // The same bytes under the same headers break the same rules.
    const key = decisiveHeaders.map((name) => request.headers[name] ?? "").join("\n");
    const known = breaches.get(key) ?? check();
    if (breaches.size < maxHeaders) breaches.set(key, known);
    return known;
  }

  /** The server that was recorded took the recorded request: what that breaks is no rule of this server. @see REPLAY-18 */
  #withoutAccepted({ exchange }: PreparedExchange, breaches: readonly RuleBreach[]): readonly RuleBreach[] {
    const { provider, request } = exchange;
    if (breaches.length === 0 || !this.#isRecorded || !request || !isKnown(provider)) return breaches;
    const check = codecs[provider].createCheck();
    const accepted = check(requestValue(request), sentHeaders(exchange)).map(({ rule }) => rule);
    return breaches.filter(({ rule }) => !accepted.includes(rule));
  }

  /** What a request extends of one before it is looked at once. */
  #checkOf(provider: ProviderName): Check {
    const check = this.#checks.get(provider) ?? codecs[provider].createCheck();
    this.#checks.set(provider, check);
    return check;
  }

  #rewind(): void {
    for (const one of this.#exchanges) this.#unused.set(one.number, one);
  }

  #refuse(request: TapeRequest, { kind, message }: Problem, breach?: RuleBreach): Taken {
    const problem = { kind, request: this.#requests, message };
    this.#note(problem);
    if (breach) return { refused: { status: breach.status, body: breach.body }, problem };
    // 400 is the status that no client tries again.
    return { ...this.#refusal(request, 400, message), problem };
  }

  #refusal({ provider }: TapeRequest, status: number, message: string): { refused: { status: number; body: unknown } } {
    return { refused: { status, body: providerError(provider, status, message) } };
  }
}

type Check = ReturnType<ProviderCodec["createCheck"]>;
type Problem = Pick<TapeProblem, "kind" | "message">;
type Found = { agreed: PreparedExchange } | { problem: Problem };

/** For how many combinations of headers it is remembered what a request breaks. */
const maxHeaders = 100;

/** What the rules look at beside the body. */
const decisiveHeaders = [
  "content-type",
  ...Object.values(codecs).flatMap(({ traffic }) => [...traffic.keptHeaders, ...Object.keys(traffic.keyHeader(""))]),
];

function isKnown(provider: string | undefined): provider is keyof typeof codecs {
  return provider !== undefined && Object.hasOwn(codecs, provider);
}
