"""The part of JSON Schema that the spec asks of every loop, so that the loop needs no library."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

Errors = List[Tuple[str, str]]  # (JSON Pointer of the offending value, what is wrong with it)

IS_TYPE: Dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    # JSON knows one kind of number: 1.0 is an integer. In Python, True is one too; in JSON it is not.
    "integer": lambda value: IS_TYPE["number"](value) and value == value // 1,
}


def check(value: Any, schema: Any, pointer: str = "") -> Errors:
    """What breaks the schema; an empty list if nothing does. No value is converted [TOOL-4]."""
    if schema is True:
        return []
    if schema is False:
        return [(pointer, "is not permitted")]
    types = schema.get("type", list(IS_TYPE))
    types = [types] if isinstance(types, str) else types
    if not any(IS_TYPE[name](value) for name in types):
        return [(pointer, f"must be of type {' or '.join(types)}")]
    errors: Errors = []
    if "enum" in schema and not any(equal(value, allowed) for allowed in schema["enum"]):
        errors.append((pointer, "must be one of the values that the schema lists"))
    if "const" in schema and not equal(value, schema["const"]):
        errors.append((pointer, "must be the value that the schema names"))
    if isinstance(value, dict):
        missing = [key for key in schema.get("required", []) if key not in value]
        errors += [(join(pointer, key), "is required, and missing") for key in missing]
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            errors += check(item, inner, join(pointer, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            errors += check(item, schema.get("items", True), f"{pointer}/{index}")
    return errors


def equal(a: Any, b: Any) -> bool:
    """Equality as JSON has it: 1 equals 1.0, but not True."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return bool(a == b)


def join(pointer: str, key: str) -> str:
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
