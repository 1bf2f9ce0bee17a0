// Drivers in this process for the tests of relays, which change the session as their options say.

import type { InitializeResult, LoopEvent, RunResponse, Session } from "../../../schemas/types.ts";
import { inProcess } from "../driver/in-process.ts";
import type { TestedDriver } from "../run/types.ts";
import { fakeLoop } from "./fake-loop.ts";

/** How a driver changes the session, its answer, and its handshake. */
export interface RelayedLoop {
  read?(session: Session): Session;
  write?(answer: RunResponse): RunResponse;
  handshake?: Partial<InitializeResult>;
  /** It runs until its end, however many turns it was given. */
  neverStops?: boolean;
}

/** A driver around the small loop. */
export function relayedLoop(name: string, { read, write, handshake, neverStops }: RelayedLoop = {}): TestedDriver {
  const command = inProcess((kit) => ({
    initialize: () => ({
      protocol: 1,
      implementation: { name, version: "1", language: "typescript" },
      seams: ["generic"],
      features: ["context", "handoff", "tool_data", "report", "settings"],
      ...handshake,
    }),
    run: async (params) => {
      const ask = (method: "model/invoke" | "tool/execute", request: unknown) => kit.request(method, request as never);
      const emit = (event: LoopEvent) => kit.notify("event", { run: params.run, event });
      const { session, options } = params;
      const answer = await fakeLoop(
        { ...params, session: read?.(session) ?? session, options: neverStops ? {} : { ...options } },
        { ask, emit },
      );
      return write?.(answer) ?? answer;
    },
  }));
  return { name, argument: name, command };
}
