"""The tool runner of Anthropic's Python SDK for the conformance kit: a thread keeps the conversation."""

from anthropic import AsyncAnthropic, beta_async_tool
from anthropic.lib.tools import BetaAsyncFunctionTool
from peer import Conversation, Say, serve_peer


def tool_of(given: Conversation, tool: dict) -> BetaAsyncFunctionTool:
    async def execute(**arguments: object) -> str:
        return await given.execute(tool["name"], arguments)

    description = tool.get("description", "")
    return beta_async_tool(execute, name=tool["name"], description=description, input_schema=tool["input_schema"])


def begin(given: Conversation) -> Say:
    client = AsyncAnthropic(**given.access)
    tools = [tool_of(given, tool) for tool in given.tools]
    settings = given.only(system=given.instructions, tools=tools or None)
    thread = client.beta.messages.thread(model=given.model["model"], max_tokens=4096, **settings)
    limits = given.only(max_iterations=given.limit, stream=given.is_streamed or None)

    async def say(text: str) -> dict[str, str]:
        thread.append({"role": "user", "content": text})
        answer = await thread.tool_runner(**limits).until_done()
        said = "".join(block.text for block in answer.content if block.type == "text")
        return {"ended": endings.get(answer.stop_reason, "cut_off"), "text": said}

    return say


# What the caller reads of the last message. At its limit the runner gives the message whose calls it has not answered.
endings = {
    "end_turn": "completed",
    "stop_sequence": "completed",
    None: "completed",
    "tool_use": "limit",
    "refusal": "refused",
}
models = {"anthropic-messages": "claude-sonnet-4-5"}
serve_peer("anthropic-tool-runner-python", begin, package="anthropic", models=models)
