"""What model calls cost, in exact decimal numbers; None is a cost that nobody knows."""

from __future__ import annotations

import decimal
from decimal import Decimal
from typing import Any, Dict, Iterable, List, Optional

Json = Dict[str, Any]

EXACT = decimal.Context(prec=1000)
MILLION = Decimal(1_000_000)


def cost_of(response: Json, prices: Json, asked: Optional[str]) -> Optional[str]:
    """What one model call cost, priced by the name that answered, or else by the one that was asked [RESULT-10]."""
    usage = response.get("usage") or {}
    given, made = usage.get("input_tokens"), usage.get("output_tokens")
    if took_nothing(response):
        return "0"  # [RESULT-25]
    price = price_of(prices, response.get("model"), asked)
    if price is None or given is None or made is None:
        return None  # [RESULT-12]
    price = price["long_prompt"] if "long_prompt" in price and given > price["long_prompt"]["above"] else price
    read, stored = usage.get("cache_read_tokens") or 0, usage.get("cache_write_tokens") or 0
    counts = {"input": given - read - stored, "cache_read": read, "cache_write": stored, "output": made}
    prices_of = {kind: Decimal(price.get(kind, price["input"])) for kind in counts}
    with decimal.localcontext(EXACT):
        return text_of(sum((counts[kind] * prices_of[kind] for kind in counts), Decimal(0)) / MILLION)


def said_nothing(response: Json) -> bool:
    """Whether nothing was said, and nothing of it was counted."""
    counted = [count for count in (response.get("usage") or {}).values() if count is not None]
    return not response.get("messages") and not counted


def took_nothing(response: Json) -> bool:
    """Whether a model call failed before anything was said, and nothing of it was counted [LOOP-138]."""
    return "error" in response and said_nothing(response)


def price_of(prices: Json, *names: Optional[str]) -> Optional[Json]:
    return next((prices["models"][name] for name in names if name in prices["models"]), None)


def total(costs: Iterable[Optional[str]]) -> Optional[str]:
    """The sum of costs; unknown if one of them is."""
    found = list(costs)
    with decimal.localcontext(EXACT):
        known = [Decimal(cost) for cost in found if cost is not None]
        return text_of(sum(known, Decimal(0))) if len(known) == len(found) else None


def text_of(amount: Decimal) -> str:
    return f"{amount.normalize():f}"


def totals(calls: List[Json], options: Json, is_late: bool = False) -> Json:
    """
    What a result says of the costs of its model calls, where there are prices [RESULT-11]. If the time of the run was over, the
    call that was cut off is left out, where nobody knows its cost [RESULT-18].
    """
    if "prices" not in options:
        return {}
    calls = [call for call in calls if not (is_late and is_unheard(call))]
    by_model: Dict[str, List[Optional[str]]] = {}
    for call in calls:
        own = {call["model"]: call.get("cost")} if "model" in call and "usage" in call else {}
        for model, cost in call.get("cost_by_model", own).items():
            by_model.setdefault(model, []).append(cost)
    by_name = {model: total(costs) for model, costs in by_model.items()}
    return {"cost": total(call.get("cost") for call in calls), "cost_by_model": by_name}


def is_unheard(call: Json) -> bool:
    return call.get("stop_reason") == "interrupted" and call.get("cost") is None


def without_price(options: Json, model: Optional[str]) -> bool:
    """Whether a run has a budget that says nothing, because its model has no price [LOOP-58]."""
    prices = options.get("prices", {"models": {}})
    return options.get("budget") is not None and price_of(prices, model) is None
