"""The providers that this implementation speaks: a module each, found by its name."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Dict

import anthropic_messages
import gemini
import openai_chat
import openai_responses

MODULES: Dict[str, ModuleType] = {
    module.PROVIDER: module for module in (anthropic_messages, gemini, openai_chat, openai_responses)
}
CLIENTS: Dict[str, Any] = {name: module.CLIENT for name, module in MODULES.items()}
