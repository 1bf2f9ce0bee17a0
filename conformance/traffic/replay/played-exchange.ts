// A request that a tape was asked, and what it was answered, as an exchange: what was really said, with its faults.

import type { Exchange, FixtureResponse } from "../../../schemas/types.ts";
import { keptHeaders } from "../fixture/kept-headers.ts";
import { bodyOf } from "../fixture/incoming-request.ts";
import type { TapeRequest } from "../fixture/incoming-request.ts";
import { firstHalf } from "./play-answer.ts";
import type { Taken } from "./tape.ts";

/** The exchange that a tape had with a client. */
export function playedExchange(incoming: TapeRequest, taken: Taken): Exchange {
  const { method, path, provider, upstream, headers } = incoming;
  const body = bodyOf(incoming);
  return {
    ...(provider !== undefined && { provider }),
    ...(upstream !== undefined && { upstream }),
    request: { method, path, headers: keptHeaders(headers), ...(body !== undefined && { body }) },
    response: responseOf(taken),
  };
}

function responseOf(taken: Taken): FixtureResponse {
  // Where nothing was answered, the client knows only that the connection is gone.
  if ("reset" in taken) return { status: 502, writes: [], cut: "server" };
  if ("refused" in taken) return taken.refused;
  const { answer, exchange } = taken.taken;
  if (taken.fault !== "cut") return exchange.response;
  const { status, headers } = answer;
  const writes = firstHalf(answer.writes).map(({ bytes }) => ({ base64: Buffer.from(bytes).toString("base64") }));
  return { status, headers, writes, cut: "server" };
}
