"""The options that this loop has; one that it does not have is refused, because whoever sets it relies on it."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any, Dict, Optional

from bounds import DEFAULTS as BOUNDS

Json = Dict[str, Any]

# Each with its default, as in schemas/run-options.schema.json; None is none.
DEFAULTS: Json = {
    **{"max_turns": 20, "max_truncation_recoveries": 3, "max_pause_continuations": 10, "execute_tools": True},
    **{"max_total_tokens": None, "max_tool_calls": None, "max_failed_turns": None, "deadline_ms": None},
    **{"on_max_tokens": "end", "max_continuations": 3, "on_empty": "end", "max_empty_retries": 1},
    **{"max_retries": 2, "max_retry_delay_ms": 60_000, "budget": None, "prices": None, "stop_when": None},
    **{"tool_choice": "auto", "tool_choice_for": "first_turn", "permissions": None, "bounds": None},
    **{"approval_batch": "atomic", "hook_timeout_ms": 60_000, "max_stop_blocks": 3, "compaction": None},
}

UNLIMITED = ("max_turns", "hook_timeout_ms")  # whose null is not what it is by default


def in_force(options: Json) -> Json:
    """All options of a run. What is as by default and has none is left out."""
    given = {**DEFAULTS, **options}
    return {name: value for name, value in given.items() if value is not None or name in UNLIMITED}


def differing(options: Json) -> Json:
    """The options that a snapshot has: another loop must not refuse what it does anyway [LOOP-101]."""
    return {name: value for name, value in options.items() if name not in DEFAULTS or value != DEFAULTS[name]}


def unknown(options: Json) -> Optional[str]:
    """Why these options are refused, if they are [LOOP-100]."""
    for name, value in options.items():
        if value is not None and name not in DEFAULTS:
            nearest = max(DEFAULTS, key=lambda known: SequenceMatcher(None, name.lower(), known).ratio())
            return f"This loop has no option {name}; the nearest that it has is {nearest}. Leave it out."
    for name in options.get("bounds") or {}:
        if name not in BOUNDS:
            return f"There is no bound {name}; there are {', '.join(BOUNDS)}."
    return None
