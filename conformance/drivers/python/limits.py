"""The limits of a run, which are checked between two turns."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Callable, Dict, List, Optional, Tuple

import cost
from result import model_calls

Json = Dict[str, Any]


def tokens(state: Json) -> int:
    """The tokens of a run, as far as they were counted."""
    return sum(count or 0 for call in model_calls(state) for count in counts(call))


def is_uncounted(call: Json) -> bool:
    """Whether nobody knows what a call took; a subagent that asked nobody, or was not answered, has taken nothing [LOOP-122]."""
    answers = call["turns"] - (call["status"] == "error") if "turns" in call else 1
    return answers > 0 and None in counts(call)


def counts(call: Json) -> List[Optional[int]]:
    return [call["usage"][kind] for kind in ("input_tokens", "output_tokens")] if "usage" in call else []


def tool_calls(state: Json) -> int:
    return sum(step["tool_calls"] for step in state["steps"])


def spent(state: Json) -> Decimal:
    """What the run has cost, as far as anybody knows."""
    known = [call["cost"] for call in model_calls(state) if call.get("cost") is not None]
    return Decimal(cost.total(known) or 0)


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

# The options of which nobody can tell what is left, and where that is so.
UNKNOWN: Dict[str, Callable[[Json], bool]] = {
    "max_total_tokens": lambda state: any(map(is_uncounted, model_calls(state))),
    "budget": lambda state: any(call.get("cost") is None for call in model_calls(state)),  # [LOOP-59]
}


def reached(state: Json) -> Optional[Tuple[str, Optional[str]]]:
    """The option whose limit a run has reached, with the status that it ends with; None if nobody can tell [LOOP-123]."""
    for option, (count, status) in LIMITS.items():
        limit = state["options"].get(option)
        if limit is None:
            continue
        if option in UNKNOWN and UNKNOWN[option](state):
            return option, None
        if count(state) >= Decimal(limit):
            return option, status
    return None
