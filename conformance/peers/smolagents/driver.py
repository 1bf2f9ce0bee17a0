"""smolagents for the conformance kit: says why nothing can be asked of it. What is known of it stands in repro/."""

from peer import Conversation, Say, serve_peer
from smolagents import ToolCallingAgent


def begin(given: Conversation) -> Say:
    ends_with = "final_answer"
    assert ends_with in ToolCallingAgent(tools=[], model=None).tools
    raise NotImplementedError(
        f"a run of smolagents ends with a call of its own tool {ends_with}; "
        "a text of the model is a mistake, about which the model is asked again"
    )


serve_peer("smolagents", begin, verbs=("after",), models={"openai-chat": "gpt-4.1"}, transports=("json",))
