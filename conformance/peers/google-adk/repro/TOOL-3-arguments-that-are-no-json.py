# Arguments that are no JSON are executed, mended or as nothing.
# Shows: TOOL-3
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-3-arguments-that-are-no-json.py
# Seen with: anthropic json.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import cut_arguments, play

play(agent_of, cut_arguments("anthropic"))
