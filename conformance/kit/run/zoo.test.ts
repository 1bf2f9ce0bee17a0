// The quick part of the zoo of bad drivers: one for each kind of end.

import { describe, it } from "vitest";
import { fast, meet } from "../testing/zoo.ts";

describe.concurrent("a driver that", () => {
  it.each(fast)("%s", { timeout: 120_000 }, meet);
});
