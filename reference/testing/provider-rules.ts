// Whether the providers accept a session, followed by a user message, by the rules of the conformance kit.

import { codecs } from "../../conformance/kit/wire/codecs.ts";
import { providers } from "../providers/registry.ts";
import { initState, modelRequest } from "../core/session.ts";
import type { Session, Tool } from "../../schemas/types.ts";

const settings = { model: "m" };

/** The rules that the next request violates, one line each; empty if all accept it. */
export function refusedBy(session: Session, tools: Tool[]): string[] {
  const last = session.messages.at(-1);
  const more = last?.role === "user" ? [] : [{ role: "user" as const, content: "And then?" }];
  const state = initState({ ...session, messages: [...session.messages, ...more] }, "main");
  const request = modelRequest(state, { name: "main", tools });
  return Object.values(providers).flatMap(({ name, render }) => {
    const { body } = render(request, settings);
    const { checkRequest, traffic } = codecs[name];
    const headers = { "content-type": "application/json", ...traffic.keyHeader("key"), ...traffic.headers };
    const breaches = checkRequest(JSON.parse(JSON.stringify(body)), headers);
    return breaches.map(({ rule, message }) => `${name} rejects the session: ${rule}: ${message}`);
  });
}
