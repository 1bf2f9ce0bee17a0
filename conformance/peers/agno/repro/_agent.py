"""An agent of Agno, as its documentation says: its database keeps the conversation, and gives it to the model."""

from typing import Any

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.anthropic import Claude
from agno.models.openai import OpenAIChat
from agno.tools.function import Function


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    def tool_of(tool: Any) -> Function:
        async def execute(**arguments: object) -> str:
            return await tool.run(arguments)

        named = {"name": tool.name, "description": "A tool.", "parameters": tool.schema}
        return Function(**named, entrypoint=execute, skip_entrypoint_processing=True)

    if api == "anthropic-messages":
        given = {"base_url": url, "max_retries": 0}
        model: Any = Claude(id="claude-sonnet-4-5", api_key="any", client_params=given)
    else:
        model = OpenAIChat(id="gpt-5", api_key="any", base_url=url, max_retries=0)
    history = {"db": InMemoryDb(), "add_history_to_context": True, "num_history_runs": 100}
    agent = Agent(model=model, tools=[tool_of(tool) for tool in tools], telemetry=False, **history)

    async def say(text: str) -> dict[str, Any]:
        if stream:
            async for event in agent.arun(text, stream=True, yield_run_output=True, session_id="s"):
                result = event
        else:
            result = await agent.arun(text, session_id="s")
        status = result.status.value.lower() if hasattr(result, "status") else "error"
        return {"text": str(result.content), **({"stop": status} if status != "completed" else {})}

    return say
