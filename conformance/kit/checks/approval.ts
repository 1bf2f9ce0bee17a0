// Checks the hashes of the calls that need approval: one that is not as the spec says is refused by the next implementation.

import type { Failure, Message, PendingCall, RunResponse } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { inputHash } from "../base/input-hash.ts";
import { matchData } from "../base/matcher.ts";

/** Everything that is wrong with the hashes of a suspended run. @see PERMISSION-22 PERMISSION-23 */
export function checkHashes({ result, session }: RunResponse): Failure[] {
  const failures: Failure[] = [];
  for (const { id, name, input, path, why, input_hash: received } of result?.pending ?? []) {
    if (why !== "approval" || path) continue; // a call of a subagent is in a session of its own
    const expected = inputHash(id, name, argumentsOf(id, input, session?.messages ?? []));
    if (received !== expected)
      failures.push(
        breach("PERMISSION-22", `the input_hash of the call ${id} is not that of its arguments`, {
          expected,
          received,
        }),
      );
    const kept = result?.snapshot?.decisions.flatMap((one) => ("input_hash" in one ? (one.input_hash ?? []) : []));
    if (kept && received !== undefined && !kept.includes(received))
      failures.push(
        breach("PERMISSION-23", `the snapshot does not have the input_hash of the call ${id}`, {
          expected: received,
          received: kept,
        }),
      );
  }
  return failures;
}

/** The arguments as the model wrote them, where the loop keeps them so and nobody has changed them. */
function argumentsOf(id: string, input: PendingCall["input"], messages: readonly Message[]): unknown {
  const call = messages.find((message) => message.type === "tool_call" && message.id === id);
  if (call?.type !== "tool_call" || call.raw_input === undefined) return input;
  return matchData(call.input, input, "", true).length === 0 ? call.raw_input : input;
}
