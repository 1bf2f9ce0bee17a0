// Checks one recorded request against the rules of its provider, and the order of its results against the spec.

import type { Exchange, Message, ModelResponse } from "../../../schemas/types.ts";
import { checkPairing } from "../../kit/checks/requests.ts";
import type { AnsweredRequest, RuleBreach, ScriptedPart, ScriptedResponse } from "../../kit/wire/codec.ts";
import { fixtureAnswer } from "../../kit/wire/fixture-bytes.ts";
import { valueAt } from "../../kit/base/json-pointer.ts";
import { codecs } from "../../kit/wire/codecs.ts";
import { isRuleOf, otherHosts } from "../../kit/wire/hosts.ts";
import { providerUpstreams } from "../record/routes.ts";
import { goodHeaders } from "../fixture/kept-headers.ts";
import { listPointer, placeOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import type { ReadExchange } from "./read-exchange.ts";
import { requestValue } from "../fixture/request-value.ts";

/** What is wrong with a request by itself. `answers` are those of its conversation so far, `earlier` all exchanges before it. */
export function checkRecordedRequest(
  { number, exchange, provider, request }: ReadExchange,
  answers: readonly ModelResponse[],
  earlier: readonly Exchange[],
): Finding[] {
  const recorded = exchange.request;
  if (!recorded || !provider || recorded.body === undefined) return [];
  const body = requestValue(recorded);
  const sent = answers.map((answer, at) => scripted(answer, at));
  const remembered = earlier.filter((one) => one.provider === provider && one.request).map(toRemembered);
  const headers = { ...goodHeaders, ...recorded.headers };
  const breaches = codecs[provider].checkRequest(body, headers, sent, remembered);
  const wasAccepted = exchange.response.status < 400;
  const place = { provider, upstream: exchange.upstream, path: recorded.path };
  const broken = breaches
    .filter((breach) => isRuleOf(place, breach) && !(wasAccepted && whatServersKnow.test(breach.rule)))
    .map(({ requirement, rule, ...breach }): Finding => {
      const pointer = pointerOf(breach, body);
      const [level, more] = judged(exchange);
      return { level, requirement, rule, exchange: number, pointer, message: `${breach.message}${more}` };
    });
  // A provider whose rules ask for pairs has said it already, and of what a server keeps the calls may not be known.
  const mayPair = !goesOnAtServer(body) && !broken.some(({ requirement }) => /^SESSION-[67]$/.test(requirement));
  return [...broken, ...(mayPair && request ? pairing(number, body, request.messages) : [])];
}

/** Rules about what the server has kept: one that accepts a request knows it better than a recording that began later. */
const whatServersKnow = /\/(previous-response|reasoning-known|thread-known)$/;

/** A server that only speaks a provider's format, and took the request, has other rules than the provider. */
function judged({ upstream, response: { status } }: Exchange): [Finding["level"], string] {
  if (status >= 400) return ["broken", "; the server refused it too"];
  if (upstream === undefined || ownUpstreams.has(upstream)) return ["broken", ""];
  const name = otherHosts.find((host) => host.name === upstream)?.title ?? upstream;
  return ["note", `; ${name} took it, the provider itself would not`];
}

const ownUpstreams: ReadonlySet<string> = new Set(providerUpstreams.map(({ name }) => name));

/** Whether a request has only what is new, because the server keeps the rest. */
function goesOnAtServer(body: unknown): boolean {
  const { previous_response_id, conversation, thread } = (body ?? {}) as Record<string, unknown>;
  return [previous_response_id, conversation, thread].some((place) => place != null);
}

function pairing(number: number, body: unknown, messages: readonly Message[]): Finding[] {
  return checkPairing(messages, number).map(({ requirement = "SESSION-6", message, path }) => {
    const at = path === undefined ? undefined : messages[Number(path.split("/").at(-1))];
    const pointer = at ? placeOf(body, at) : listPointer(body);
    return {
      level: "broken",
      requirement,
      exchange: number,
      pointer,
      message: message.replace(/^model request \d+: /, ""),
    };
  });
}

/** The place that a breach names in the provider's own notation, if the body has it: `messages.1.content.0`, `input[2]`. */
function pointerOf({ message, body }: Pick<RuleBreach, "message" | "body">, requestBody: unknown): string {
  const { error } = (body ?? {}) as { error?: { param?: string | null } };
  const named = error?.param ?? /^([\w.[\]]+):/.exec(message)?.[1] ?? "";
  const tokens = named.split(/[.[\]]+/).filter((token) => token !== "");
  for (let length = tokens.length; length > 0; length -= 1) {
    const pointer = `/${tokens.slice(0, length).join("/")}`;
    if (valueAt(requestBody, pointer) !== undefined) return pointer;
  }
  return "";
}

function toRemembered({ request, response }: Exchange): AnsweredRequest {
  return { request: requestValue(request), wire: fixtureAnswer(response) };
}

const noUsage = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** An answer as the rules know answers: they compare what comes back with it. */
function scripted(
  { messages, stop_reason, raw_stop_reason, usage, model }: ModelResponse,
  at: number,
): ScriptedResponse {
  return {
    parts: messages.flatMap(partOf),
    stop_reason,
    ...(raw_stop_reason != null && { raw_stop_reason }),
    usage: usage ?? noUsage,
    model: model ?? "",
    id: `recorded-${at}`,
  };
}

function partOf(message: Message): ScriptedPart[] {
  switch (message.type) {
    case "thinking": {
      const { signature, redacted, field } = (message.opaque ?? {}) as Record<string, string | undefined>;
      if (redacted !== undefined) return [{ thinking: "", signature: redacted, redacted: true }];
      const how = { ...(signature !== undefined && { signature }), ...(field !== undefined && { field }) };
      return [{ thinking: message.content, ...how }];
    }
    case "tool_call": {
      const { id, name, input, raw_input } = message;
      const { signature = null } = (message.opaque ?? {}) as { signature?: string };
      const call = { id, name, ...(input && { input }), ...(raw_input !== undefined && { raw_input }) };
      return [{ tool_call: call, signature }];
    }
    case "provider_item":
      return [{ provider_item: message.item }];
    default:
      return message.role === "assistant" ? [{ text: message.content }] : [];
  }
}
