"""The Python loop of this project as a small agent program: three tools, a session in the working folder."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "drivers" / "python"))

import agent_loop  # noqa: E402
from anthropic_messages import AnthropicMessages  # noqa: E402
from openai_chat import OpenaiChat  # noqa: E402
from openai_responses import OpenaiResponses  # noqa: E402
from ports import Ports  # noqa: E402

PROVIDERS = {
    "anthropic-messages": (AnthropicMessages, "ANTHROPIC"),
    "openai-chat": (OpenaiChat, "OPENAI"),
    "openai-responses": (OpenaiResponses, "OPENAI"),
}
STORE = Path("session.json")
TEXT = {"type": "string"}


def shell(command):
    return subprocess.run(command, shell=True, stdout=subprocess.PIPE).stdout.decode("utf8", "replace")[:100_000]


def write(path, content):
    Path(path).write_text(content)
    return "written"


TOOLS = {
    "read_file": (["path"], lambda path: Path(path).read_text()),
    "write_file": (["path", "content"], write),
    "run_shell_command": (["command"], shell),
}


def declared(name, keys):
    schema = {"type": "object", "properties": {key: TEXT for key in keys}, "required": keys}
    return {"name": name, "description": name, "input_schema": schema}


def execute(call):
    return {"output": TOOLS[call["name"]][1](**call["input"])}


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    make, prefix = PROVIDERS[os.environ.get("PROVIDER", "anthropic-messages")]
    transport = "sse" if os.environ.get("STREAM", "1") == "1" else "json"
    model = make(os.environ[f"{prefix}_BASE_URL"], os.environ[f"{prefix}_API_KEY"], "probe-model", transport)
    session = json.loads(STORE.read_text()) if STORE.exists() else {"spec_version": "1.0", "id": "probe", "messages": []}
    session["messages"].append({"role": "user", "content": sys.argv[1]})
    agents = {"main": {"name": "main", "tools": [declared(name, keys) for name, (keys, _) in TOOLS.items()]}}
    STORE.write_text(json.dumps(session))
    result, after = agent_loop.run(session, agents, "main", Ports(model.invoke, execute, lambda event: None))
    STORE.write_text(json.dumps(after))
    print(result.get("final_text", ""))
    if result["status"] != "completed":
        sys.exit(f"{result['status']}: {(result.get('error') or {}).get('message', 'the run did not complete')}")


main()
