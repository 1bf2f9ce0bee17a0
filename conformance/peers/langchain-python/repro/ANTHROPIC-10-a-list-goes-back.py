# Arguments that are a list go back as what the API takes only as an object.
# Shows: ANTHROPIC-10
# Run it in the folder of the driver: .venv/bin/python repro/ANTHROPIC-10-a-list-goes-back.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from provider import call
from scenes import list_goes_back, play

play(agent_of, list_goes_back(stream=True, beside=(call("note", number="call_2"),)))
