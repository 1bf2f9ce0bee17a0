"""What a call is told that its tool did not answer: spec/result-texts.json, as far as this loop can come to it."""

from __future__ import annotations

from typing import Dict

NOTHING = "Nothing was executed."
AGAIN = f"{NOTHING} If the call is still needed, make it again."
LESS = f"so its arguments may be incomplete. {NOTHING} Send less at once."
# By what happened to the call.
RESULT_TEXTS: Dict[str, str] = {
    "unknown_tool": "There is no tool {name}, and nothing was executed. Available tools: {tools}.",
    "not_an_object": "The arguments must be a JSON object, but were: {arguments} "
    f"{NOTHING} Call the tool again with complete arguments.",
    "beyond_a_bound": "The arguments {reason}, and were not read. "
    f"{NOTHING} Call the tool again with smaller arguments.",
    "wrong_arguments": "The arguments of {name} do not match its schema: {problems}. "
    f"{NOTHING} Correct them, and call the tool again.",
    "wrong_changed_arguments": "The arguments were changed, and do not match the schema: {problems}. "
    f"{NOTHING} The mistake is not in your call.",
    "denied": "The call of {name} was not executed: {reason}. Do not repeat it unchanged.",
    "skipped": "The call of {name} was skipped, and nothing was executed. Go on without it.",
    "second_handoff": "The tool ran, but another call of this batch had already handed over, so this one did not.",
    "unknown_agent": "The tool ran, but there is no agent {name} to hand over to. Agents: {agents}.",
    "no_budget": "The agent was not started: the run has cost as much as it may. Go on without it.",
    "broke_before": f"The run broke off before this call was executed. {AGAIN}",
    "broke_while_running": "The run broke off while this tool was running, and its result is lost. "
    "It may have had effects: look before you repeat the call.",
    "not_recorded": f"{NOTHING[:-1]}: {{reason}}. If the call is still needed, make it again.",
    "max_tokens": f"The response was cut off by the token limit, {LESS}",
    "context_window_exceeded": f"The response was cut off because the context window is full, {LESS}",
    "stop_sequence": f"The response was ended by a stop sequence, so this call may be incomplete. {AGAIN}",
    "refusal": f"The response was ended by a refusal. {NOTHING} Go on without this call.",
    "content_filter": "The response was ended by a content filter. "
    f"{NOTHING} Go on without this call, or say it in other words.",
    "pause": f"The response paused too often and was given up. {AGAIN}",
    "other": f"The response ended for an unknown reason, so it may be incomplete. {AGAIN}",
    "error": f"The model call failed before the response was complete. {AGAIN}",
    "cancelled_before": f"The run was cancelled before this call was executed. {AGAIN}",
    "cancelled_while_running": "The run was cancelled before this tool ended. "
    "It may have had effects: look before you repeat the call.",
    "interrupted": f"The response was interrupted before it was complete. {AGAIN}",
}
