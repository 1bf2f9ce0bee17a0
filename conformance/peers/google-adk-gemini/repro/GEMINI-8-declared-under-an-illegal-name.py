# A tool whose name Gemini does not take is declared under it, and every request is refused.
# Shows: GEMINI-8
# Run it in the folder of the driver: .venv/bin/python repro/GEMINI-8-declared-under-an-illegal-name.py
# Seen with: gemini json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import illegal_tool, play

play(agent_of, illegal_tool("gemini", name="calendar/read"))
