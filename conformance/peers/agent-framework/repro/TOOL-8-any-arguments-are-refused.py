# A tool whose schema allows any arguments is declared as one that allows none, and its calls are refused.
# Shows: TOOL-8
# Run it in the folder of the driver: .venv/bin/python repro/TOOL-8-any-arguments-are-refused.py
# Seen with: responses json and sse; with chat it is executed.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from provider import answer, call
from scenes import NOTHING, executed_as, play

said = answer("", call("look", '{"at": "a"}'))
play(agent_of, executed_as("responses", False, said, ("look", {"at": "a"}), schema=NOTHING))
