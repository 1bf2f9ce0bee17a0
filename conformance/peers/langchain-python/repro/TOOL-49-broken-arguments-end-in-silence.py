# A call whose arguments are no JSON ends the run in silence: it is not executed, and nobody is told.
# Shows: TOOL-49
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-49-broken-arguments-end-in-silence.py
# Seen with: chat json; responses json.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, silence

play(agent_of, silence("chat"))
