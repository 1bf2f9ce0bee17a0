"""Where a run goes on whose process has ended."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from agent_loop import Run
from batch import Batch
from journal import Journal
from ports import Ports
from refusals import cannot_run
from result import Ending, ending_in
from result_texts import RESULT_TEXTS
from session import latest_input, made_up
from state import restored, unread

Json = Dict[str, Any]


def recover(agents: Json, ports: Ports) -> Tuple[Json, Json]:
    """Go on with the run of a process that has ended, from its journal; one that was over gives its result once more."""
    journal = Journal(ports.journal)
    unreadable = journal.refuse_recovered()
    state = restored(journal.kept, agents, None) if journal.kept and not unreadable else unread(journal.begun, agents)
    run = Run(state, agents, ports, journal)
    run.emit("run_start", session_id=run.state["session"]["id"], agent=run.state["agent"], resumed=True)
    refusal = unreadable or cannot_run(run.state, agents)
    return run.refuse(refusal) if refusal else run.finish(go_on(run) or run.take_turns())


def go_on(run: Run) -> Optional[Ending]:
    """Go on where the process of a run has ended [JOURNAL-6]."""
    phase, ending = run.state["phase"], ending_in(run.journal.kept or {}, "ending")
    if phase == "turn_boundary" and not run.state["turn"]:
        return run.begin(unheard(run))
    run.each(lambda plugin: plugin.begin_again())
    if phase in ("done", "suspended"):
        return ending
    if phase == "deciding":
        return run.turn(run.follow, resumed=True)
    if phase == "executing":
        return run.turn(lambda: rest_of_batch(run), resumed=True)
    return run.before_end(ending) if ending else run.hear(unheard(run))


def rest_of_batch(run: Run) -> Optional[Ending]:
    """Execute what of a batch was not executed. What came of the other calls is in the journal [JOURNAL-7]."""
    batch, state, journal = Batch(run), run.state, run.journal
    executed = {id: {"executed": each} for id, each in journal.finished.items()}
    if executed:
        state["unfinished"] = {**state.get("unfinished", {}), **executed}
    lost = {call["id"] for call in batch.calls if journal.was_running(call)}
    if "unsaid" in state:
        state["unsaid"] = [unsaid for unsaid in state["unsaid"] if unsaid.get("id") not in lost]  # [HOOK-34]
    decided = zip(batch.calls, state["decisions"])
    state["decisions"] = [decision_now(batch, call, decision) for call, decision in decided]
    return batch.go_on() or run.meet_condition(batch)


def decision_now(batch: Batch, call: Json, decision: Json) -> Json:
    """What becomes of a call about which a process has decided that has ended."""
    if decision["do"] != "run":
        return decision
    now, tool = batch.permitted(call, decision), batch.run.tools.get(call["name"], {})
    if not batch.run.journal.was_running(call):
        return now
    if now["do"] == "run" and tool.get("annotations", {}).get("idempotent"):
        return now  # [JOURNAL-8]
    return {"do": "answer", "result": made_up(call, "interrupted", RESULT_TEXTS["broke_while_running"])}  # [JOURNAL-9] [JOURNAL-20]


def unheard(run: Run) -> List[Json]:
    """What a user has said last, which nobody may have looked at yet. Where the run has spoken since, it was heard."""
    said = latest_input(run.messages)
    own = [at for at, message in enumerate(said) if message.get("synthetic")]
    return said[own[-1] + 1 :] if own else said  # [HOOK-41]
