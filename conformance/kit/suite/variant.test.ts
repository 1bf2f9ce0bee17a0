// Which variants a case has: over which transports, and where the provider is to keep the conversation.

import { describe, expect, it } from "vitest";
import { codecs } from "../wire/codecs.ts";
import { transportsOf } from "../wire/transports.ts";
import { allVariants, canExpress, providers, variantsOf } from "./variant.ts";

const codecOf = (seam: (typeof allVariants)[number]["seam"]) => (seam === "generic" ? undefined : codecs[seam]);

it("a conversation is kept by providers that say so, and by no one on the generic seam", () => {
  for (const variant of allVariants) {
    const codec = codecOf(variant.seam);
    const reason = canExpress(variant, [], codec, "server");
    expect([variant.name, reason]).toEqual([
      variant.name,
      codec?.keepsConversations ? true : `${variant.seam} keeps no conversations`,
    ]);
    expect(canExpress(variant, [], codec)).toBe(true);
  }
  expect(codecs["openai-responses"].keepsConversations).toBe(true);
  expect(codecs["openai-chat"].keepsConversations).toBeUndefined();
});

describe("transports", () => {
  const source = (transports: string[], model: object[] = [{ text: "Hi" }]) =>
    ({
      title: "t",
      since: "1.0",
      requires: ["LOOP-1"],
      given: {},
      model,
      expect: {},
      variants: { transports },
    }) as never;
  const names = (source: never) => variantsOf(source).map(({ name }) => name);

  it("streamed is every transport that streams, whatever it is called [KIT-40]", () => {
    const streams = Object.entries(transportsOf).flatMap(([provider, ofOne]) =>
      ofOne.flatMap(({ framing, name }) => (framing ? [`${provider}/${name}`] : [])),
    );
    expect(names(source(["streamed"]))).toEqual(["generic", ...streams]);
    expect(names(source(["json"]))).toEqual(["generic", ...providers.map((provider) => `${provider}/json`)]);
  });

  it("server-sent events that a case writes are sent over no other stream", () => {
    const played = variantsOf(source(["streamed"], [{ sse: ["data: 1\n\n"] }]));
    expect(new Set(played.map((variant) => variant.seam !== "generic" && variant.transport))).toEqual(new Set(["sse"]));
  });
});
