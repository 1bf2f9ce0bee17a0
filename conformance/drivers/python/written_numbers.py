"""Fractions that keep the text in which they were written, from a body that is read to a body that is sent."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any, List


class WrittenNumber(float):
    """A fraction, and its text: a double does not hold every fraction as it is written [PROVIDER-35]."""

    text: str

    def __new__(cls, text: str) -> "WrittenNumber":
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __reduce__(self) -> Any:
        return WrittenNumber, (self.text,)


def read_exactly(text: str) -> Any:
    """What a JSON text says, its fractions with their text."""
    return json.loads(text, parse_float=WrittenNumber)


def write_exactly(value: Any, **style: Any) -> str:
    """A value as JSON, with the fractions as they were written."""
    texts: List[str] = []
    mark = uuid.uuid4().hex  # stands in no text

    def marked(value: Any) -> Any:
        if isinstance(value, WrittenNumber):
            texts.append(value.text)
            return f"{mark}{len(texts) - 1}"
        if isinstance(value, dict):
            return {key: marked(member) for key, member in value.items()}
        return [marked(member) for member in value] if isinstance(value, list) else value

    written = json.dumps(marked(value), ensure_ascii=False, **style)
    return re.sub(f'"{mark}([0-9]+)"', lambda found: texts[int(found[1])], written) if texts else written
