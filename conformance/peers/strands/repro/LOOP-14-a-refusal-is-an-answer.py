# A response in which the model refuses is told as an answer like any other.
# Shows: LOOP-14
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-14-a-refusal-is-an-answer.py
# Seen with: chat json and sse; responses json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, refused_text

play(agent_of, refused_text("chat", reason="end_turn", refusal="I will not."))
