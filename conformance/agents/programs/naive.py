"""A naive agent loop: what everyone writes first. Nothing is checked, nothing is kept."""

import json
import os
import subprocess
import sys
import urllib.request

TOOLS = {
    "read_file": (["path"], lambda path: open(path).read()),
    "write_file": (["path", "content"], lambda path, content: open(path, "w").write(content)),
    "run_shell_command": (["command"], lambda command: subprocess.run(command, shell=True, capture_output=True, text=True).stdout),
}


def declared(name, keys):
    properties = {key: {"type": "string"} for key in keys}
    return {"name": name, "description": name, "input_schema": {"type": "object", "properties": properties, "required": keys}}


def ask(messages):
    body = {
        "model": "probe-model",
        "max_tokens": 1024,
        "messages": messages,
        "tools": [declared(name, keys) for name, (keys, _) in TOOLS.items()],
    }
    headers = {
        "content-type": "application/json",
        "x-api-key": os.environ["ANTHROPIC_API_KEY"],
        "anthropic-version": "2023-06-01",
    }
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    answer = ask(messages)
    messages.append({"role": "assistant", "content": answer["content"]})
    calls = [block for block in answer["content"] if block["type"] == "tool_use"]
    if not calls:
        print("".join(block.get("text", "") for block in answer["content"]))
        break
    results = [
        {"type": "tool_result", "tool_use_id": call["id"], "content": str(TOOLS[call["name"]][1](**call["input"]))}
        for call in calls
    ]
    messages.append({"role": "user", "content": results})
