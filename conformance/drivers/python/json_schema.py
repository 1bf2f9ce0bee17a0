"""JSON Schema as far as the spec asks it of every loop [TOOL-42], so that the loop needs no library."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Callable, Dict, List, Tuple

from schema_refusals import target_of

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
# What a limit measures, and when it is kept.
NUMBERS: Dict[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "exclusiveMinimum": lambda value, limit: value > limit,
    "exclusiveMaximum": lambda value, limit: value < limit,
    "multipleOf": lambda value, step: Decimal(str(value)) % Decimal(str(step)) == 0,
}
SIZES = (("Length", str), ("Items", list), ("Properties", dict))


def check(value: Any, schema: Any, pointer: str = "", root: Any = None) -> Errors:
    """What breaks the schema; an empty list if nothing does. No value is converted [TOOL-4]."""
    root = schema if root is None else root
    if schema is True:
        return []
    if schema is False:
        return [(pointer, "is not permitted")]
    errors: Errors = []
    if "$ref" in schema:
        errors += check(value, target_of(schema["$ref"], root), pointer, root)
        if is_draft_07(root):  # where a reference stands alone
            return errors
    types = schema.get("type", list(IS_TYPE))
    types = [types] if isinstance(types, str) else types
    if not any(IS_TYPE[name](value) for name in types):
        return [(pointer, f"must be of type {' or '.join(types)}")]
    if "enum" in schema and not any(equal(value, allowed) for allowed in schema["enum"]):
        errors.append((pointer, "must be one of the values that the schema lists"))
    if "const" in schema and not equal(value, schema["const"]):
        errors.append((pointer, "must be the value that the schema names"))
    errors += check_combined(value, schema, pointer, root)
    for what, kind in SIZES:
        if isinstance(value, kind):
            errors += check_size(len(value), what, schema, pointer)
    if IS_TYPE["number"](value):
        errors += [
            (pointer, f"breaks {name} {schema[name]}")
            for name, holds in NUMBERS.items()
            if name in schema and not holds(value, schema[name])
        ]
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        errors.append((pointer, f"must match {schema['pattern']}"))
    if isinstance(value, dict):
        errors += check_object(value, schema, pointer, root)
    if isinstance(value, list):
        errors += check_list(value, schema, pointer, root)
    return errors


def check_combined(value: Any, schema: Any, pointer: str, root: Any) -> Errors:
    errors = [error for inner in schema.get("allOf", []) for error in check(value, inner, pointer, root)]
    fits = lambda inner: not check(value, inner, pointer, root)  # noqa: E731
    if "anyOf" in schema and not any(map(fits, schema["anyOf"])):
        errors.append((pointer, "must fit one of several schemas"))
    if "oneOf" in schema and sum(map(fits, schema["oneOf"])) != 1:
        errors.append((pointer, "must fit exactly one of several schemas"))
    if "not" in schema and fits(schema["not"]):
        errors.append((pointer, "must not fit what is excluded"))
    if "if" in schema:
        errors += check(value, schema.get("then" if fits(schema["if"]) else "else", True), pointer, root)
    return errors


def check_size(size: int, what: str, schema: Any, pointer: str) -> Errors:
    too_small, too_large = size < schema.get(f"min{what}", 0), size > schema.get(f"max{what}", size)
    return [(pointer, f"breaks {'min' if too_small else 'max'}{what}")] if too_small or too_large else []


def check_object(value: Any, schema: Any, pointer: str, root: Any) -> Errors:
    missing = [key for key in schema.get("required", []) if key not in value]
    errors: Errors = [(join(pointer, key), "is required, and missing") for key in missing]
    for key, item in value.items():
        patterns = schema.get("patternProperties", {})
        inner = [schema["properties"][key]] if key in schema.get("properties", {}) else []
        inner += [patterns[pattern] for pattern in patterns if re.search(pattern, key)]
        for each in inner or [schema.get("additionalProperties", True)]:
            errors += check(item, each, join(pointer, key), root)
    return errors


def check_list(value: Any, schema: Any, pointer: str, root: Any) -> Errors:
    first, rest = schema.get("prefixItems", []), schema.get("items", True)
    if isinstance(rest, list):  # as draft-07 has it
        first, rest = rest, schema.get("additionalItems", True)
    errors: Errors = []
    for index, item in enumerate(value):
        errors += check(item, first[index] if index < len(first) else rest, f"{pointer}/{index}", root)
    return errors


def is_draft_07(root: Any) -> bool:
    return isinstance(root, dict) and "draft-07" in root.get("$schema", "")


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
