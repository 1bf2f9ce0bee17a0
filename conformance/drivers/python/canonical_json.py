"""One text for one JSON value, in every language (RFC 8785), and its hash."""

from __future__ import annotations

import hashlib
import json
import math
from decimal import Decimal
from typing import Any


def sha256(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def canonical(value: Any) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{string(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return string(value)


def string(value: Any) -> str:
    """A text, true, false or null: here Python writes what RFC 8785 asks for."""
    return json.dumps(value, ensure_ascii=False)


def number(value: float) -> str:
    """The shortest decimal of a double, laid out as ECMAScript does. JSON has no other numbers."""
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"JSON has no number {value}")
    if value == 0:
        return "0"
    _, parts, exponent = Decimal(repr(abs(value))).as_tuple()
    written = "".join(map(str, parts))
    digits = written.rstrip("0")
    point = len(written) + int(exponent)  # where the decimal point stands, counted from the first digit
    if 0 < point <= 21:
        whole, rest = digits[:point].ljust(point, "0"), digits[point:]
    elif -6 < point <= 0:
        whole, rest = "0", "0" * -point + digits
    else:
        whole, rest = digits[0], digits[1:]
    power = "" if -6 < point <= 21 else f"e{point - 1:+d}"
    return ("-" if value < 0 else "") + whole + ("." + rest if rest else "") + power
