# What a tool of the server did does not go back as it came.
# Shows: LOOP-1
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-1-a-tool-of-the-server.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, server_tool

play(agent_of, server_tool())
