"""An agent of Google's ADK over its own Gemini model, as its documentation says: a session keeps the conversation."""

from typing import Any

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models import Gemini
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_tool import BaseTool
from google.genai import types


class Given(BaseTool):
    """A tool with a JSON Schema."""

    def __init__(self, tool: Any) -> None:
        super().__init__(name=tool.name, description="A tool.")
        self.tool = tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name, description="A tool.", parameters_json_schema=self.tool.schema)

    async def run_async(self, *, args: dict, tool_context: Any) -> object:
        return await self.tool.run(args)


def agent_of(*, api: str, stream: bool, url: str, tools: list[Any], limit: int | None) -> Any:
    model = Gemini(model="gemini-3-flash-preview", base_url=url, client_kwargs={"api_key": "any"})
    runner = InMemoryRunner(LlmAgent(name="agent", model=model, tools=[Given(tool) for tool in tools]), app_name="app")
    runner.auto_create_session = True
    mode = StreamingMode.SSE if stream else StreamingMode.NONE
    config = RunConfig(streaming_mode=mode, **({"max_llm_calls": limit} if limit else {}))

    async def say(text: str) -> dict[str, Any]:
        asked = types.Content(role="user", parts=[types.Part(text=text)])
        async for event in runner.run_async(user_id="u", session_id="s", run_config=config, new_message=asked):
            last = event
        parts = (last.content and last.content.parts) or []
        stop = last.error_code or (last.finish_reason and last.finish_reason.name)
        return {"text": "".join(part.text or "" for part in parts), "stop": stop}

    return say
