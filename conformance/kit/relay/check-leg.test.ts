// What a driver hands over is held against what was said, so that thinking without its signature is found before it is sent.

import { expect, it } from "vitest";
import type { Case, Message, RunResponse } from "../../../schemas/types.ts";
import type { Observation } from "../observed/observation.ts";
import { checkLeg } from "./check-leg.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const source: Case = {
  title: "One turn",
  since: "1.0",
  requires: ["LOOP-1"],
  given: { messages: [{ role: "user", content: "Think." }] },
  model: [{ respond: [{ thinking: "Hm.", signature: "c2lnbmVk" }, { text: "Done." }] }],
  expect: { status: "completed" },
};

it("misses with thinking, on the wire, what its provider needs back, and not how an adapter keeps the rest", async () => {
  const seen = await playInMemory(source);
  const { result, session } = seen.results[0] as Required<Pick<RunResponse, "result" | "session">>;
  const onTheWire: Observation = {
    ...seen,
    variant: { name: "anthropic-messages/json", seam: "anthropic-messages", transport: "json" },
  };
  const keeping = (opaque: object): Required<Pick<RunResponse, "result" | "session">> => {
    const [user, thinking, ...rest] = session.messages;
    return { result, session: { ...session, messages: [user!, { ...thinking!, opaque } as Message, ...rest] } };
  };
  const begun = { messages: 1, answers: new Map() };
  const maker = { provider: "anthropic-messages", model: "replay" };
  expect(checkLeg(keeping({ ...maker, seal: "c2lnbmVk" }), begun, onTheWire)).toEqual([]);
  const [failure, ...others] = checkLeg(keeping(maker), begun, onTheWire);
  expect(failure).toMatchObject({ code: "invariant", requirement: "PROVIDER-7", path: "/messages/1/opaque" });
  expect(others).toEqual([]);
  expect(checkLeg(keeping(maker), { ...begun, messages: 3 }, onTheWire)).toEqual([]);
});
