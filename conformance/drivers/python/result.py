"""What a run came to: why it is over, and what all its steps together were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

import cost

Json = Dict[str, Any]

USAGE = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens")
NO_USAGE: Json = dict.fromkeys(USAGE)


@dataclass
class Ending:
    """Why a run is over."""

    status: str
    error: Optional[Json] = None
    stop_condition: Optional[str] = None
    reason: Optional[str] = None  # in words, of a hook or a guardrail
    guardrail: Optional[Json] = None

    def written(self) -> Json:
        """The end as a snapshot, or a journal, has it."""
        return {key: value for key, value in vars(self).items() if value is not None}


def ending_in(state: Json, name: str) -> Optional[Ending]:
    """The end that a state has under a name; what only another loop says of it is left out."""
    known = {key: value for key, value in state.get(name, {}).items() if key in vars(Ending(""))}
    return Ending(**known) if known else None


def failed(kind: str, message: str) -> Ending:
    return Ending("error", error(kind, message))


def error(kind: str, message: str) -> Json:
    return {"kind": kind, "message": message}


def step_of(state: Json, response: Json, asked: Optional[str], calls: int) -> Json:
    """The record of a turn, as far as its response tells."""
    model = response.get("model") or asked  # [RESULT-26]
    return {
        "turn": state["turn"],
        "agent": state["agent"],
        **({"model": model} if model else {}),
        "stop_reason": response["stop_reason"],
        "raw_stop_reason": response.get("raw_stop_reason"),
        "usage": response.get("usage", NO_USAGE),
        **({"cost": response["cost"]} if "prices" in state["options"] else {}),
        "tool_calls": calls,
        "outcomes": [],
        **{key: response[key] for key in ("attempts",) if key in response},
    }


def model_calls(state: Json) -> List[Json]:
    """Every call of a model that a run took, those that failed included; and as one, those of each subagent."""
    failed = {"cost": "0"}  # what an attempt took of which another loop says no cost, or a summary of which it says no tokens
    asked = [each for each in state.get("compactions", []) if {"usage", "cost", "attempts"} & set(each)]  # [COMPACT-17]
    asked = [each if "usage" in each else {**failed, **each} for each in asked]
    return [
        call
        for each in (*state["steps"], *asked)
        for call in (*({**failed, **attempt} for attempt in each.get("attempts", [])), each, *each.get("subagents", []))
    ]


def calls_by_model(state: Json) -> List[Json]:
    """The same; the last call names no model that has neither said anything nor been counted [RESULT-27]."""
    steps: List[Json] = state["steps"]
    if not steps or len(state["session"]["messages"]) > state["response_start"]:
        return model_calls(state)
    last = steps[-1]
    nameless = {key: last[key] for key in last if key != "model"}
    is_silent = last["stop_reason"] in ("error", "interrupted") and set(last["usage"].values()) == {None}
    return model_calls({**state, "steps": [*steps[:-1], nameless if is_silent else last]})


def result_of(state: Json, ending: Ending) -> Json:
    """The result of a run that is over."""
    response = state["session"]["messages"][state["response_start"] :]
    text = said_last(state, ending)
    calls = any(message.get("type") == "tool_call" for message in response)
    result: Json = {"status": ending.status, "turns": state["turn"], "final_text": text, "agent": state["agent"]}
    result["session_id"] = state["session"]["id"]  # [RESULT-22]
    costs = cost.totals(calls_by_model(state), state["options"], is_late=ending.status == "deadline")
    result.update(totals(state), **costs, steps=state["steps"])
    if state.get("compactions"):
        result["compactions"] = state["compactions"]
    if "context" in state:
        result["context"] = state["context"]  # [RESULT-14]
    if ending.status == "completed" and not text and not calls:
        result["empty"] = True  # [LOOP-20]
    if ending.error:
        result["error"] = ending.error
    if ending.stop_condition:
        result["stop_condition"] = ending.stop_condition
    if ending.reason:
        result["reason"] = ending.reason
    if ending.guardrail:
        result["guardrail"] = ending.guardrail
    return result


def said_last(state: Json, ending: Ending) -> str:
    """The text of the last response, unless a guardrail [GUARDRAIL-12] or a hook [HOOK-33] has refused it."""
    point = (ending.guardrail or {}).get("point")
    is_refused = point in ("model_output", "final_output") or ending.stop_condition == "blocked"
    return "" if is_refused else text_of(state["session"]["messages"][state["response_start"] :])


def text_of(messages: List[Json]) -> str:
    return "".join(message["content"] for message in messages if message.get("role") == "assistant")


def totals(state: Json) -> Json:
    """What a result says of all its steps together."""
    usage, by_model = NO_USAGE, {}
    steps = state["steps"]
    for call in calls_by_model(state):
        used = call.get("usage", NO_USAGE)
        usage = add(usage, used)
        for model, part in usage_by_model(call).items():
            by_model[model] = add(by_model.get(model, NO_USAGE), part)
    last = steps[-1] if steps else {"stop_reason": None, "raw_stop_reason": None}
    return {
        "stop_reason": last["stop_reason"],
        "raw_stop_reason": last["raw_stop_reason"],
        "tool_calls": sum(step["tool_calls"] for step in steps),
        "usage": usage,
        "usage_by_model": by_model,
    }


def usage_by_model(call: Json) -> Json:
    """What each model took in a call, or in all calls of a subagent [SUBAGENT-10]."""
    own = {call["model"]: call["usage"]} if "model" in call and "usage" in call else {}
    found: Json = call.get("usage_by_model", own)
    return found


def add(a: Json, b: Json) -> Json:
    """The sum of two usages; null is unknown, and stays so only if both are [RESULT-4]."""
    return {key: b[key] if a[key] is None else a[key] if b[key] is None else a[key] + b[key] for key in USAGE}
