"""The driver of my-framework: lets the conformance kit run it over HTTP. Needs Python 3.9 or later, and: pip install -r requirements.txt

    npx agent-loop-spec driver check --driver .               the protocol, message by message
    npx agent-loop-spec test --driver . --case next-message/  the first cases
    npx agent-loop-spec explain SESSION-6                     what a requirement says, and which cases test it

It works as it stands: its loop is a few lines around the SDK of OpenAI. Put your framework in their place.
"""

import asyncio
import json

from kit import ToolThrew, execute_tool, serve
from openai import AsyncOpenAI

INITIALIZE = {
    "protocol": 1,
    "implementation": {"name": "my-framework", "version": "0.1.0", "language": "python"},
    "level": "wire",
    "seams": ["openai-chat"],  # the providers that the framework speaks
    "transports": ["json", "sse"],
    "verbs": ["after", "cancel", "limit"],  # leave out what the framework does not have
    "models": {"openai-chat": "gpt-5"},
    "concurrency": 8,
}
conversations = {}  # by run, as the framework itself keeps them: an agent with its memory, a session, a thread
running = {}


async def say(run, conversation, text, model):
    """Says something to a conversation, and tells in one word how that ended, as the framework tells its caller."""
    conversations[run] = conversation
    messages, settings, limit = conversation
    messages.append({"role": "user", "content": text})
    client = AsyncOpenAI(base_url=model["base_url"], api_key=model["api_key"], max_retries=0)
    running[run] = asyncio.current_task()
    try:
        for _ in range(limit):
            body = {"model": model["model"], "messages": messages, **settings}
            message, reason = await ask(client, body, model["transport"] == "sse")
            if reason is None:
                raise ConnectionError("the stream ended before its answer")
            is_cut = reason in ("length", "content_filter") or message.refusal
            calls = [] if is_cut else message.tool_calls or []
            text = message.content or ""
            if calls or text:
                said = [{"id": call.id, "type": "function", "function": function(call)} for call in calls]
                messages.append({"role": "assistant", "content": text, **({"tool_calls": said} if said else {})})
            results = [{"role": "tool", "tool_call_id": call.id, "content": "The user cancelled this."} for call in calls]
            messages.extend(results)
            await asyncio.gather(*(fill(result, run, settings, call) for result, call in zip(results, calls)))
            if is_cut:
                return {"ended": "cut_off" if reason == "length" else "refused", "text": text}
            if not calls:
                return {"ended": "completed", "text": text}
        return {"ended": "limit"}
    except asyncio.CancelledError:
        return {"ended": "cancelled"}
    except Exception as error:
        return {"ended": "error", "error": repr(error)}


async def ask(client, body, is_streamed):
    if not is_streamed:
        choice = (await client.chat.completions.create(**body)).choices[0]
        return choice.message, choice.finish_reason
    async with client.chat.completions.stream(**body) as stream:
        choice = (await stream.get_final_completion()).choices[0]
        return choice.message, choice.finish_reason


def parsed(call):
    """The arguments of a call; None if they are no JSON object, and then nothing is executed."""
    try:
        given = json.loads(call.function.arguments or "{}")
    except ValueError:
        return None
    return given if isinstance(given, dict) else None


def function(call):
    return {"name": call.function.name, "arguments": json.dumps(parsed(call) or {})}


async def fill(result, run, settings, call):
    """A tool that throws, or that cannot be called so, is told to the model."""
    name, given = call.function.name, parsed(call)
    if name not in [tool["function"]["name"] for tool in settings.get("tools", [])]:
        result["content"] = f"There is no tool {name}."
    elif given is None:
        result["content"] = "The arguments are no JSON object."
    else:
        try:
            result["content"] = await execute_tool(run, name, given)
        except ToolThrew as error:
            result["content"] = f"Error: {error}"


def run(params):
    known = conversations.get(params.get("after"))
    if known:
        return say(params["run"], known, params["input"], params["model"])
    instructions = params.get("instructions")
    messages = [{"role": "system", "content": instructions}] if instructions else []
    tools = [
        {"type": "function", "function": {"name": each["name"], "parameters": each["input_schema"]}}
        for each in params["tools"]
    ]
    conversation = (messages, {"tools": tools} if tools else {}, params.get("limit", 20))
    return say(params["run"], conversation, params["input"], params["model"])


def cancel(params):
    if params["run"] in running:
        running[params["run"]].cancel()


serve({"initialize": lambda params: INITIALIZE, "run": run, "cancel": cancel, "shutdown": lambda params: {}})
