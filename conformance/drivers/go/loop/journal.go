// The journal of the run: what is written down of it, and what becomes of a run that cannot be written down any more.

package loop

import (
	"errors"
	"maps"

	"agentloop/journal"
	"agentloop/model"
	"agentloop/session"
)

// writeDown keeps what is different in the state; nothing follows before. That a turn has begun is nothing yet. [JOURNAL-1, JOURNAL-2]
func (r *run) writeDown() {
	switch {
	case r.state.Phase == CallingModel:
		return
	case r.state.Phase == Executing && !r.asksInBatch():
		r.journal.Hold(r.written()) // its first tools are written with it [JOURNAL-31]
	default:
		r.journal.Write(r.written())
	}
	r.tellHeld()
}

// writeEnd keeps what came of a tool before anything follows from it. A subagent that waits has not ended. [JOURNAL-4]
func (r *run) writeEnd(end toolEnd, isLast bool) {
	switch {
	case end.waits != nil:
	case isLast && !r.asksInBatch():
		r.journal.HoldEnd(r.written(), end.executed()) // with the next tool, or the end of the turn [JOURNAL-31]
	default:
		r.journal.Finish(r.written(), end.executed())
	}
}

// asksInBatch says whether somebody is asked about calls or results before the turn is written down.
func (r *run) asksInBatch() bool { return len(r.ports.Hooks)+len(r.ports.Guardrails) > 0 }

// tell tells an event; that of a result that is not kept, and what follows it, when it is. [JOURNAL-4]
func (r *run) tell(event Event) {
	r.held = append(r.held, event)
	if r.held[0]["type"] != "message" || !r.journal.Holds() || event["type"] == "run_end" {
		r.tellHeld()
	}
}

func (r *run) tellHeld() {
	for _, event := range r.held {
		r.ports.Emit(event)
	}
	r.held = nil
}

// written is the state with what the run remembers beside it.
func (r *run) written() State {
	now := r.state
	now.Counters = maps.Clone(now.Counters)
	if now.Counters == nil {
		now.Counters = map[string]int64{}
	}
	now.Counters[elapsedMS] = r.elapsed()
	switch now.Phase {
	case TurnBoundary:
		now.Ending = r.ending
	case Deciding:
		now.Tripped = r.ending
	case Executing:
		// What is found in a result is found again, and the rest of its batch is executed. [GUARDRAIL-5, GUARDRAIL-20]
		if found := r.tripped; found != nil && (found.Guardrail == nil || found.Guardrail.Point != "tool_output") {
			now.Tripped = found
		}
	}
	return now
}

// unwritten is why the run cannot be written down any more; nil if it can.
func (r *run) unwritten() *model.Error {
	switch err := r.journal.Broken(); {
	case errors.Is(err, journal.ErrSuperseded):
		return model.Errorf(model.Superseded, "the run stops here: %s", err)
	case err != nil:
		return model.Errorf(model.Internal, "the journal could not be written, so the run ends: %s", err)
	}
	return nil
}

// nameJournal has a run that could not be written down say so, whatever else would have ended it. [LOOP-110]
func (r *run) nameJournal() {
	if err := r.unwritten(); err != nil {
		r.fail(err)
	}
}

// notRecorded answers a call whose start cannot be written down: nothing is executed, and nobody is asked about it. [JOURNAL-10]
func (r *run) notRecorded(call session.Message, decision Decision) Decision {
	err := r.journal.Broken()
	if err == nil {
		return decision
	}
	return refuse(call, session.NotExecuted, session.NotRecorded.Text("{reason}", err.Error()))
}
