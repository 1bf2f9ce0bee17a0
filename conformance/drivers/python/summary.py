"""A summary, which the model writes, in place of the older part of a session."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Set, Tuple

from shortening import arguments_of, every_response, first_kept, is_failure, parts_of

Json = Dict[str, Any]

INSTRUCTIONS = (
    "Summarize the conversation that follows, for whoever goes on with it and cannot read it. "
    "Keep what was asked, what was done and found, names and numbers as they are, and what is left to do. Say nothing else."
)
BEFORE = "Summary of what was said and done before:\n\n"
WHOLE = ("end_turn", "tool_use", "stop_sequence")  # the stop reasons of a text that is not cut off


def part_to_replace(messages: List[Json], keep_last_turns: int) -> Tuple[int, int, List[Json]]:
    """From where to where a summary takes the place of a session, and what stays of that [COMPACT-14]."""
    users = [at for at, message in enumerate(messages) if message.get("role") == "user"]
    end = first_kept(messages, keep_last_turns)
    start = min(users[0] + 1 if users else 0, end)
    staying = must_stay(messages, start, end)
    if all(at in staying or is_summary(messages[at]) for at in range(start, end)):
        return start, start, []  # there is nothing to summarize
    return start, end, [messages[at] for at in range(start, end) if at in staying]


def must_stay(messages: List[Json], start: int, end: int) -> Set[int]:
    """The messages of a part that stay, and with an error the rest of its response [COMPACT-5] [COMPACT-9] [COMPACT-26]."""
    said = [at for at, message in enumerate(messages) if message.get("role") == "user" and not message.get("synthetic")]
    staying = {at for at in range(start, end) if messages[at].get("role") == "system"} | set(said[-1:])
    starts = [*every_response(messages), len(messages)]
    for first, following in zip(starts, starts[1:]):
        whole = [at for at in range(first, following) if messages[at].get("role") in (None, "assistant")]
        if any(is_failure(messages[at]) for at in whole):
            staying.update(whole)
    return staying


def is_summary(message: Json) -> bool:
    return message.get("role") == "user" and bool(message.get("compacted"))


def request_for(messages: List[Json], instructions: Optional[str], agent: Json) -> Json:
    """What the model is asked for a summary of messages: they are told to it as one text."""
    lines = [line(message) for message in messages if message.get("status") != "incomplete"]  # [SESSION-13]
    told = [
        {"role": "system", "content": instructions or INSTRUCTIONS},  # [COMPACT-15]
        {"role": "user", "content": "\n\n".join(lines)},
    ]
    return {"messages": told, "tools": [], **{key: agent[key] for key in ("model", "settings") if key in agent}}


def line(message: Json) -> str:
    """A message as it is told to whoever summarizes."""
    kind = message.get("type")
    if kind == "tool_call":
        return f"[call {message['id']}] {message['name']} {arguments_of(message)}"
    who = f"[result of {message['id']}]" if kind == "tool_result" else f"[{kind or message['role']}]"
    return who + " " + " ".join(part.get("text") or f"({part.get('type')})" for part in parts_of(message))


def summary_of(response: Json) -> str:
    """The summary that a model wrote; empty where it did not, or not to the end [COMPACT-16]."""
    if "error" in response or response["stop_reason"] not in WHOLE:
        return ""
    texts = [message["content"] for message in response["messages"] if message.get("role") == "assistant"]
    return "".join(texts).strip()


def message_of(summary: str) -> Json:
    return {"role": "user", "content": BEFORE + summary, "synthetic": True, "compacted": True}
