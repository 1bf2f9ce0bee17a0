// Which variants a case has where the provider is to keep the conversation.

import { expect, it } from "vitest";
import { codecs } from "../wire/codecs.ts";
import { allVariants, canExpress } from "./variant.ts";

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
