"""LangChain for the conformance kit: create_agent, the conversation kept by a checkpointer of LangGraph."""

import kit
from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import StructuredTool, ToolException
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from peer import Conversation, Say, serve_peer

CUT = ("max_tokens", "length", "max_output_tokens", "model_context_window_exceeded")


def model_of(given: Conversation) -> BaseChatModel:
    access = {name: given.model[name] for name in ("model", "base_url", "api_key")}
    if given.seam == "anthropic-messages":
        return ChatAnthropic(**access, max_retries=0, streaming=given.is_streamed)
    by_responses = given.seam == "openai-responses"
    return ChatOpenAI(**access, max_retries=0, streaming=given.is_streamed, use_responses_api=by_responses)


def tool_of(given: Conversation, tool: dict) -> StructuredTool:
    async def execute(runtime: ToolRuntime, **arguments: object) -> str:
        try:
            return await given.execute(tool["name"], arguments)
        except kit.ToolFailed as failed:  # how a tool of LangChain says so; what it throws ends the run
            raise ToolException(str(failed)) from failed

    names = {"name": tool["name"], "description": tool.get("description", ""), "args_schema": tool["input_schema"]}
    return StructuredTool(**names, coroutine=execute, handle_tool_error=True)


def begin(given: Conversation) -> Say:
    tools = [tool_of(given, tool) for tool in given.tools]
    agent = create_agent(model_of(given), tools, system_prompt=given.instructions, checkpointer=InMemorySaver())
    steps = given.only(recursion_limit=given.limit and 2 * given.limit)  # LangGraph counts nodes, model and tools

    async def say(text: str) -> dict[str, str]:
        asked = {"messages": [{"role": "user", "content": text}]}
        state = await agent.ainvoke(asked, {"configurable": {"thread_id": given.model["base_url"]}, **steps})
        answer = state["messages"][-1]
        said = [block["type"] for block in answer.content if isinstance(block, dict)]
        refused = answer.additional_kwargs.get("refusal") or "refusal" in said
        return {"ended": "refused" if refused else ending_of(answer.response_metadata), "text": answer.text}

    return say


def ending_of(metadata: dict) -> str:
    reason = metadata.get("stop_reason") or metadata.get("finish_reason")
    reason = (metadata.get("incomplete_details") or {}).get("reason", reason)
    return "cut_off" if reason in CUT else "refused" if reason in ("refusal", "content_filter") else "completed"


models = {"anthropic-messages": "claude-sonnet-4-5", "openai-chat": "gpt-5", "openai-responses": "gpt-5"}
serve_peer("langchain-python", begin, package="langchain", models=models, endings={GraphRecursionError: "limit"})
