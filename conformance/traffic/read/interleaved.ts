// Finds streamed answers in which pieces of several calls come in turn: only there it shows whether each piece reaches its own call.

import type { FixtureResponse } from "../../../schemas/types.ts";
import type { ProviderName } from "../../kit/wire/codec.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { fixtureAnswer } from "../../kit/wire/fixture-bytes.ts";

/** Whether a piece of one call comes after a piece of another one that began later. */
export function hasInterleavedCalls(provider: ProviderName, response: FixtureResponse): boolean {
  const places = eventsOf(response).flatMap((event) => codecs[provider].traffic.callsIn(event));
  return places.some((place, at) => at > 0 && places[at - 1] !== place && places.slice(0, at - 1).includes(place));
}

type Fields = Record<string, unknown>;

function eventsOf(response: FixtureResponse): Fields[] {
  const text = fixtureAnswer(response)
    .writes.map((write) => write.text)
    .join("");
  return text.split("\n").flatMap((line) => {
    const event = line.startsWith("data:") ? valueIn(line.slice("data:".length)) : undefined;
    return typeof event === "object" && event !== null ? [event as Fields] : [];
  });
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
