# A page of a proxy with status 200 is reported as an answer.
# Shows: LOOP-18
# Run it in the folder of the driver: .venv/bin/python repro/LOOP-18-a-page-of-a-proxy.py

import sys

sys.path.insert(0, "../python")  # run it in the folder of the driver

from _agent import agent_of
from scenes import error_page, play

play(agent_of, error_page("responses"))
