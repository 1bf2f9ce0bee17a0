# A call with blank arguments, of a tool that has no parameters, is not executed.
# Shows: TOOL-1
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-1-blank-arguments.py
# Seen with: anthropic sse; chat json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import no_arguments, play

play(agent_of, no_arguments("anthropic", "  ", stream=True))
