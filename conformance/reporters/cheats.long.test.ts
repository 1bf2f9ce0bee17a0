// Every driver that cheats is caught, and whoever reads only one format of the report sees it.

import { describe, it } from "vitest";
import { expectRedEverywhere } from "./testing/red.ts";
import { catchCheat, otherCheats } from "../kit/testing/cheats.ts";

describe.concurrent("in every reporter, a driver is caught that", () => {
  it.each(otherCheats)("%s [KIT-3]", async (name) => expectRedEverywhere((await catchCheat(name)).report));
});
