# A right call is not executed because the one beside it names no tool.
# Shows: TOOL-11
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-11-an-unknown-tool-beside-it.py
# Seen with: chat json and sse; responses json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, siblings

play(agent_of, siblings("chat", "{}", "nobody"))
