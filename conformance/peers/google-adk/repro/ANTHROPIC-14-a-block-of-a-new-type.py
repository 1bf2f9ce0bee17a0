# A block of a type that is new is dropped from the history, or loses the run.
# Shows: ANTHROPIC-14
# Run it in the folder of the driver: .venv/bin/python repro/ANTHROPIC-14-a-block-of-a-new-type.py
# Seen with: anthropic json.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, unknown_block

play(agent_of, unknown_block())
