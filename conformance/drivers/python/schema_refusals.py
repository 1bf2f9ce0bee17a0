"""Why arguments cannot be held against a schema, said before a run, so that no schema is obeyed in part [TOOL-43]."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import unquote

Json = Dict[str, Any]

DIALECTS = ("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema")
NOT_OBEYED = (
    *("$dynamicRef", "$recursiveRef", "contains", "dependencies", "dependentRequired", "dependentSchemas"),
    *("propertyNames", "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "maxContains", "minContains"),
)
TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
ONE = ("items", "additionalItems", "additionalProperties", "not", "if", "then", "else")
LISTS = ("allOf", "anyOf", "oneOf", "items", "prefixItems")
MAPS = ("$defs", "definitions", "patternProperties", "properties")
# A repeated group with a repetition or a choice inside, which a reader that goes back may read in very many ways.
AMBIGUOUS = re.compile(r"\((?:[^()\\]|\\.)*(?:[*+}|])(?:[^()\\]|\\.)*\)(?:[*+]|\{\d+,\d*\})")
SEPARATED = re.compile(r"\((?:\?:)?(?:\\[^\w\s]|[-_/:,@ ])(?:\[[^\]]*\]|\\\w|\w)[*+]?\)(?:[*+]|\{\d+,\d*\})")


def refuse_schema(root: Json) -> Optional[str]:
    """The first keyword that cannot be obeyed, with its JSON Pointer; None if all can."""
    if root.get("$schema", DIALECTS[0]).rstrip("#") not in DIALECTS:
        return f"/$schema: {root['$schema']!r} is not known; expected JSON Schema 2020-12 or draft-07"
    for pointer, schema in walk(root, ""):
        why = refuse_here(schema, root)
        if why:
            return f"{pointer}/{why}"
    return None


def refuse_here(schema: Json, root: Json) -> Optional[str]:
    for keyword in NOT_OBEYED:
        if keyword in schema:
            return f"{keyword} is not obeyed here"
    if "$id" in schema and schema is not root:
        return "$id gives references another base, which is not obeyed here"
    types = schema.get("type", [])
    for name in [types] if isinstance(types, str) else types:
        if name not in TYPES:
            return f"type: {name!r} is no type"
    for pattern in [schema.get("pattern", ""), *schema.get("patternProperties", {})]:
        if not is_safe(pattern):
            return f"pattern: {pattern!r} cannot be matched, or not in a bounded time"
    if "$ref" in schema and target_of(schema["$ref"], root) is None:
        return f"$ref: {schema['$ref']!r} refers to nothing in this schema; nothing is fetched"
    if leads_back(schema, root, []):
        return f"$ref: {schema.get('$ref')!r} leads back to itself"
    return None


def is_safe(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return not AMBIGUOUS.search(SEPARATED.sub("", pattern)) and not re.search(r"\\[1-9]|\(\?P=", pattern)


def leads_back(schema: Any, root: Json, before: List[int]) -> bool:
    """Whether a schema asks the same value again to fit itself."""
    if not isinstance(schema, dict):
        return False
    if id(schema) in before:
        return True
    inner = [target_of(schema["$ref"], root)] if "$ref" in schema else []
    for keyword in IN_PLACE:
        value = schema.get(keyword, [])
        inner += value if isinstance(value, list) else [value]
    return any(leads_back(each, root, [*before, id(schema)]) for each in inner)


def walk(schema: Any, pointer: str) -> Iterator[Tuple[str, Json]]:
    """Every schema inside of a schema, with its pointer."""
    if not isinstance(schema, dict):
        return
    yield pointer, schema
    for keyword in {*ONE, *LISTS, *MAPS}.intersection(schema):
        value = schema[keyword]
        if isinstance(value, list) and keyword in LISTS:
            inner: List[Tuple[str, Any]] = [(str(at), each) for at, each in enumerate(value)]
        elif keyword in MAPS and isinstance(value, dict):
            inner = [(key.replace("~", "~0").replace("/", "~1"), each) for key, each in value.items()]
        else:
            yield from walk(value, f"{pointer}/{keyword}")
            continue
        for at, each in inner:
            yield from walk(each, f"{pointer}/{keyword}/{at}")


def target_of(reference: Any, root: Json) -> Any:
    """The schema of the same document that a reference names; None if there is none."""
    own = root.get("$id", "").rstrip("#")
    fragment = reference[len(own) :] or "#" if own and reference.startswith(own) else reference
    if not fragment.startswith("#"):
        return None
    name = unquote(fragment[1:])
    if name and not name.startswith("/"):
        return next((schema for _, schema in walk(root, "") if schema.get("$anchor") == name), None)
    found: Any = root
    for key in name.split("/")[1:]:
        key = key.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, (dict, bool)) else None
