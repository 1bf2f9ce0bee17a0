// What the kit answers to one model call, as the script of a case has it.

import type { ProviderName, ScriptedFault, ScriptedResponse, Transport, WireResponse } from "../wire/codec.ts";
import type { Cut } from "../wire/cut-response.ts";

/** What the kit answers to one model call. */
export type ScriptStep =
  /** `cut` says where the connection is lost before the response is whole. */
  | { kind: "response"; response: ScriptedResponse; cut?: Cut; summary?: true }
  | { kind: "fault"; fault: ScriptedFault; summary?: true }
  /** Bytes, and, where they come from a fixture, whose they are. */
  | {
      kind: "wire";
      answer: WireResponse;
      provider?: ProviderName;
      transport?: Transport;
      /** Each write is made when the driver has dealt with the one before. */
      oneByOne?: true;
    };
