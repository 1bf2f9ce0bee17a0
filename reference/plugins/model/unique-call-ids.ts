// Gives every call of a session a unique id.

import { withUniqueIds } from "../../state/call-ids.ts";
import type { Plugin } from "../plugin.ts";
import { uniqueHex } from "../../support/unique-id.ts";

export interface IdSetup {
  /** Makes ids for calls without one. */
  newId?: () => string;
}

export const uniqueCallIds: Plugin<IdSetup> = {
  name: "unique-call-ids",
  setup: ["newId"],
  attach: ({ state: { session }, setup: { newId = shortId } }) => ({
    aroundRequest: (next, aside) => (aside ? next : withUniqueIds(next, session.messages, newId)),
  }),
};

/** Short enough for every provider: OpenAI Chat Completions takes 40 characters. */
function shortId(): string {
  return `call_${uniqueHex().slice(0, 24)}`;
}
