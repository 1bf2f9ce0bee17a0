"""How Gemini's generateContent is told in what way the model is to be asked."""

from __future__ import annotations

from typing import Any, Dict

from translate import Model, sent_choice

Json = Dict[str, Any]

LEVELS = ("minimal", "low", "medium", "high")
MODES = {"auto": "AUTO", "none": "NONE", "required": "ANY"}
MOST_STOPS = 5


def gemini_settings(model: Model, request: Json) -> Json:
    """The fields of a request that are not its contents, its instructions or its tools."""
    settings = request.get("settings", {})
    stops = settings.get("stop_sequences", [])
    if len(stops) > MOST_STOPS:
        model.drop("stop_sequences", "after the fifth")  # [GEMINI-14]
    for setting in ("parallel_tool_calls", "cache"):
        if setting in settings:
            model.drop(setting)
    fields = {
        "maxOutputTokens": settings.get("max_output_tokens"),
        "temperature": settings.get("temperature"),
        "topP": settings.get("top_p"),
        "stopSequences": stops[:MOST_STOPS] or None,
        "thinkingConfig": thinking_fields(model, settings) or None,
    }
    config = {field: value for field, value in fields.items() if value is not None}
    choice = choice_fields(sent_choice(model, request))
    return {
        **({"toolConfig": {"functionCallingConfig": choice}} if choice else {}),
        **({"generationConfig": config} if config else {}),
    }


def thinking_fields(model: Model, settings: Json) -> Json:
    """How much the model is to think: a level or a budget, as the API refuses both together [GEMINI-14]."""
    thinking, effort = settings.get("thinking", {}), settings.get("effort")
    mode = thinking.get("mode")
    level = effort if mode in (None, "adaptive") and effort in LEVELS else None
    if effort is not None and level is None:
        model.drop("effort", effort)
    if mode == "off":
        if "display" in thinking:
            model.drop("thinking.display", "of a model that is not to think")
        return {"thinkingBudget": 0}
    return {
        **({"thinkingLevel": level} if level else {}),
        **({"thinkingBudget": thinking["budget_tokens"]} if mode == "budget" else {}),
        **({"includeThoughts": thinking.get("display") != "omitted"} if mode else {}),
    }


def choice_fields(choice: Any) -> Json:
    """Whether a function is called; the one that is chosen is the only one that is allowed [GEMINI-15]."""
    if isinstance(choice, dict):
        return {"mode": "ANY", "allowedFunctionNames": [choice["name"]]}
    return {"mode": MODES[choice]} if choice else {}
