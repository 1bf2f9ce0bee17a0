// The quick part of the zoo of bad drivers: one for each kind of end.

import { describe, it } from "vitest";
import { fast, meet } from "../testing/zoo.ts";

describe.concurrent("a driver that", () => {
  it.each(fast)("%s [KIT-2, KIT-4, KIT-16]", { timeout: 120_000 }, meet);
});
