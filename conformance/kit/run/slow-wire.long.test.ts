// Requests and answers that take their time on the wire change no verdict, though a barrier's answer overtakes them.

import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { everyByte } from "../wire/split-stream.ts";
import { runSuite } from "./runner.ts";

const slow = fileURLToPath(new URL("../testing/slow-sockets.ts", import.meta.url));
const reference = fileURLToPath(new URL("../../drivers/reference/driver.ts", import.meta.url));

it("an action waits for what was written, and nothing is stuck while something is on its way", async () => {
  const { report } = await runSuite({
    driver: { name: "slow", argument: "slow", command: { argv: ["node", "--import", slow, reference] } },
    select: {
      cases: [
        "cancel/in-the-middle-of-a-text",
        "cancel/inside-the-arguments-of-a-call",
        "limits/late-value-in-mid-stream",
        "limits/tool-timeout",
        "retry/silent-in-mid-stream",
      ],
      variants: ["openai-chat/sse"],
    },
    seed: 1,
  });
  expect(report.variants.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(report.totals.pass).toBe(5);
});

it("nothing is stuck while an answer is written in pieces", async () => {
  const { report } = await runSuite({
    driver: { name: "reference", argument: "reference", command: { argv: ["node", reference] } },
    select: { cases: ["made-up/timeout", "limits/timed-out-tool-is-signalled"], variants: ["*/sse"] },
    seed: 1,
    splits: [everyByte],
  });
  expect(report.variants.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(report.totals.pass).toBeGreaterThan(7);
});
