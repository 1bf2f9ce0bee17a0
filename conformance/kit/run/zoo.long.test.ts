// The whole zoo of bad drivers: each gets its verdict, takes no other run down, keeps the kit from nothing, and leaves nothing behind.

import { describe, it } from "vitest";
import { meet, others } from "../testing/zoo.ts";

describe.concurrent("a driver that", () => {
  it.each(others)("%s [KIT-4]", { timeout: 120_000 }, meet);
});
