"""The providers that this implementation speaks: a module each, found by its name, and loaded by the first run that has it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

PROVIDERS = ("anthropic-messages", "gemini", "openai-chat", "openai-responses")


def module_of(provider: str) -> ModuleType:
    return import_module(provider.replace("-", "_"))


def client_of(provider: str) -> Any:
    return module_of(provider).CLIENT
