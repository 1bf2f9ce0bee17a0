// What has come counts as come, however late it is looked at; what does not come is missed.

import { once } from "node:events";
import { expect, it } from "vitest";
import { TimeLimit, comesBefore } from "./time-limit.ts";

const ms = 20;
const never = new Promise<void>(() => undefined);

it("misses what does not come, when the time is over", async () => {
  const begun = performance.now();
  expect(await comesBefore(never, new TimeLimit(ms), undefined)).toBe(false);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(ms);
});

it("does not miss what has come while the kit was held up", async () => {
  const { port1, port2 } = new MessageChannel();
  const coming = comesBefore(once(port2, "message"), new TimeLimit(ms), undefined);
  port1.postMessage("here");
  for (const until = performance.now() + 5 * ms; performance.now() < until;);
  expect(await coming).toBe(true);
  port1.close();
});

it("fails with what the awaited fails with", async () => {
  await expect(comesBefore(Promise.reject(new Error("gone")), new TimeLimit(ms), undefined)).rejects.toThrow("gone");
});

it("waits for a second thing no longer than is left of one limit", async () => {
  const limit = new TimeLimit(ms);
  expect(await comesBefore(never, limit, undefined)).toBe(false);
  expect(limit.leftMs).toBe(0);
  limit.restart();
  expect(limit.leftMs).toBeGreaterThan(0);
});
