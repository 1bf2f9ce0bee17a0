"""Google's ADK for the conformance kit: a Runner over its own Gemini model, the conversation kept in a session."""

import kit
from google.adk.agents import LlmAgent
from google.adk.agents.invocation_context import LlmCallsLimitExceededError
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models import Gemini
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types
from peer import Conversation, Say, serve_peer


class KitTool(BaseTool):
    def __init__(self, given: Conversation, tool: dict) -> None:
        super().__init__(name=tool["name"], description=tool.get("description", ""))
        self.given, self.tool = given, tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        schema = self.tool["input_schema"]
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict, tool_context: ToolContext) -> object:
        try:
            return await self.given.execute(self.name, args)
        except kit.ToolFailed as failed:  # how a tool of ADK says so; what it throws ends the run
            return {"error": str(failed)}


def begin(given: Conversation) -> Say:
    access = {"base_url": given.model["base_url"], "client_kwargs": {"api_key": given.model["api_key"]}}
    model = Gemini(model=given.model["model"], **access)
    tools = [KitTool(given, tool) for tool in given.tools]
    agent = LlmAgent(name="kit", model=model, instruction=lambda _: given.instructions or "", tools=tools)
    runner = InMemoryRunner(agent, app_name="kit")
    runner.auto_create_session = True
    mode = StreamingMode.SSE if given.is_streamed else StreamingMode.NONE
    config = RunConfig(streaming_mode=mode, **given.only(max_llm_calls=given.limit))

    async def say(text: str) -> dict[str, str]:
        asked = types.Content(role="user", parts=[types.Part(text=text)])
        where = {"user_id": "u", "session_id": given.model["base_url"], "run_config": config}
        async for event in runner.run_async(new_message=asked, **where):
            last = event
        parts = (last.content and last.content.parts) or []
        said = "".join(part.text or "" for part in parts if not part.thought)
        finished = last.error_code or (last.finish_reason and last.finish_reason.name) or "STOP"
        return {"ended": words.get(finished, "error"), "text": said, **given.only(error=last.error_message)}

    return say


refusals = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII")
words = {"STOP": "completed", "MAX_TOKENS": "cut_off", **dict.fromkeys(refusals, "refused")}
endings = {LlmCallsLimitExceededError: "limit"}
models = {"gemini": "gemini-3-flash-preview"}
serve_peer("google-adk-gemini", begin, package="google-adk", models=models, endings=endings)
