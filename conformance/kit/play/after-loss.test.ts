// An answer that is lost again is another answer: its response and its calls have ids of their own.

import { describe, expect, it } from "vitest";
import { codecs } from "../wire/codecs.ts";
import type { ProviderCodec } from "../wire/codec.ts";
import type { ScriptStep } from "../suite/script-step.ts";
import { lostAgain } from "./after-loss.ts";

const call = { tool_call: { id: "call_a", name: "look", input: {} } };
const lost: ScriptStep = { kind: "fault", fault: { kind: "stream_interrupted", message: "lost", after: [call] } };

/** The ids of responses and calls that are in what is sent. */
function idsIn(step: ScriptStep, codec: ProviderCodec): string[] {
  if (step.kind !== "fault") throw new Error(`expected a fault, got ${step.kind}`);
  const text = codec
    .renderFault(step.fault, "sse")
    .writes.map((write) => write.text)
    .join("");
  return [...text.matchAll(/"(?:id|call_id|responseId)":"([^"]+)"/g)].map(([, id]) => id!);
}

describe("an answer that is lost again", () => {
  it.each(Object.values(codecs).map((codec) => [codec.provider, codec] as const))(
    "shares no id with the first on %s",
    (_, codec) => {
      const first = new Set(idsIn(lost, codec));
      const again = idsIn(lostAgain(lost, 2), codec);
      const third = new Set(idsIn(lostAgain(lost, 3), codec));
      expect(again.length).toBeGreaterThan(1);
      expect(again.filter((id) => first.has(id) || third.has(id))).toEqual([]);
    },
  );
});
