# A tool whose name no provider takes is declared under it, and every request is refused.
# Shows: PROVIDER-26
# Run it in the folder of the driver: .venv/bin/python repro/PROVIDER-26-declared-under-an-illegal-name.py
# Seen with: chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import illegal_tool, play

play(agent_of, illegal_tool("chat"))
