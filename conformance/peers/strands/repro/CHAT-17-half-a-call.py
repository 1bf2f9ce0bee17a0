# A stream that ends inside the arguments of a call is told as a whole answer.
# Shows: CHAT-17
# Run it in the folder of the driver: .venv/bin/python repro/CHAT-17-half-a-call.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, lost_arguments

play(agent_of, lost_arguments("chat"))
