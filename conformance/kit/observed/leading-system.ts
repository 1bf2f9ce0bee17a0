// Reads the system text with which the messages of a request begin.

import type { Message } from "../../../schemas/types.ts";

/** The system messages at the beginning, joined as an adapter joins them. @see PROVIDER-4 */
export function leadingSystem(messages: readonly Message[]): string | undefined {
  const first = messages.findIndex((message) => message.role !== "system");
  const leading = messages
    .slice(0, first < 0 ? messages.length : first)
    .flatMap((message) => (message.role === "system" ? [message.content] : []));
  return leading.length > 0 ? leading.join("\n\n") : undefined;
}
