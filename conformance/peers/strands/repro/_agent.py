"""An agent of Strands, as its documentation says: the agent keeps the conversation."""

from typing import Any

from strands import Agent
from strands.agent.conversation_manager import NullConversationManager
from strands.models.anthropic import AnthropicModel
from strands.models.openai import OpenAIModel
from strands.models.openai_responses import OpenAIResponsesModel
from strands.types._events import ToolResultEvent
from strands.types.tools import AgentTool


class Given(AgentTool):
    """A tool with a JSON Schema."""

    tool_name = property(lambda self: self.tool.name)
    tool_type = property(lambda self: "python")
    tool_spec = property(
        lambda self: {"name": self.tool.name, "description": "A tool.", "inputSchema": {"json": self.tool.schema}}
    )

    def __init__(self, tool: Any) -> None:
        super().__init__()
        self.tool = tool

    async def stream(self, tool_use: Any, invocation_state: dict, **kwargs: object) -> Any:
        said = {"toolUseId": tool_use["toolUseId"], "status": "success"}
        yield ToolResultEvent({**said, "content": [{"text": await self.tool.run(tool_use["input"])}]})


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    access = {"api_key": "any", "base_url": url, "max_retries": 0}
    if api == "anthropic-messages":
        model: Any = AnthropicModel(client_args=access, model_id="claude-sonnet-4-5", max_tokens=4096)
    else:
        kind = OpenAIModel if api == "openai-chat" else OpenAIResponsesModel
        model = kind(client_args=access, model_id="gpt-5")
    more = {"conversation_manager": NullConversationManager(), "callback_handler": None, "retry_strategy": None}
    agent = Agent(model=model, tools=[Given(tool) for tool in tools], **more)

    async def say(text: str) -> dict[str, Any]:
        result = await agent.invoke_async(text, **({"limits": {"turns": limit}} if limit else {}))
        return {"text": str(result), "stop": result.stop_reason}

    return say
