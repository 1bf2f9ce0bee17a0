"""Microsoft's Agent Framework for the conformance kit: an Agent over its OpenAI clients, the conversation kept in a session."""

from typing import Any

from agent_framework import Agent, FunctionTool
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient
from openai import AsyncOpenAI
from peer import Conversation, Say, serve_peer


def tool_of(given: Conversation, tool: dict) -> FunctionTool:
    async def execute(**arguments: object) -> str:
        return await given.execute(tool["name"], arguments)

    named = {"name": tool["name"], "description": tool.get("description", "")}
    return FunctionTool(**named, func=execute, input_model=tool["input_schema"], approval_mode="never_require")


def begin(given: Conversation) -> Say:
    kind = OpenAIChatCompletionClient if given.seam == "openai-chat" else OpenAIChatClient
    client = kind(given.model["model"], async_client=AsyncOpenAI(**given.access))
    tools = [tool_of(given, tool) for tool in given.tools]
    options: dict[str, Any] = {"store": False} if given.seam == "openai-responses" else {}
    agent = Agent(client, given.instructions, name="kit", tools=tools, default_options=options)
    session = agent.create_session()

    async def say(text: str) -> dict[str, str]:
        if given.is_streamed:
            answer = await agent.run(text, stream=True, session=session).get_final_response()
        else:
            answer = await agent.run(text, session=session)
        return {"ended": words.get(str(answer.finish_reason), "completed"), "text": answer.text}

    return say


words = {"length": "cut_off", "content_filter": "refused"}
models = {"openai-chat": "gpt-5", "openai-responses": "gpt-5"}
serve_peer("agent-framework", begin, package="agent-framework-core", verbs=("after", "cancel"), models=models)
