# A tool is executed although the model had written null as its arguments.
# Shows: TOOL-3
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-3-null-is-executed.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, no_object

play(agent_of, no_object("chat", "null"))
