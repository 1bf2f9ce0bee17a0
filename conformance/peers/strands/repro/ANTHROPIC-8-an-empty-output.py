# A tool that says nothing becomes an empty text, which the provider refuses.
# Shows: ANTHROPIC-8
# Run it in the folder of the driver: .venv/bin/python repro/ANTHROPIC-8-an-empty-output.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, empty_output

play(agent_of, empty_output("anthropic"))
