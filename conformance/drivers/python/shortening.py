"""What makes a session smaller without a model: shorter thoughts, arguments and results, and how large that is."""

from __future__ import annotations

import json
from typing import Any, Dict, List

Json = Dict[str, Any]

LONGEST = 200  # characters that stay of a thought, and of arguments [COMPACT-13]
CUT = "\n[… shortened]"
MADE_BY_MODEL = ("thinking", "tool_call", "provider_item")


def tokens_of(messages: List[Json]) -> int:
    """An estimate: a token for four characters, and 250 for each part that is not text [COMPACT-3]."""
    sent = [message for message in messages if message.get("status") != "incomplete"]
    texts: List[str] = []
    parts = 0
    for message in sent:
        pieces = parts_of(message)
        texts += [piece["text"] for piece in pieces if piece.get("type") == "text"]
        parts += sum(piece.get("type") != "text" for piece in pieces)
        if message.get("type") == "tool_call":
            texts += [message["name"], arguments_of(message)]
    return tokens_of_texts(texts) + 250 * parts


def tokens_of_texts(texts: List[str]) -> int:
    return -(-sum(map(len, texts)) // 4)


def responses(messages: List[Json]) -> List[int]:
    """Where each response begins that is sent [COMPACT-34]."""
    return [at for at in every_response(messages) if messages[at].get("status") != "incomplete"]


def every_response(messages: List[Json]) -> List[int]:
    """Where each response begins, also one that was broken off: what stands behind it is another one."""
    kinds = [(is_made(message), message.get("status") == "incomplete") for message in messages]
    return [at for at, kind in enumerate(kinds) if kind[0] and not (at and kinds[at - 1] == kind)]


def is_made(message: Json) -> bool:
    return message.get("role") == "assistant" or message.get("type") in MADE_BY_MODEL


def first_kept(messages: List[Json], count: int) -> int:
    """Where the last responses begin that stay as they are, so many of them."""
    starts = responses(messages)
    return starts[-count] if len(starts) >= count else 0


def truncate_old(messages: List[Json], keep_last_turns: int) -> List[Json]:
    """The session with shorter thoughts and arguments in its earlier responses."""
    kept = first_kept(messages, keep_last_turns)
    return [shorter(message) for message in messages[:kept]] + messages[kept:]


def shorter(message: Json) -> Json:
    if message.get("compacted"):
        return message  # [COMPACT-12]
    if message.get("type") == "thinking" and not is_sealed(message) and len(message["content"]) > LONGEST:
        return {**message, "content": message["content"][:LONGEST], "compacted": True}
    if message.get("type") == "tool_call" and len(arguments_of(message)) > LONGEST:
        rest = {key: value for key, value in message.items() if key != "raw_input"}
        preview = {"_compacted": True, "preview": arguments_of(message)[:LONGEST]}  # [COMPACT-10]
        return {**rest, "input": preview, "compacted": True}
    return message


def is_sealed(message: Json) -> bool:
    """Whether thinking is signed or encrypted [COMPACT-8]."""
    return any(key not in ("provider", "model") for key in message.get("opaque") or {})


def shorten_results(messages: List[Json], most: int) -> List[Json]:
    """The session with results of at most so many characters [COMPACT-18]."""
    return [shorter_result(message, most) for message in messages]


def shorter_result(message: Json, most: int) -> Json:
    if message.get("type") != "tool_result" or is_failure(message) or message.get("compacted"):
        return message  # [COMPACT-9] [COMPACT-12]
    parts = parts_of(message)
    if sum(len(part["text"]) for part in parts if part.get("type") == "text") <= most:
        return message
    parts = with_less_text(parts, most)
    is_text = isinstance(message["output"], str)
    return {**message, "output": parts[0]["text"] if is_text else parts, "compacted": True}


def is_failure(message: Json) -> bool:
    """Whether it is the result of a call that did not succeed."""
    is_result = message.get("type") == "tool_result"
    return is_result and bool(message.get("is_error") or message.get("outcome", "ok") != "ok")


def with_less_text(parts: List[Json], most: int) -> List[Json]:
    """Parts with the beginning of their text; those that are not text stay [COMPACT-19]."""
    left = most - len(CUT)
    kept: List[Json] = []
    for part in parts:
        if part.get("type") != "text":
            kept.append(part)
        elif left >= 0:
            fits = len(part["text"]) <= left
            kept.append({**part, "text": part["text"] if fits else part["text"][:left] + CUT})
            left = left - len(part["text"]) if fits else -1
    return kept


def parts_of(message: Json) -> List[Json]:
    """What a message or a result says, as parts."""
    said: Any = message.get("output", message.get("content", ""))
    return [{"type": "text", "text": said}] if isinstance(said, str) else list(said)


def arguments_of(call: Json) -> str:
    return str(call["raw_input"]) if "raw_input" in call else written(call["input"])


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
