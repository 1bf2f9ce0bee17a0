"""pydantic-ai for the conformance kit: an Agent over its own clients, its messages kept, also of a run that failed."""

import kit
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from peer import Conversation, Say, serve_peer
from pydantic_ai import Agent, AgentRunResult, RunContext, Tool, UsageLimits, capture_run_messages
from pydantic_ai.exceptions import ContentFilterError, RunCancelled, ToolFailed, UsageLimitExceeded
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider


def model_of(given: Conversation) -> AnthropicModel | OpenAIChatModel | OpenAIResponsesModel:
    if given.seam == "anthropic-messages":
        provider = AnthropicProvider(anthropic_client=AsyncAnthropic(**given.access))
        return AnthropicModel(given.model["model"], provider=provider)
    kind = OpenAIChatModel if given.seam == "openai-chat" else OpenAIResponsesModel
    return kind(given.model["model"], provider=OpenAIProvider(openai_client=AsyncOpenAI(**given.access)))


def tool_of(given: Conversation, tool: dict) -> Tool:
    async def execute(ctx: RunContext, **arguments: object) -> str:
        try:
            return await given.execute(tool["name"], arguments)
        except kit.ToolFailed as failed:  # how a tool of pydantic-ai says so; what it throws ends the run
            raise ToolFailed(str(failed)) from failed

    return Tool.from_schema(execute, tool["name"], tool.get("description"), tool["input_schema"], takes_ctx=True)


def begin(given: Conversation) -> Say:
    agent = Agent(
        model_of(given), instructions=given.instructions, tools=[tool_of(given, tool) for tool in given.tools]
    )
    kept: list = []

    async def say(text: str) -> dict[str, str]:
        with capture_run_messages() as messages:
            try:
                result = await ask(text)
            finally:
                kept[:] = messages
        return {"ended": words.get(result.response.finish_reason, "completed"), "text": result.output}

    async def ask(text: str) -> AgentRunResult[str]:
        limits = given.only(usage_limits=given.limit and UsageLimits(request_limit=given.limit))
        if not given.is_streamed:
            return await agent.run(text, message_history=list(kept), **limits)
        async with agent.run_stream_events(text, message_history=list(kept), **limits) as events:
            return [event async for event in events][-1].result  # type: ignore[union-attr]

    return say


words = {"length": "cut_off", "content_filter": "refused", "error": "error"}
endings = {UsageLimitExceeded: "limit", ContentFilterError: "refused", RunCancelled: "cancelled"}
models = {"anthropic-messages": "claude-sonnet-4-5", "openai-chat": "gpt-5", "openai-responses": "gpt-5"}
serve_peer("pydantic-ai", begin, package="pydantic-ai-slim", models=models, endings=endings)
