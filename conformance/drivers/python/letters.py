"""Unicode: half of a surrogate pair is no letter; U+FFFD takes its place where a text is stored."""

from __future__ import annotations

import json
from typing import TypeVar

T = TypeVar("T")


def whole_letters(value: T) -> T:
    """A JSON value with U+FFFD for each half of a surrogate pair: the value itself where it has none."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
        return value
    except UnicodeEncodeError:
        whole: T = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        return whole
