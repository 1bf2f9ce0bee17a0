# Arguments that are a list end the run, and the call beside them is not executed.
# Shows: TOOL-11
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-11-a-list-beside-it.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, siblings

play(agent_of, siblings("chat", '["/etc"]'))
