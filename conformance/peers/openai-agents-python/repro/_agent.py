"""An agent of the OpenAI Agents SDK, as its documentation says: a Session keeps the conversation."""

import json
from typing import Any

from agents import Agent, FunctionTool, ModelSettings, RunConfig, Runner, SQLiteSession, default_tool_error_function
from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel
from agents.models.openai_responses import OpenAIResponsesModel
from openai import AsyncOpenAI


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    def tool_of(tool: Any) -> FunctionTool:
        async def execute(context: Any, arguments: str) -> str:
            try:
                given = json.loads(arguments) if arguments else {}
                return await tool.run(given if isinstance(given, dict) else json.loads("no object"))
            except Exception as error:  # as the wrapper of @function_tool does
                return default_tool_error_function(context, error)

        return FunctionTool(tool.name, "A tool.", tool.schema, execute, strict_json_schema=False)

    client = AsyncOpenAI(api_key="any", base_url=url, max_retries=0)
    kind = OpenAIChatCompletionsModel if api == "openai-chat" else OpenAIResponsesModel
    settings = ModelSettings(include_usage=True)
    agent = Agent(
        "agent", model=kind("gpt-5", client), model_settings=settings, tools=[tool_of(tool) for tool in tools]
    )
    more: dict = {"session": SQLiteSession("one"), "run_config": RunConfig(tracing_disabled=True)}
    more |= {"max_turns": limit} if limit else {}

    async def say(text: str) -> dict[str, Any]:
        if not stream:
            return {"text": (await Runner.run(agent, text, **more)).final_output}
        result = Runner.run_streamed(agent, text, **more)
        async for _ in result.stream_events():
            pass
        return {"text": result.final_output}

    return say
