"""Which calls may be executed: rules, and a mode for what no rule decides."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, List, Optional, Tuple

Json = Dict[str, Any]

# spec/permissions.json: the first row that holds decides. A mode without a classifier asks.
TABLE: List[Tuple[Json, str]] = [
    ({"rule": "deny"}, "deny"),
    ({"rule": "ask"}, "ask"),
    ({"mode": "bypass"}, "allow"),
    ({"mode": "plan", "read_only": False}, "deny"),
    ({"mode": "accept_edits", "edits": True}, "allow"),
    ({"rule": "allow"}, "allow"),
    ({"mode": "plan"}, "allow"),
    ({"mode": "auto"}, "ask"),
    ({}, "ask"),
]

RULE = re.compile(r"([^()]+)(?:\((.*)\))?", re.DOTALL)

# What a shell may read as more than text, so that it keeps commands apart.
SEPARATOR = re.compile(r"([;&|<>$`(){}\\\r\n])")


def verdict(call: Json, tool: Json, permissions: Json) -> str:
    """allow, deny or ask [PERMISSION-1]."""
    annotations = tool.get("annotations", {})
    rules = permissions.get("rules", [])
    facts = {
        "mode": permissions.get("mode", "default"),
        "read_only": annotations.get("read_only", False),
        "edits": annotations.get("edits", False),
    }
    matched = {rule["effect"] for rule in rules if matches(rule, tool, call)}

    def holds(when: Json) -> bool:
        return all(value in matched if name == "rule" else facts[name] == value for name, value in when.items())

    return next(decision for when, decision in TABLE if holds(when))


def unreadable(permissions: Json) -> Optional[str]:
    """A rule that would silently deny nothing, if there is one."""
    for rule in permissions.get("rules", []):
        if rule.get("effect") not in ("allow", "ask", "deny") or not RULE.fullmatch(str(rule.get("match", ""))):
            return f"A rule is an effect (allow, ask, deny) and a match: tool or tool(pattern). This is none: {rule}"
    return None


def matches(rule: Json, tool: Json, call: Json) -> bool:
    parts = RULE.fullmatch(rule["match"])
    if not parts or not fits(parts[1].strip(), call["name"]):
        return False
    pattern, allows = parts[2], rule["effect"] == "allow"
    if pattern is None:
        return True  # [PERMISSION-7]
    subject = subject_of(tool, call["input"])
    if subject is None:
        return not allows  # [PERMISSION-10]
    if tool.get("annotations", {}).get("shell"):
        return is_command(pattern, subject) if allows else has_command(pattern, subject)
    straight = fits(resolved(pattern), resolved(subject))  # [PERMISSION-29]
    return straight or (not allows and fits(pattern, subject))  # [PERMISSION-30]


def subject_of(tool: Json, given: Json) -> Optional[str]:
    """The argument that a pattern is compared with."""
    required = tool["input_schema"].get("required", [])
    only = required[0] if len(required) == 1 else None
    value = given.get(tool.get("annotations", {}).get("subject", only))
    return value if isinstance(value, str) else None


# Each comparison takes time in proportion to pattern and text [PERMISSION-32]: `*` stands for as little as it can.


def fits(pattern: str, text: str) -> bool:
    """Whether the whole text fits the pattern, in which * stands for any text."""
    first, *middle = pattern.split("*")
    if not middle:
        return text == pattern
    last = middle.pop()
    end = after(middle, text, len(first)) if text.startswith(first) else None
    return end is not None and len(text) - len(last) >= end and text.endswith(last)


def after(pieces: List[str], text: str, start: int) -> Optional[int]:
    """Where the pieces end in the text, each at its first place after the one before."""
    for piece in pieces:
        found = text.find(piece, start)
        if found < 0:
            return None
        start = found + len(piece)
    return start


def resolved(path: str) -> str:
    """A path without detours, by its text alone."""
    kept: List[str] = []
    for segment in path.split("/"):
        if segment in ("", "."):
            continue
        if segment != "..":
            kept.append(segment)
        elif kept and kept[-1] != "..":
            kept.pop()
        elif not path.startswith("/"):
            kept.append(segment)
    root, folder = ("/" if path.startswith("/") else ""), ("/" if path.endswith("/") and kept else "")
    return root + "/".join(kept) + folder


def is_command(pattern: str, line: str) -> bool:
    """Whether a command line has no commands but those that the pattern writes out [PERMISSION-8]."""
    expected, parts = (SEPARATOR.split(one_space(text)) for text in (pattern, line))
    pairs = zip(expected, parts)  # text, separator, text, separator, …, text
    return len(expected) == len(parts) and all(
        one == other if index % 2 else fits(one, other) for index, (one, other) in enumerate(pairs)
    )


def has_command(pattern: str, line: str) -> bool:
    """Whether a part of a command line fits the pattern, from a separator to a separator [PERMISSION-9]."""
    text = one_space(line)
    first, *middle = one_space(pattern).split("*")
    if not middle:
        return find(first, text, 0, lambda at, end: begins(text, at) and ends(text, end)) is not None
    last = middle.pop()
    begun = find(first, text, 0, lambda at, end: begins(text, at)) if first else 0
    reached = None if begun is None else after(middle, text, begun + len(first))
    if reached is None:
        return False
    return not last or find(last, text, reached, lambda at, end: ends(text, end)) is not None


def find(piece: str, text: str, start: int, accepts: Callable[[int, int], bool]) -> Optional[int]:
    at = text.find(piece, start)
    while at >= 0:
        if accepts(at, at + len(piece)):
            return at
        at = text.find(piece, at + 1)
    return None


def begins(text: str, at: int) -> bool:
    before = at - 2 if text[at - 1 : at] == " " else at - 1
    return before < 0 or bool(SEPARATOR.match(text[before]))


def ends(text: str, end: int) -> bool:
    behind = end + 1 if text[end : end + 1] == " " else end
    return behind >= len(text) or bool(SEPARATOR.match(text[behind]))


def one_space(text: str) -> str:
    """White space of any kind and length keeps words apart in the same way [PERMISSION-31]."""
    return re.sub(r"[ \t\v\f]+", " ", text)
