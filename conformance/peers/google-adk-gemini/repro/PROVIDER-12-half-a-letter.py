# Half of a letter in the output of a tool goes out, and the run cannot go on.
# Shows: PROVIDER-12
# Run it in the folder of the driver: .venv/bin/python repro/PROVIDER-12-half-a-letter.py
# Seen with: gemini json and sse.

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import half_a_letter, play

play(agent_of, half_a_letter("gemini", stream=True))
