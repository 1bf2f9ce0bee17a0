# A response in which the model refuses is told as an answer like any other.
# Shows: CHAT-16, LOOP-14
# Run it in the folder of the driver: .venv/bin/python repro/CHAT-16-a-refusal-is-an-answer.py
# Seen with: chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, refused_text

play(agent_of, refused_text("chat", stream=True, reason="end_turn", refusal="I will not."))
