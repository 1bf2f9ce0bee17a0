"""The OpenAI Agents SDK for the conformance kit: Runner, the conversation kept in a Session."""

from typing import Any

from agents import Agent, FunctionTool, ModelSettings, RunConfig, Runner, SQLiteSession, default_tool_error_function
from agents.exceptions import MaxTurnsExceeded, ModelRefusalError
from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel
from agents.models.openai_responses import OpenAIResponsesModel
from agents.tool_context import ToolContext
from openai import AsyncOpenAI
from peer import Conversation, Say, serve_peer
from pydantic import TypeAdapter

arguments_of = TypeAdapter(dict[str, Any])


def tool_of(given: Conversation, tool: dict) -> FunctionTool:
    async def execute(ctx: ToolContext, arguments: str) -> str:
        try:
            return await given.execute(tool["name"], arguments_of.validate_json(arguments or "{}"))
        except Exception as error:  # as the wrapper of @function_tool does
            return default_tool_error_function(ctx, error)

    description = tool.get("description", "")
    return FunctionTool(tool["name"], description, tool["input_schema"], execute, strict_json_schema=False)


def begin(given: Conversation) -> Say:
    client = AsyncOpenAI(**given.access)
    kind = OpenAIChatCompletionsModel if given.seam == "openai-chat" else OpenAIResponsesModel
    agent = Agent(
        name="kit",
        instructions=given.instructions,
        model=kind(given.model["model"], client),
        model_settings=ModelSettings(include_usage=True),
        tools=[tool_of(given, tool) for tool in given.tools],
    )
    session = SQLiteSession(given.run)
    settings: dict = {
        "session": session,
        "run_config": RunConfig(tracing_disabled=True),
        **given.only(max_turns=given.limit),
    }

    async def say(text: str) -> str:
        if not given.is_streamed:
            return str((await Runner.run(agent, text, **settings)).final_output)
        result = Runner.run_streamed(agent, text, **settings)
        async for _ in result.stream_events():
            pass
        return str(result.final_output)

    return say


endings = {MaxTurnsExceeded: "limit", ModelRefusalError: "refused"}
models = {"openai-chat": "gpt-5", "openai-responses": "gpt-5"}
serve_peer("openai-agents-python", begin, package="openai-agents", models=models, endings=endings)
