// A rate limiter that runs share: so many requests to the provider in a second, summaries and retries included.

import { agentLoop, virtualClock, type Clock, type Plugin } from "../../index.ts";

function rateLimit(perSecond: number, clock: Clock): Plugin {
  let free = 0; // when the next request may be sent
  const turn = async (signal: AbortSignal) => {
    const at = Math.max(free, clock.now());
    free = at + 1000 / perSecond;
    if (at > clock.now()) await clock.sleep(at - clock.now(), signal);
  };
  return {
    name: "rate-limit",
    inside: "retry", // each attempt waits for its turn
    attach: () => ({
      aroundRequest: (next) => async (request, call) => {
        await turn(call.signal);
        return next(request, call);
      },
    }),
  };
}

const clock = virtualClock();
const provider = {
  name: "scripted",
  invokeModel: async () => {
    console.log(`a request at ${clock.now()} ms`);
    return { messages: [{ role: "assistant" as const, content: "Yes." }], stop_reason: "end_turn" as const };
  },
};
const use = [rateLimit(2, clock)];
const runs = ["Is it?", "Was it?", "Will it be?"].map((input) => agentLoop({ provider, input, clock, use }).result);
const ended = Promise.all(runs).then(() => true);
while (!(await Promise.race([ended, new Promise<false>((resolve) => setImmediate(resolve, false))])))
  clock.advance(100);
