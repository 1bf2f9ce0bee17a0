// A feature that a driver has and does not declare is found; one that it lacks is not, and fails nothing.

import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findDriver } from "../driver/command.ts";
import { DriverSession } from "../driver/session.ts";
import { sharedSuite } from "../testing/shared-suite.ts";
import { undeclaredFeatures } from "./undeclared-features.ts";
import { variantsOf } from "../suite/variant.ts";

const fake = fileURLToPath(new URL("../testing/fake-driver.ts", import.meta.url));

it("names what works and nothing else", async () => {
  const driver = findDriver(`node ${fake} blocking`);
  const session = await DriverSession.start(driver.command, 20_000, { lateMessage: () => undefined });
  await session.stop();
  const suite = await sharedSuite();
  const spoken = suite.cases.filter(({ case: source }) => variantsOf(source).some(({ name }) => name === "generic"));
  const cases = ["settings", "final_results"].flatMap((name) =>
    spoken.filter(({ case: { features } }) => features?.includes(name)).slice(0, 3),
  );
  const { handshake } = session;
  expect(
    await undeclaredFeatures({ driver, suite: { ...suite, cases }, handshake, seed: 1, timeoutMs: 60_000 }),
  ).toEqual(["settings"]);
});
