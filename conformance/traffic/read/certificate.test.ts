// Traffic is certified only where every essential requirement that requests show was seen to be kept.

import { expect, it } from "vitest";
import type { Finding, VariantResult } from "../../../schemas/types.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { readCatalogue } from "../../kit/suite/catalogue.ts";
import { certificateLine, trafficCertificate } from "./certificate.ts";
import { occasions } from "./occasions.ts";

const { requirements } = readCatalogue(packagePath());
const shown = Object.keys(occasions).filter((id) => requirements.get(id)!.level === "essential");

/** What an audit makes of recordings in each of which all is kept but for these findings. */
function certificateOf(...recordings: Finding[][]) {
  const variants = recordings.map((changed, at): VariantResult => {
    const others = shown.filter((id) => changed.every(({ requirement }) => requirement !== id));
    const kept = others.map((requirement): Finding => ({ requirement, verdict: "kept" }));
    return {
      ...{ check: `${at}`, case: `${at}`, requirement: "LOOP-1", variant: "traffic", verdict: "pass", duration_ms: 1 },
      findings: [...kept, ...changed],
    };
  });
  return trafficCertificate({ variants }, requirements);
}

it("is certified where all are kept, or cannot be about it [FIXTURE-12]", () => {
  const elsewhere: Finding = { requirement: "CHAT-3", verdict: "not_applicable" };
  for (const certificate of [certificateOf([]), certificateOf([elsewhere])])
    expect([certificate.certified, certificateLine(certificate)]).toEqual([
      true,
      expect.stringMatching(/^certified from traffic: all of/),
    ]);
});

it("is certified by several recordings together, of which each shows what another does not [FIXTURE-12]", () => {
  const unseen = (requirement: string): Finding => ({ requirement, verdict: "not_seen" });
  expect(certificateOf([unseen("LOOP-9")], [unseen("LOOP-15")]).certified).toBe(true);
});

it.each(["not_seen", "broken"] as const)(
  "is not certified where one is %s, and is told which [FIXTURE-12]",
  (verdict) => {
    const certificate = certificateOf([{ requirement: "LOOP-9", verdict }]);
    expect(certificate.certified).toBe(false);
    expect(verdict === "broken" ? certificate.broken : certificate.missing).toEqual(["LOOP-9"]);
  },
);

it("is not certified where nothing was recorded, or what requests do not show is broken [FIXTURE-12]", () => {
  expect(certificateOf().certified).toBe(false);
  expect(certificateOf([{ requirement: "LOOP-18", verdict: "broken" }]).certified).toBe(false);
});
