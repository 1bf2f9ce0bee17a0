// Writes a conversation in any format, and says what of it has no place there.

import { providers } from "../../../../reference/providers/registry.ts";
import type { Rendered } from "../../../../reference/providers/shared/about-provider.ts";
import type { Message } from "../../../../schemas/types.ts";
import type { ProviderName } from "../../../kit/wire/codec.ts";
import { codecs } from "../../../kit/wire/codecs.ts";
import { essence } from "../../read/essence.ts";
import { missingFrom } from "./conversation.ts";
import type { Beside, Conversation, Converted, Format } from "./conversation.ts";
import { writeAtif } from "./write-atif.ts";

/** The conversation in that format. */
export function writeFormat(conversation: Conversation, to: Format): Converted<unknown> {
  if (to === "session") return { value: toSession(conversation), losses: [] };
  if (to === "atif") return writeAtif(conversation);
  return writeBody(conversation, to);
}

/** The body that the reference's adapter would send. */
export function renderFor(
  provider: ProviderName,
  { session, tools, model = "model", settings }: Conversation,
): Rendered {
  const messages = session.messages.filter((message) => !isIncomplete(message));
  return providers[provider].render({ messages, tools, ...(settings && { settings }) }, { model, transport: "json" });
}

function writeBody(conversation: Conversation, to: ProviderName): Converted<unknown> {
  const { body, warnings, unsupported } = renderFor(to, conversation);
  const { messages } = conversation.session;
  const again = codecs[to].readRequest(body).messages;
  // Leading instructions are joined, and stand elsewhere.
  const first = messages.findIndex(({ role }) => role !== "system");
  const sent = messages.map((message, at): Message => (at < first ? { role: "system", content: "" } : message));
  const carried = [...again, ...sent.slice(0, Math.max(first, 0))];
  return {
    value: body,
    losses: [
      ...(unsupported === undefined ? [] : [`not to be sent: ${unsupported}`]),
      ...warnings.map(({ code, message }) => `${code}: ${message}`),
      ...missingFrom(carried, sent.filter(hasNoWarning), essence),
      ...lostErrors(messages, again),
    ],
  };
}

/** Of the other messages a warning says why they are left out. */
function hasNoWarning({ type }: Message): boolean {
  return type !== "thinking" && type !== "provider_item";
}

/** Results that are errors, in a format that cannot say so. */
function lostErrors(before: readonly Message[], after: readonly Message[]): string[] {
  const failed = (messages: readonly Message[]) =>
    messages.flatMap((message) => (message.type === "tool_result" && message.is_error ? [message.id] : []));
  const kept = new Set(failed(after));
  return failed(before)
    .filter((id) => !kept.has(id))
    .map((id) => `that the result of ${id} is an error is said by its text alone`);
}

function toSession({ session, tools, model, settings }: Conversation): Conversation["session"] {
  const request: Beside = {
    ...(model !== undefined && { model }),
    ...(tools.length > 0 && { tools }),
    ...(settings && { settings }),
  };
  return Object.keys(request).length === 0 ? session : { ...session, metadata: { ...session.metadata, request } };
}

function isIncomplete(message: Message): boolean {
  return message.role !== "system" && message.role !== "user" && message.status === "incomplete";
}
