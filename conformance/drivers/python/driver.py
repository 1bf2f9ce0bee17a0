"""The driver: puts the loop under the control of the conformance kit, over stdin and stdout, without a thread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Set, Tuple

import agent_loop
import recovery
from agent_loop import Json
from callbacks import Callbacks
from clock import Clock
from journal import Store, Superseded
from kit import Kit
from ports import Ports
from providers import PROVIDERS, client_of

SAID_OF_ITSELF = Path(__file__).with_name("agent-loop.json")


class Driver:
    """What it does with each request of the kit."""

    def __init__(self) -> None:
        methods = {
            **{"initialize": self.initialize, "shutdown": self.shutdown},
            **{"run": self.run, "resume": self.resume, "recover": self.recover},
        }
        self.kit = Kit(methods, {"steer": self.steer, "stop": self.stop})
        self.clocks: Dict[str, Clock] = {}  # of the runs that are not over
        self.inboxes: Dict[str, List[str]] = {}  # what is said to each run
        self.stops: Set[str] = set()  # the runs that were asked to stop
        self.ended: Dict[str, Tuple[Json, Json]] = {}  # what a run was started with, and what it came to
        self.is_over = False

    def serve(self) -> None:
        while not self.is_over:
            self.kit.hear()

    def initialize(self, params: Json) -> Json:
        said = json.loads(SAID_OF_ITSELF.read_text())
        return {
            "protocol": 1,
            "implementation": {key: said[key] for key in ("name", "version", "language")},
            "seams": ["generic", *PROVIDERS],
            "transports": ["json", "sse"],
            "features": said["features"],
        }

    def run(self, params: Json) -> Json:
        if "after" in params:
            params = self.next_run(params)
        self.clocks[params["run"]] = self.clock_of(params)
        session, agents, agent = (params[key] for key in ("session", "agents", "agent"))
        options, context = params.get("options"), params.get("context")
        came = self.conduct(params, lambda ports: agent_loop.run(session, agents, agent, ports, options, context))
        self.ended[params["run"]] = params, came
        return came

    def resume(self, params: Json) -> Json:
        snapshot, decisions, agents = (params[key] for key in ("snapshot", "decisions", "agents"))
        options = params.get("options")
        self.set_clock(params)
        came = self.conduct(params, lambda ports: agent_loop.resume(snapshot, decisions, agents, ports, options))
        if params["run"] in self.ended:
            self.ended[params["run"]] = self.ended[params["run"]][0], came
        return came

    def recover(self, params: Json) -> Json:
        self.set_clock(params)
        return self.conduct({**params, "journal": True}, lambda ports: recovery.recover(params["agents"], ports))

    def set_clock(self, params: Json) -> None:
        """The clock of a run that goes on, maybe in another process."""
        self.clocks.setdefault(params["run"], self.clock_of(params))
        if params.get("clock") == "virtual":
            self.kit.clock.time = self.kit.clock.until = params.get("clock_ms", self.kit.clock.until)
            self.clocks[params["run"]] = self.kit.clock

    def clock_of(self, params: Json) -> Clock:
        return self.kit.clock if params.get("clock") == "virtual" else Clock()

    def next_run(self, params: Json) -> Json:
        """What the user says next: all is as before, and the session is what the loop made of it [DRIVER-23]."""
        start, came = self.ended[params["after"]]
        said = {"role": "user", "content": params["input"]}
        session = {**came["session"], "messages": [*came["session"]["messages"], said]}
        return {**start, **params, "session": session, "agent": came["result"]["agent"]}

    def steer(self, params: Json) -> None:
        self.inboxes.setdefault(params["run"], []).append(params["content"])

    def stop(self, params: Json) -> None:
        self.stops.add(params["run"])

    def shutdown(self, params: Json) -> Json:
        self.is_over = True
        return {}

    def conduct(self, params: Json, play: Callable[[Ports], Tuple[Json, Json]]) -> Json:
        clock = self.clocks.pop(params["run"], Clock())
        result, session = play(self.ports_of(params, clock))
        del self.inboxes[params["run"]]  # what came too late is said again, if at all [LOOP-133]
        self.stops.discard(params["run"])  # who resumes the run does not stop it [LOOP-140]
        if result["status"] == "suspended":
            self.clocks[params["run"]] = clock
        return {"result": result, "session": session}

    def ports_of(self, params: Json, clock: Clock) -> Ports:
        inbox = self.inboxes.setdefault(params["run"], [])
        ports = Callbacks(self.kit, params["run"], clock).ports(params, inbox, self.stops)
        access = dict(params["model"])
        seam = access.pop("seam")
        if params.get("journal"):
            ports.journal = self.journal_of(params["run"])
        if seam != "generic":
            adapter = client_of(seam)(**access, wait=lambda socket: self.kit.wait_for(socket, clock))
            ports.invoke_model = self.after_what_was_said(adapter.invoke)
        return ports

    def after_what_was_said(self, invoke: Callable[..., Json]) -> Callable[..., Json]:
        """The kit is told what came before a request before the request is there."""

        def said_first(*request: Any) -> Json:
            self.kit.say()
            return invoke(*request)

        return said_first

    def journal_of(self, run: str) -> Store:
        """The journal of a run, of which the kit is the store [DRIVER-31]."""
        known = 0  # how many records it has, as far as this run knows [DRIVER-32]

        def read() -> List[Json]:
            nonlocal known
            records: List[Json] = self.kit.ask("journal/read", {"run": run}, Clock())["records"]
            known = len(records)
            return records

        def append(records: List[Json]) -> None:
            nonlocal known
            params = {"run": run, "after": known, "records": records}
            answer = self.kit.ask("journal/append", params, Clock())["answer"]
            if answer == "taken":
                raise Superseded("another writer has added records")  # [DRIVER-33]
            if answer == "failed":
                raise OSError("the disk of the kit is full")
            known += len(records)

        return Store(read, append)


if __name__ == "__main__":
    Driver().serve()
