// The zoo of bad drivers: each gets its verdict, takes no other run down, keeps the kit from nothing, and leaves nothing behind.

import { describe, it } from "vitest";
import { isWhole } from "../../dev/whole.ts";
import { fast, meet, others } from "../testing/zoo.ts";

describe.concurrent("a driver that", () => {
  // One for each kind of end.
  it.each(fast)("%s [KIT-2, KIT-4, KIT-16, KIT-41]", meet);
  it.runIf(isWhole).each(others)("%s [KIT-4]", meet);
});
