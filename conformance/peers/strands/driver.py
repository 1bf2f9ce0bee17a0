"""Strands Agents for the conformance kit: an Agent over its own models, which keeps the conversation itself."""

from peer import Conversation, Say, serve_peer
from strands import Agent
from strands.agent.conversation_manager import NullConversationManager
from strands.models.anthropic import AnthropicModel
from strands.models.openai import OpenAIModel
from strands.models.openai_responses import OpenAIResponsesModel
from strands.types._events import ToolResultEvent
from strands.types.exceptions import MaxTokensReachedException
from strands.types.tools import AgentTool, ToolGenerator, ToolSpec, ToolUse


class KitTool(AgentTool):
    def __init__(self, given: Conversation, tool: dict) -> None:
        super().__init__()
        self.given, self.tool = given, tool

    tool_name = property(lambda self: self.tool["name"])
    tool_type = property(lambda self: "python")

    @property
    def tool_spec(self) -> ToolSpec:
        schema = {"json": self.tool["input_schema"]}
        return {"name": self.tool["name"], "description": self.tool.get("description", ""), "inputSchema": schema}

    async def stream(self, tool_use: ToolUse, invocation_state: dict, **kwargs: object) -> ToolGenerator:
        output = await self.given.execute(self.tool["name"], tool_use["input"])
        yield ToolResultEvent({"toolUseId": tool_use["toolUseId"], "status": "success", "content": [{"text": output}]})


def begin(given: Conversation) -> Say:
    kinds = {"openai-chat": OpenAIModel, "openai-responses": OpenAIResponsesModel}
    kind = kinds.get(given.seam, AnthropicModel)
    more = {"max_tokens": 4096} if kind is AnthropicModel else {}
    agent = Agent(
        model=kind(client_args=given.access, model_id=given.model["model"], **more),
        tools=[KitTool(given, tool) for tool in given.tools],
        system_prompt=given.instructions,
        conversation_manager=NullConversationManager(),
        callback_handler=None,
        retry_strategy=None,
    )

    async def say(text: str) -> dict[str, str]:
        result = await agent.invoke_async(text, **given.only(limits=given.limit and {"turns": given.limit}))
        return {"ended": endings.get(result.stop_reason, "completed"), "text": str(result)}

    return say


# What it does not know itself it hands on in the provider's own words.
endings = {"limit_turns": "limit", "max_tokens": "cut_off", "model_context_window_exceeded": "cut_off"} | {
    "content_filtered": "refused", "refusal": "refused", "cancelled": "cancelled"
}
models = {"anthropic-messages": "claude-sonnet-4-5", "openai-chat": "gpt-5", "openai-responses": "gpt-5"}
serve_peer("strands", begin, package="strands-agents", models=models, endings={MaxTokensReachedException: "cut_off"})
