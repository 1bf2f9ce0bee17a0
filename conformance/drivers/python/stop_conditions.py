"""The conditions under which a run stops after a batch."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from json_schema import equal

Json = Dict[str, Any]


TAKEN = ("requested", "final_result", "no_active_agent")  # what a loop reports of itself


def refused(conditions: List[Json]) -> Optional[str]:
    """What is wrong with conditions of which one has a name of the loop itself [EXTENSION-5]."""
    names = [condition["name"] for condition in conditions if condition.get("name") in TAKEN]
    return f"A stop condition has the name {names[0]}, which a loop reports of itself; rename it." if names else None


def met(state: Json) -> Optional[str]:
    """The name of the first condition that holds of the calls of a run, and of its last response."""
    conditions, messages = state["options"].get("stop_when", []), state["session"]["messages"]
    made = sum(step["tool_calls"] for step in state["steps"])
    calls = [index for index, message in enumerate(messages) if message.get("type") == "tool_call"]
    first = calls[-min(made, len(calls))]  # a compaction may have left fewer
    run, response = messages[first:], messages[state["response_start"] :]
    for condition in conditions:
        kind = next(key for key in HOLDS if key in condition)
        if HOLDS[kind](condition[kind], run, response):
            name: str = condition.get("name", kind)
            return name
    return None


def tool_called(name: str, run: List[Json], response: List[Json]) -> bool:
    return any(call["name"] == name for call in calls_of(response))


def text_contains(text: str, run: List[Json], response: List[Json]) -> bool:
    return any(text in message["content"] for message in response if message.get("role") == "assistant")


def same_call(count: int, run: List[Json], response: List[Json]) -> bool:
    last = [asked(call) for call in calls_of(run)[-count:]]
    return len(last) == count and all(equal(call, last[0]) for call in last)


def no_progress(count: int, run: List[Json], response: List[Json]) -> bool:
    batches = batches_of(run)
    return len(batches) > count and all(is_known(batches, at) for at in range(len(batches) - count, len(batches)))


def is_known(batches: List[List[Any]], at: int) -> bool:
    """Whether each call of a batch was in an earlier one, with the same result."""
    earlier = [call for batch in batches[:at] for call in batch]
    return all(any(equal(call, known) for known in earlier) for call in batches[at])


def batches_of(run: List[Json]) -> List[List[Any]]:
    """What each response called, with what came of it."""
    results = {message["id"]: message for message in run if message.get("type") == "tool_result"}
    batches: List[List[Any]] = []
    answered = True
    for message in run:
        if message.get("type") == "tool_call":
            result = results[message["id"]]
            batches += [[]] if answered else []
            batches[-1].append([asked(message), result["output"], result["outcome"]])
        answered = message.get("type") == "tool_result" or answered and message.get("type") != "tool_call"
    return batches


def calls_of(messages: List[Json]) -> List[Json]:
    return [message for message in messages if message.get("type") == "tool_call"]


def asked(call: Json) -> List[Any]:
    return [call["name"], call["input"], call.get("raw_input")]


HOLDS: Dict[str, Callable[[Any, List[Json], List[Json]], bool]] = {
    "tool_called": tool_called,  # [LOOP-49]
    "text_contains": text_contains,  # [LOOP-50]
    "same_call": same_call,  # [LOOP-51]
    "no_progress": no_progress,  # [LOOP-56]
}
