// Refuses a request of a run that the kit has given up, so that the loop comes to an end: its models and its tools fail.

import type { DriverRequest } from "../base/protocol.ts";
import type { Reply } from "./rpc.ts";

/** Answers the request with the error that the protocol has for it. @see DRIVER-7 DRIVER-8 */
export function refuseRequest(run: string, method: DriverRequest, reply: Reply): void {
  const message = `the kit has given up the run ${run}`;
  if (method === "model/invoke") return reply.error(message, { error: { kind: "invalid_request", message } });
  if (method === "tool/execute") return reply.error(message, { thrown: true });
  reply.error(message);
}
