"""What follows a response, by its stop reason: spec/stop-table.json."""

from __future__ import annotations

from typing import Any, Dict, Tuple

Json = Dict[str, Any]

COMPLETED = {"do": "finish", "status": "completed"}
INCOMPLETE = {"do": "finish", "status": "incomplete"}
REFUSED = {"do": "finish", "status": "refused"}
TOO_LONG = {"do": "finish", "status": "max_tokens"}
CUT_SHORT = (TOO_LONG, {**TOO_LONG, "do": "recover", "answer": "not_executed"})
BROKEN = ({"do": "fail"}, {"do": "fail", "answer": "interrupted"})
# What follows a response without calls, and one with calls.
STOP_TABLE: Dict[str, Tuple[Json, Json]] = {
    "tool_use": ({**COMPLETED, "warning": "tool_use_without_calls"}, {"do": "execute"}),
    "end_turn": (COMPLETED, {"do": "execute"}),
    "max_tokens": CUT_SHORT,
    "context_window_exceeded": CUT_SHORT,
    "stop_sequence": (COMPLETED, {**COMPLETED, "answer": "not_executed"}),
    "refusal": (REFUSED, {**REFUSED, "answer": "not_executed"}),
    "content_filter": (REFUSED, {**REFUSED, "answer": "not_executed"}),
    "pause": ({"do": "fail", "error": "pause_limit"}, {"do": "fail", "error": "pause_limit", "answer": "not_executed"}),
    "error": BROKEN,
    "interrupted": BROKEN,
    "other": (INCOMPLETE, {**INCOMPLETE, "answer": "not_executed"}),
}
