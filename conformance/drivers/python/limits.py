"""The limits of a run, which are checked between two turns."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Callable, Dict, Optional, Tuple

import cost
from result import NO_USAGE, model_calls

Json = Dict[str, Any]


def tokens(state: Json) -> int:
    usages = [call.get("usage", NO_USAGE) for call in model_calls(state)]
    return sum((usage["input_tokens"] or 0) + (usage["output_tokens"] or 0) for usage in usages)


def tool_calls(state: Json) -> int:
    return sum(step["tool_calls"] for step in state["steps"])


def spent(state: Json) -> Decimal:
    """What the run has cost, as far as anybody knows."""
    known = [call["cost"] for call in model_calls(state) if call.get("cost") is not None]
    return Decimal(cost.total(known) or 0)


def is_unknown(state: Json) -> bool:
    """Whether a run has a budget, and nobody knows what is left of it."""
    calls = model_calls(state)
    return state["options"].get("budget") is not None and any(call.get("cost") is None for call in calls)


def failed_turns(state: Json) -> int:
    """How many turns at the end had calls of which none succeeded."""
    count = 0
    for step in reversed(state["steps"]):
        if not step["tool_calls"] or "ok" in step["outcomes"]:
            break
        count += 1
    return count


# The options in the order in which they are looked at: what each counts, and the status that it gives.
LIMITS: Dict[str, Tuple[Callable[[Json], Any], str]] = {
    "max_turns": (lambda state: state["turn"], "max_turns"),  # [LOOP-23]
    "max_total_tokens": (tokens, "token_limit"),  # [LOOP-40]
    "max_tool_calls": (tool_calls, "tool_call_limit"),  # [LOOP-41]
    "max_failed_turns": (failed_turns, "error_limit"),  # [LOOP-42]
    "deadline_ms": (lambda state: state["counters"]["elapsed_ms"], "deadline"),  # [LOOP-43]
    "budget": (spent, "budget"),  # [LOOP-57]
}


def reached(state: Json) -> Optional[Tuple[str, str]]:
    """The option whose limit a run has reached, with the status that the run ends with."""
    for option, (count, status) in LIMITS.items():
        limit = state["options"].get(option)
        if limit is not None and count(state) >= Decimal(limit):
            return option, status
    return None
