// What the events of a run show of requests and answers in flight.

import { expect, it } from "vitest";
import type { LoopEvent } from "../../../schemas/types.ts";
import { WireTraffic } from "./in-flight.ts";

function after(...events: object[]): WireTraffic {
  const traffic = new WireTraffic();
  for (const event of events) traffic.onEvent(event as LoopEvent);
  return traffic;
}

const start = { type: "model_start" };
const end = { type: "model_end" };

it("a run waits for the model until its call ends, but not while it waits to try again", () => {
  expect(after().waitingRuns).toBe(0);
  expect(after(start).waitingRuns).toBe(1);
  expect(after(start, { type: "wait_start" }).waitingRuns).toBe(0);
  expect(after(start, { type: "wait_start" }, { type: "wait_end" }).waitingRuns).toBe(1);
  expect(after(start, end).waitingRuns).toBe(0);
});

it("each subagent waits for itself", () => {
  const inside = (id: string, event: object) => ({ type: "subagent_event", id, event });
  expect(after(inside("a", start), inside("b", start), inside("b", inside("a", start))).waitingRuns).toBe(3);
  expect(after(inside("a", start), inside("b", start), inside("a", end)).waitingRuns).toBe(1);
});

it("counts the pieces of answers", () => {
  const pieces = [{ type: "message_start" }, { type: "message_delta" }, { type: "message_end" }, { type: "message" }];
  expect(after(start, ...pieces, end).pieces).toBe(3);
});
