// How a response ends, and what may come in its place.

import type { ErrorKind, StopReason } from "../../../../schemas/types.ts";
import { anyTurn, callOf, tokens } from "../draft.ts";
import type { Ingredient } from "../draft.ts";
import { letRetriesPass } from "./actions.ts";

/** Ways in which a response ends, or fails. */
export const responses: readonly Ingredient[] = [
  {
    name: "cut response",
    features: [],
    add: (draft) => void (anyTurn(draft).stopReason = "max_tokens"),
  },
  {
    name: "continued text",
    features: ["continuation"],
    add(draft) {
      draft.options["on_max_tokens"] = "continue";
      const turn = anyTurn(draft);
      for (let piece = draft.choose.from(1, 4); piece > 0; piece -= 1)
        turn.before.push({
          respond: [{ text: `{{piece}} ${piece} ` }],
          stop_reason: "max_tokens",
          usage: tokens(10, 5),
        });
    },
  },
  {
    name: "empty response",
    features: ["continuation"],
    add(draft) {
      if (draft.choose.happens(0.7)) draft.options["on_empty"] = "retry";
      const turn = anyTurn(draft);
      for (let more = draft.choose.from(1, 2); more > 0; more -= 1)
        turn.before.push({ respond: [], usage: tokens(10, 0) });
    },
  },
  {
    name: "thinking alone",
    features: [],
    add: (draft) => void anyTurn(draft).before.push({ respond: [{ thinking: "{{thought}}" }], usage: tokens(10, 4) }),
  },
  {
    name: "odd ending",
    features: [],
    add(draft) {
      const reasons: StopReason[] = [
        "refusal",
        "content_filter",
        "stop_sequence",
        "end_turn",
        "tool_use",
        "context_window_exceeded",
      ];
      anyTurn(draft).stopReason = draft.choose.of(reasons);
    },
  },
  {
    name: "pause",
    features: ["pause"],
    add(draft) {
      const { choose } = draft;
      const turn = anyTurn(draft);
      if (choose.happens(0.3)) draft.options["max_pause_continuations"] = 1;
      for (let more = choose.from(1, 2); more > 0; more -= 1)
        turn.before.push({ respond: [{ text: `{{part}} ${more} ` }], stop_reason: "pause", usage: tokens(10, 5) });
    },
  },
  {
    name: "failed attempts",
    features: ["retry"],
    add(draft) {
      const { choose } = draft;
      const kinds: ErrorKind[] = ["overloaded", "rate_limit", "server_error", "network", "timeout"];
      const turn = anyTurn(draft);
      if (choose.happens(0.4)) draft.options["max_retries"] = choose.from(0, 1);
      for (let more = choose.from(1, 3); more > 0; more -= 1)
        turn.before.push({
          fault: {
            kind: choose.of(kinds),
            message: "{{trouble}}",
            ...(choose.happens(0.3) && { retry_after_ms: choose.of([0, 500, 70_000]) }),
          },
        });
      letRetriesPass(draft);
    },
  },
  {
    name: "failure for good",
    features: [],
    add(draft) {
      const kinds: ErrorKind[] = ["invalid_request", "authentication", "permission", "not_found", "quota"];
      anyTurn(draft).before.push({ fault: { kind: draft.choose.of(kinds), message: "{{trouble}}" } });
    },
  },
  {
    name: "lost in the middle",
    features: [],
    add(draft) {
      const turn = anyTurn(draft);
      const received = turn.parts.slice(0, draft.choose.from(1, turn.parts.length));
      turn.before.push({
        fault: {
          kind: draft.choose.of(["network", "overloaded", "stream_interrupted"] as ErrorKind[]),
          message: "{{trouble}}",
          after: received.map((part) =>
            part.tool_call ? callOf(draft, part.tool_call.name, part.tool_call.input ?? {}) : part,
          ),
        },
      });
    },
  },
  {
    name: "fallback",
    features: ["fallback"],
    add(draft) {
      draft.options["fallback_models"] = draft.choose.of([["model-b"], ["model-b", "model-c"]]);
      draft.options["max_retries"] = draft.choose.from(0, 1);
      const turn = anyTurn(draft);
      for (let more = draft.choose.from(1, 3); more > 0; more -= 1)
        turn.before.push({ fault: { kind: "overloaded", message: "{{trouble}}" } });
      letRetriesPass(draft);
    },
  },
];
