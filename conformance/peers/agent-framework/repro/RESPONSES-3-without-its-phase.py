# A text that is no answer yet goes back without its phase.
# Shows: RESPONSES-3
# Run it in the folder of the driver: .venv/bin/python repro/RESPONSES-3-without-its-phase.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import play, phase_goes_back

play(agent_of, phase_goes_back())
