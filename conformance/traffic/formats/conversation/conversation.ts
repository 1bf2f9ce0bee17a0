// What every format is converted to and from: the messages, and what a request has beside them.

import { providerNames } from "../../../kit/wire/provider-names.ts";
import type { Message, ModelSettings, Session, Tool } from "../../../../schemas/types.ts";

/** The formats that `convert` knows. A fixture can only be read. */
export const formats = ["session", ...providerNames, "atif"] as const;
export type Format = (typeof formats)[number];

/** A conversation in generic terms. */
export interface Conversation {
  session: Session;
  tools: Pick<Tool, "name" | "description" | "input_schema">[];
  model?: string;
  settings?: ModelSettings;
}

/** A conversation that was read or written, and what could not be carried over, in words. */
export interface Converted<Value> {
  value: Value;
  losses: string[];
}

/** Where a session keeps what is no message, so that it can be converted back. */
export interface Beside {
  tools?: Conversation["tools"];
  model?: string;
  settings?: ModelSettings;
}

/** What of the messages is not among the others, in words. */
export function missingFrom(
  after: readonly Message[],
  before: readonly Message[],
  essence: (one: Message) => string,
): string[] {
  const left = new Map<string, number>();
  for (const message of after) left.set(essence(message), (left.get(essence(message)) ?? 0) + 1);
  return before.flatMap((message) => {
    const count = left.get(essence(message)) ?? 0;
    left.set(essence(message), count - 1);
    const what = message.type ?? message.role;
    return count > 0 ? [] : [`this ${what} message is not carried as it is: ${JSON.stringify(message).slice(0, 120)}`];
  });
}
