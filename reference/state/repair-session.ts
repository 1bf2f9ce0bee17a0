// Repairs an invalid session of another program, and reports the changes.

import { isType, resultText, syntheticResult } from "../core/session.ts";
import { isOfResponse } from "./check-session.ts";
import type { Message, Session, ToolCallMessage, ToolResultMessage } from "../../schemas/types.ts";

/** One change. `pointer` is a JSON Pointer into the original session. */
export interface Change {
  kind: "result_dropped" | "result_moved" | "result_added" | "call_renamed" | "empty_message_dropped";
  pointer: string;
  message: string;
}

/** The position after a response where the result of one of its calls belongs. */
interface Slot {
  call: ToolCallMessage;
  index: number;
  result?: ToolResultMessage;
}

/**
 * Repairs pairing, order, ids and empty texts as spec/loop/session.md lists them. Deterministic and idempotent: no clock, no
 * random data, and a valid session is returned unchanged.
 * @returns a new session, and every change in the order of the old one; the input is not modified.
 * @see SESSION-18 SESSION-19 SESSION-20
 */
export function repairSession(session: Session): { session: Session; changes: Change[] } {
  const repaired: (Message | Slot)[] = [];
  const changes: (Change & { index: number })[] = [];
  const slots = new Map<string, Slot>(); // by the original id: the latest call with it
  const ids = new Set<string>();
  let waiting: Slot[] = []; // of the response that is being read
  const changed = (kind: Change["kind"], index: number, message: string) =>
    changes.push({ kind, pointer: `/messages/${index}`, message, index });

  session.messages.forEach((message, index) => {
    if (isType(message, "tool_result")) return placeResult(message, index);
    if (!isOfResponse(message) || waiting.some(({ result }) => result)) closeResponse();
    if ("role" in message && message.role === "assistant" && message.content === "") {
      return void changed("empty_message_dropped", index, "The assistant message had no content.");
    }
    repaired.push(isType(message, "tool_call") ? openCall(message, index) : message);
  });
  closeResponse();
  const messages = repaired.map((entry) => ("call" in entry ? resultIn(entry as Slot) : (entry as Message)));
  changes.sort((a, b) => a.index - b.index);
  return { session: { ...session, messages }, changes: changes.map(({ index: _, ...change }) => change) };

  function openCall(call: ToolCallMessage, index: number): ToolCallMessage {
    const id = freeId(call.id);
    const renamed = id === call.id ? call : { ...call, id };
    if (renamed !== call) changed("call_renamed", index, `The id ${call.id} was taken; the call is now ${id}.`);
    ids.add(id);
    const slot = { call: renamed, index };
    slots.set(call.id, slot);
    waiting.push(slot);
    return renamed;
  }

  function freeId(wanted: string): string {
    let id = wanted;
    for (let n = 2; ids.has(id); n += 1) id = `${wanted}_${n}`;
    return id;
  }

  function placeResult(result: ToolResultMessage, index: number): void {
    const slot = slots.get(result.id);
    if (!slot) return void changed("result_dropped", index, `No earlier call has the id ${result.id}.`);
    if (slot.result) return void changed("result_dropped", index, `The call ${result.id} already has a result.`);
    if (waiting.find((one) => !one.result) !== slot) {
      changed("result_moved", index, `The result of ${result.id} now stands behind its response, in call order.`);
    }
    slot.result = result;
  }

  function closeResponse(): void {
    repaired.push(...waiting);
    waiting = [];
  }

  function resultIn({ call, index, result }: Slot): ToolResultMessage {
    if (result) return result.id === call.id ? result : { ...result, id: call.id };
    changed("result_added", index, `The call ${call.id} had no result.`);
    const added = syntheticResult(call, "interrupted", resultText("never_answered"));
    return call.status ? { ...added, status: call.status } : added;
  }
}
