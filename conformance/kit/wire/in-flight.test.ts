// What the events of a run tell of requests and answers that are under way.

import { expect, it } from "vitest";
import type { LoopEvent } from "../../../schemas/types.ts";
import { WireTraffic } from "./in-flight.ts";

function after(...events: object[]): WireTraffic {
  const traffic = new WireTraffic();
  for (const event of events) traffic.hear(event as LoopEvent);
  return traffic;
}

const start = { type: "model_start" };
const end = { type: "model_end" };

it("a run waits for the model until its call ends, but not while it waits to try again", () => {
  expect(after().asking).toBe(0);
  expect(after(start).asking).toBe(1);
  expect(after(start, { type: "wait_start" }).asking).toBe(0);
  expect(after(start, { type: "wait_start" }, { type: "wait_end" }).asking).toBe(1);
  expect(after(start, end).asking).toBe(0);
});

it("each subagent waits for itself", () => {
  const inside = (id: string, event: object) => ({ type: "subagent_event", id, event });
  expect(after(inside("a", start), inside("b", start), inside("b", inside("a", start))).asking).toBe(3);
  expect(after(inside("a", start), inside("b", start), inside("a", end)).asking).toBe(1);
});

it("counts the pieces of answers", () => {
  const pieces = [{ type: "message_start" }, { type: "message_delta" }, { type: "message_end" }, { type: "message" }];
  expect(after(start, ...pieces, end).pieces).toBe(3);
});
