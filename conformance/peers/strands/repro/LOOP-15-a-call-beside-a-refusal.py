# A call of a response in which the model refuses is executed.
# Shows: LOOP-15
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-15-a-call-beside-a-refusal.py
# Seen with: chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, refused_call

play(agent_of, refused_call("chat"))
