# An error with status 200 is told as an empty answer.
# Shows: RESPONSES-20
# Run it in the folder of the driver: .venv/bin/python repro/RESPONSES-20-an-error-in-a-body.py
# Seen with: responses json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import error_body, play

play(agent_of, error_body("responses"))
