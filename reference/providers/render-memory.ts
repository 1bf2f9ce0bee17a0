// Keeps what each message was rendered to, so that a longer session renders only what is new in it.

import type { Message } from "../types.ts";

/** What one adapter rendered, by message. `F` is what it makes of one message. */
export interface RenderMemory<F> {
  /** What `render` makes of this message for this model, from memory if it is there. `render` sees only the message and the model. */
  recall(message: Message, model: string, render: () => F): F;
}

interface Kept<F> {
  fields: Message;
  model: string;
  rendered: F;
}

/**
 * A memory that forgets a message with the message itself. Messages keep their identity from turn to turn and are not changed;
 * one that got another value in one of its fields all the same is rendered anew.
 * @see PROVIDER-13
 */
export function createRenderMemory<F>(): RenderMemory<F> {
  const memory = new WeakMap<Message, Kept<F>>();
  return {
    recall(message, model, render) {
      const kept = memory.get(message);
      if (kept && kept.model === model && hasSameFields(kept.fields, message)) return kept.rendered;
      const rendered = render();
      memory.set(message, { fields: { ...message }, model, rendered });
      return rendered;
    },
  };
}

function hasSameFields(a: object, b: object): boolean {
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in one) if (one[key] !== other[key]) return false;
  for (const key in other) if (!(key in one)) return false;
  return true;
}
