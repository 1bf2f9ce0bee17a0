# When one of two tools throws, the call and the result of the other one never reach the model.
# Shows: SESSION-27, TOOL-16
# Run it in the folder of the driver: .venv/bin/python repro/SESSION-27-one-of-two-tools-throws.py

import sys
import time

sys.path.insert(0, "../python")  # run it in the folder of the driver

from provider import Provider, answer, call, verdict
from smolagents import OpenAIModel, ToolCallingAgent, tool

both = answer("", call("note", '{"x": "1"}', "c1"), call("boom", '{"x": "2"}', "c2"))
provider = Provider(both, answer("", call("final_answer", '{"answer": "ok"}')))
done: list[str] = []


@tool
def note(x: str) -> str:
    """Notes something.

    Args:
        x: what
    """
    done.append(f"note({x!r})")
    return "noted"


@tool
def boom(x: str) -> str:
    """Fails.

    Args:
        x: what
    """
    while not done:
        time.sleep(0.01)
    raise RuntimeError("it broke")


model = OpenAIModel(model_id="gpt-4.1", api_base=provider.url, api_key="any", client_kwargs={"max_retries": 0})
agent = ToolCallingAgent([note, boom], model, verbosity_level=0, max_steps=4)
agent.logger.level = -1
agent.run("Go on.")
is_kept = "noted" in str(provider.requests[1]["messages"])
what = "in" if is_kept else "not in"
verdict(bool(done) and not is_kept, f"one of two tools threw; executed: {done}; its result is {what} the next request")
