// One driver of each kind that tries to look right without keeping the spec; all of them are met by cheats.long.test.ts.

import { describe, expect, it } from "vitest";
import { catchCheat, cheats, fastCheats } from "../testing/cheats.ts";

describe.concurrent("a driver is caught that", () => {
  it.each(fastCheats)("%s [KIT-3]", async (name) => void (await catchCheat(name)));
});

it("there are fifty and more, and each says how it hopes to get through", () => {
  expect(Object.keys(cheats).length).toBeGreaterThan(50);
  for (const { how } of Object.values(cheats)) expect(how).toMatch(/^It .*\.$/);
});
