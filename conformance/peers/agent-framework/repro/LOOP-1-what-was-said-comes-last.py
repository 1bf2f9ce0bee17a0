# What the model said and thought goes back in another order: its text behind its calls.
# Shows: LOOP-1, PROVIDER-7
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-1-what-was-said-comes-last.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, items_in_order

play(agent_of, items_in_order())
