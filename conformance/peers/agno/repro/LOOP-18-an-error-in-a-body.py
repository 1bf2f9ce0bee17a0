# The body of an error with status 200 is told as an answer.
# Shows: LOOP-18
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-an-error-in-a-body.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import error_body, play

play(agent_of, error_body("anthropic"))
