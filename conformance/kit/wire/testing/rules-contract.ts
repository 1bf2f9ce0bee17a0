// What holds of the rules of every provider. The provider's test hands in a request that each rule accepts, and one that it refuses.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ProviderCodec, AnsweredRequest, RuleBreach, ScriptedResponse } from "../codec.ts";

/** A request, and what is known when it is received. */
export interface Example {
  body: unknown;
  /** Those of the samples, if there are none. */
  headers?: Record<string, string>;
  sent?: ScriptedResponse[];
  earlier?: AnsweredRequest[];
}

/** A request of which nothing else need be known. */
export const plain = (body: unknown): Example => ({ body });

export interface RuleSamples {
  /** Headers of a request that is accepted. */
  headers: Record<string, string>;
  /** By the rule's id without the provider: accepted, then refused. */
  examples: Record<string, [accepted: Example, refused: Example]>;
  /** What the body of a refusal has, with the message of the breach. */
  refusal(message: string): object;
  /** The rules that a body breaks that is no object: it has none of the required fields either. */
  bodyBreaks: string[];
  /** JSON objects that no client would send, beside those that every provider is tested with. */
  strange: object[];
  sent: ScriptedResponse;
  /** The requests before, if the first was this one. */
  earlier?(request: unknown): AnsweredRequest[];
}

/** Checks an example against the rules of the provider. */
export function checkOf(codec: ProviderCodec, accepted: Record<string, string>): (example: Example) => RuleBreach[] {
  return ({ body, headers, sent, earlier }) => codec.checkRequest(body, headers ?? accepted, sent, earlier);
}

export function describeRules(codec: ProviderCodec, samples: RuleSamples): void {
  const { examples, headers, refusal, bodyBreaks, strange, sent, earlier } = samples;
  const check = checkOf(codec, headers);

  describe(`${codec.provider} rules`, () => {
    it("each has an example", () => {
      const named = Object.keys(examples).map((name) => `${codec.provider}/${name}`);
      expect(named.sort()).toEqual(codec.rules.map(({ id }) => id).sort());
    });

    it.each(Object.entries(examples))("%s", (name, [accepted, refused]) => {
      expect(check(accepted)).toEqual([]);
      const breaches = check(refused);
      expect(breaches.map(({ rule }) => rule)).toContain(`${codec.provider}/${name}`);
      for (const { body, message, status } of breaches) {
        expect(body).toMatchObject(refusal(message));
        expect(status).toBeGreaterThanOrEqual(400);
      }
    });

    it("each names a requirement of the spec", () => {
      const spec = readFileSync(new URL("../../../../spec/requirements.json", import.meta.url), "utf8");
      expect(codec.rules.filter(({ requirement }) => !spec.includes(`"${requirement}"`))).toEqual([]);
    });

    it("each names its evidence: where it is documented, or where a request was refused", () => {
      const unproven = codec.rules.filter(({ undocumented, seen = [] }) => undocumented === true && seen.length === 0);
      expect(unproven.map(({ id }) => id)).toEqual([]);
      const sightings = codec.rules.flatMap(({ seen = [] }) => seen);
      expect(
        sightings.filter(({ where, on }) => !where.startsWith("https://") || Number.isNaN(Date.parse(on))),
      ).toEqual([]);
    });

    it("report one mistake once", () => {
      const several = Object.entries(examples).flatMap(([name, [, refused]]) => {
        const rules = new Set(check(refused).map(({ rule }) => rule.replace(`${codec.provider}/`, "")));
        return rules.size > 1 ? [[name, ...rules]] : [];
      });
      expect(several).toEqual([["body", ...bodyBreaks]]);
    });

    it.each([null, 1, "x", [], {}, ...strange])("accept any JSON: %j", (body) => {
      expect(codec.checkRequest(body, {}, [sent], earlier?.(body)).length).toBeGreaterThan(0);
    });
  });
}
