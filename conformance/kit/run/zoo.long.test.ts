// The whole zoo of bad drivers: each gets its verdict, takes no other run down, keeps the kit from nothing, and leaves nothing behind.

import { describe, it } from "vitest";
import { isWhole } from "../../dev/whole.ts";
import { meet, others } from "../testing/zoo.ts";

describe.concurrent("a driver that", () => {
  it.runIf(isWhole).each(others)("%s [KIT-4]", { timeout: 120_000 }, meet);
});
