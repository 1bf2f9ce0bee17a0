"""The kit's end of the conversation, which is the same for every framework: JSON-RPC in lines over stdin and stdout."""

import asyncio
import itertools
import json
import os
import sys
import traceback

waiting = {}
numbers = itertools.count(1)
# Nothing but messages may stand on stdout, whatever a framework prints, and however.
stdout = open(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.stdout = sys.stderr


class ToolThrew(Exception):
    """The kit answered with an error: the tool throws."""


class ToolFailed(ToolThrew):
    """The tool says that it failed. Where a framework has no way to say so, it throws."""


async def execute_tool(run, name, given):
    """Has the kit execute a tool. `given` is whatever the framework hands to the tool. Returns what the tool says."""
    number = f"d{next(numbers)}"
    waiting[number] = asyncio.get_running_loop().create_future()
    send({"id": number, "method": "tool/execute", "params": {"run": run, "call": {"name": name, "input": given}}})
    answer = await waiting[number]
    if "error" in answer:
        raise ToolThrew(answer["error"]["message"])
    result = answer["result"]
    said = result["output"] if "output" in result else result.get("data")
    text = said if isinstance(said, str) else json.dumps(said)
    if result.get("is_error"):
        raise ToolFailed(text)
    return text


def serve(methods):
    """Serves the kit until it closes its end. What a framework leaves running then must not keep the process."""
    try:
        asyncio.run(_serve(methods))
    finally:
        os._exit(0)


async def _serve(methods):
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=2**26)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    answering = set()
    while line := await reader.readline():
        message = json.loads(line)
        if "method" not in message:
            answered = waiting.pop(message["id"])
            if not answered.cancelled():
                answered.set_result(message)
        elif "id" not in message:
            methods.get(message["method"], lambda params: None)(message["params"])
        else:
            task = loop.create_task(answer(methods, message))
            answering.add(task)
            task.add_done_callback(answering.discard)


async def answer(methods, request):
    method = methods.get(request["method"])
    if method is None:
        return send({"id": request["id"], "error": {"code": -32601, "message": f"no method {request['method']}"}})
    try:
        result = method(request["params"])
        send({"id": request["id"], "result": await result if asyncio.iscoroutine(result) else result})
    except Exception:
        send({"id": request["id"], "error": {"code": -32603, "message": traceback.format_exc()}})


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), file=stdout, flush=True)
