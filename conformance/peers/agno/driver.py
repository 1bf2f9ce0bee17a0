"""Agno for the conformance kit: an Agent over its own models, the conversation kept in its database."""

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.anthropic import Claude
from agno.models.base import Model
from agno.models.openai import OpenAIChat
from agno.run.agent import RunOutput
from agno.tools.function import Function
from peer import Conversation, Say, serve_peer


def model_of(given: Conversation) -> Model:
    access = {"id": given.model["model"], "api_key": given.model["api_key"]}
    if given.seam == "anthropic-messages":
        return Claude(**access, client_params={"base_url": given.model["base_url"], "max_retries": 0})
    return OpenAIChat(**access, base_url=given.model["base_url"], max_retries=0)


def tool_of(given: Conversation, tool: dict) -> Function:
    async def execute(**arguments: object) -> str:
        return await given.execute(tool["name"], arguments)

    names = {"name": tool["name"], "description": tool.get("description", "")}
    return Function(**names, parameters=tool["input_schema"], entrypoint=execute, skip_entrypoint_processing=True)


def begin(given: Conversation) -> Say:
    tools = [tool_of(given, tool) for tool in given.tools]
    history = {"db": InMemoryDb(), "add_history_to_context": True, "num_history_runs": 100}
    agent = Agent(model=model_of(given), instructions=given.instructions, tools=tools, telemetry=False, **history)

    async def say(text: str) -> dict[str, str]:
        session = {"session_id": given.model["base_url"]}
        if given.is_streamed:
            async for event in agent.arun(text, stream=True, yield_run_output=True, **session):
                result = event
        else:
            result = await agent.arun(text, **session)
        ended = result.status.value.lower() if isinstance(result, RunOutput) else "error"
        if ended in ("completed", "cancelled"):
            return {"ended": ended, "text": str(result.content)}
        return {"ended": "error", "error": str(result.content)}

    return say


models = {"anthropic-messages": "claude-sonnet-4-5", "openai-chat": "gpt-5"}
serve_peer("agno", begin, verbs=("after", "cancel"), models=models)
