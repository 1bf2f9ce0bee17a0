// Gives every call of a session a unique id.

import type { Message } from "../../schemas/types.ts";
import type { InvokeModel } from "../core/ports.ts";

/**
 * Renames the calls of a response whose ids are already used in the session, and generates missing ids.
 * Streamed and final messages get the same ids. The session is read once; later ids are recorded here.
 * @see SESSION-9 SESSION-10
 */
export function withUniqueIds(invokeModel: InvokeModel, session: Message[], newId: () => string): InvokeModel {
  const used = new Set(session.filter(isCall).map(({ id }) => id));

  return async (request, call) => {
    const generated: string[] = [];
    const streamed = namer(generated);
    const byIndex: string[] = [];
    const response = await invokeModel(request, {
      ...call,
      onStream(event) {
        if (event.type === "message_delta" || !isCall(event.message)) return call.onStream(event);
        const id = (byIndex[event.index] ??= streamed(event.message.id));
        call.onStream({ ...event, message: { ...event.message, id } });
      },
    });
    const named = namer(generated);
    const messages = response.messages.map((message) => {
      if (!isCall(message)) return message;
      const id = named(message.id);
      if (message.id === "")
        call.warn("missing_id_generated", `A call of ${message.name} came without an id; it is now ${id}.`);
      else if (id !== message.id)
        call.warn("duplicate_id_renamed", `The id ${message.id} was taken; this call is now ${id}.`);
      return id === message.id ? message : { ...message, id };
    });
    for (const message of messages) if (isCall(message)) used.add(message.id);
    return { ...response, messages };
  };

  /** Names the calls of one response in order. Two namers give the same names for the same ids. */
  function namer(generated: string[]): (id: string) => string {
    const taken = new Set<string>();
    const tried = new Map<string, number>(); // thousands of calls may have one id: none is tried twice
    const free = (id: string) => !used.has(id) && !taken.has(id);
    let missing = 0;
    return (wanted) => {
      let id = wanted || (generated[missing++] ??= unused(free));
      for (let n = tried.get(wanted) ?? 2; !free(id); n += 1) {
        id = `${wanted}_${n}`;
        tried.set(wanted, n + 1);
      }
      taken.add(id);
      return id;
    };
  }

  function unused(free: (id: string) => boolean): string {
    let id = newId();
    while (!free(id)) id = newId();
    return id;
  }
}

function isCall(message: Message): message is Extract<Message, { type: "tool_call" }> {
  return "type" in message && message.type === "tool_call";
}
