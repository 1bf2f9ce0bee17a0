"""An agent of pydantic-ai, as its documentation says: the messages of a run, also of one that failed, are given to the next."""

from typing import Any

from pydantic_ai import Agent, Tool, UsageLimits, capture_run_messages
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    def tool_of(tool: Any) -> Tool:
        async def execute(**arguments: object) -> str:
            return await tool.run(arguments)

        return Tool.from_schema(execute, tool.name, "A tool.", tool.schema)

    if api == "anthropic-messages":
        model: Any = AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(api_key="any", base_url=url))
    else:
        kind = OpenAIChatModel if api == "openai-chat" else OpenAIResponsesModel
        model = kind("gpt-5", provider=OpenAIProvider(api_key="any", base_url=url))
    agent = Agent(model, tools=[tool_of(tool) for tool in tools])
    limits = {"usage_limits": UsageLimits(request_limit=limit)} if limit else {}
    kept: list = []

    async def say(text: str) -> dict[str, Any]:
        with capture_run_messages() as messages:
            try:
                result = await ask(text)
            finally:
                kept[:] = messages
        return {"text": result.output, "stop": result.response.finish_reason}

    async def ask(text: str) -> Any:
        if not stream:
            return await agent.run(text, message_history=list(kept), **limits)
        async with agent.run_stream_events(text, message_history=list(kept), **limits) as events:
            return [event async for event in events][-1].result

    return say
