"""The journal of a run: what is different after each step is written down, and is a state again in another process."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Set

from journal_records import after, difference, joined
from result import Ending, failed
from result_texts import RESULT_TEXTS
from session import made_up
from state import last_calls, waiting

Json = Dict[str, Any]


@dataclass
class Store:
    """Where the records of a session are; `append` raises where it cannot keep them, whatever the reason."""

    read: Callable[[], List[Json]]
    append: Callable[[List[Json]], None]  # what it has taken outlives the process [JOURNAL-18]


class Superseded(Exception):
    """A store raises this where another writer has added records, and goes on with the run [JOURNAL-25]."""


class Unreadable(Exception):
    """The records are not those of a journal that this loop knows [JOURNAL-13]."""


class Journal:
    """The records of one run, as far as they are kept. Without a store nothing is written."""

    def __init__(self, store: Optional[Store] = None) -> None:
        self.store = store
        self.begun: Optional[Json] = None  # the snapshot of the first record
        self.kept: Optional[Json] = None  # the fold of the records
        self.started: Set[str] = set()  # the calls of the last batch whose tools were started,
        self.finished: Dict[str, Json] = {}  # and what came of those that have ended (ExecutedCall)
        self.broken: Optional[str] = None  # why a record could not be kept; then there is none behind it
        self.is_superseded = False  # the reason is another writer
        self.held: List[Json] = []  # what the next append takes along: nothing follows from it before
        self.unreadable = self.read()

    def read(self) -> Optional[str]:
        """Fold what there is; why it is not known what there is, if so."""
        try:
            for record in self.store.read() if self.store else []:
                self.fold(record)
        except Exception as why:  # every run ends with a result [LOOP-27]
            return f"The journal cannot be read: {why}"
        return None

    # Whether a run may be written to it

    def refuse_new(self, session_id: str) -> Optional[Ending]:
        """Why no new run may be written, if none may [JOURNAL-12]."""
        why = self.unreadable or (self.kept and unended(self.kept, session_id))
        return failed("configuration", why) if why else None

    def refuse_resumed(self, snapshot: Json) -> Optional[Ending]:
        """Why a snapshot may not be resumed, if it may not [JOURNAL-11]."""
        why = self.unreadable or (self.kept and gone_on(self.kept, snapshot))
        return failed("configuration", why) if why else None

    def refuse_recovered(self) -> Optional[Ending]:
        """Why there is no run to go on with, if there is none."""
        why = self.unreadable or (None if self.kept else "The journal is empty: there is no run to go on with.")
        return failed("configuration", why) if why else None

    # Writing

    def write(self, snapshot: Json) -> Optional[Ending]:
        """Write down what is different by now [JOURNAL-1]; the end of a run of which that is not kept."""
        self.append([difference(self.kept, snapshot)])
        return self.ending()

    def hold(self, snapshot: Json) -> None:
        """Write down what is different by now with the next append, which is that of a tool [JOURNAL-31]."""
        self.add([difference(self.kept, snapshot)])

    def start(self, call: Json) -> Optional[Json]:
        """Write down that a tool is about to start [JOURNAL-3]; the result of the call, if it must not."""
        self.append([{"type": "tool_started", "id": call["id"], "name": call["name"]}])
        return self.unwritten(call)

    def finish(self, snapshot: Json, executed: Json, is_last: bool) -> None:
        """Write down what came of a tool [JOURNAL-4], and what else is different since; if nobody is asked before the next append, with that."""
        self.add([difference(self.kept, snapshot), {"type": "tool_finished", **executed}])
        if not is_last:
            self.append([])

    def append(self, records: List[Optional[Json]]) -> None:
        """Keep what is held, and behind it the records."""
        self.add(records)
        new, self.held = self.held, []
        if not self.store or self.broken is not None or not new:
            return
        try:
            self.store.append(new)
        except Exception as why:
            self.broken, self.is_superseded = str(why), isinstance(why, Superseded)

    def add(self, records: List[Optional[Json]]) -> None:
        for record in records:
            if self.store and self.broken is None and record:
                self.held.append(copy.deepcopy(record))  # the run goes on to change what it remembers
                self.fold(self.held[-1])

    # When a record could not be kept: another writer may have taken the journal

    def ending(self) -> Optional[Ending]:
        """The end of a run that cannot be written down any more [JOURNAL-10]."""
        if self.broken is None:
            return None
        if self.is_superseded:
            return failed("superseded", f"The run goes on elsewhere, so it stops here: {self.broken}")
        return failed("internal", f"The journal could not be written, so the run ends: {self.broken}")

    def unwritten(self, call: Json) -> Optional[Json]:
        """The result of a call whose start cannot be written down."""
        if self.broken is None:
            return None
        return made_up(call, "not_executed", RESULT_TEXTS["not_recorded"].format(reason=self.broken))

    # Reading

    def was_running(self, call: Json) -> bool:
        """Whether a process ended while it was in the tool of a call."""
        return call["id"] in self.started and call["id"] not in self.finished

    def fold(self, record: Json) -> None:
        kind = record["type"]
        if (kind == "begin") != (self.kept is None):
            raise Unreadable(f"a record of type begin is the first one and no other, but here is {kind}")
        gap = self.kept and gap_before(record, self.kept, self.started)
        if gap:
            raise Unreadable(f"it has a gap before a record of the type {kind}: {gap}")
        if kind == "tool_started":
            self.started.add(record["id"])
        elif kind == "tool_finished":
            known = {key: record[key] for key in record if key not in ("type", "report")}
            self.finished[record["result"]["id"]] = known
        elif kind == "begin":
            if not record["spec_version"].startswith("1."):
                raise Unreadable(f"it has version {record['spec_version']}, and this loop reads 1.x")
            self.begun = self.kept = record["snapshot"]
        elif kind == "transition":
            self.kept = after(self.kept or {}, record)
            if record["phase"] != "executing":
                self.started, self.finished = set(), {}
            if self.kept["phase"] in ("done", "suspended") and "ending" not in self.kept:
                raise Unreadable(f"it has a gap: the run is {self.kept['phase']}, and nothing says why")
        else:
            raise Unreadable(f"it has a record of the type {kind}, which this loop does not know")


def gap_before(record: Json, kept: Json, started: Set[str]) -> Optional[str]:
    """What a record follows from that the records before it do not have, if anything [JOURNAL-33]."""
    kind, phase = record["type"], kept["phase"]
    if kind == "tool_started" and phase != "executing":
        return f"a tool is started in phase {phase}"
    if kind == "tool_finished" and record["result"]["id"] not in started:
        return f"the tool of {record['result']['id']} has ended, and was not started"
    if kind != "transition":
        return None
    for name, there in (("messages", kept["session"]["messages"]), ("steps", kept["steps"])):
        stay = record.get(name, {}).get("from", 0)
        if stay > len(there):
            return f"{stay} {name} stay, and there are {len(there)}"
    turns, steps = record["turn"] - kept["turn"], len(joined(kept["steps"], record.get("steps"))) - len(kept["steps"])
    return None if turns == steps else f"there are {turns} more turns, and {steps} more steps"


def unended(kept: Json, session_id: str) -> Optional[str]:
    """Why a journal is not that of a new run on a session."""
    if kept["session"]["id"] != session_id:
        return f"The journal is that of the session {kept['session']['id']}, not of {session_id}."
    phase = kept["phase"]
    return None if phase == "done" else f"The journal has a run that has not ended: it is {phase}. Go on with it."


def gone_on(kept: Json, snapshot: Json) -> Optional[str]:
    """Why a snapshot is not where its journal is; a suspension is known by its calls."""
    here, there = ([state["session"]["id"], *(call["id"] for call in last_calls(state))] for state in (kept, snapshot))
    if here != there:
        return "The snapshot is not of the run that the journal has. Resume what the journal has."
    phase = kept["phase"]
    if phase == "suspended" and list(waiting(kept)) != list(waiting(snapshot)):  # [JOURNAL-34]
        return "The run has gone on since the snapshot: other calls wait. Resume what the journal has."
    return None if phase == "suspended" else f"By its journal the run was resumed already: it is {phase}. Go on from there."
