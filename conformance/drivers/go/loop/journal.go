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
	if r.state.Phase != CallingModel {
		r.journal.Write(r.written())
	}
}

// writeEnd keeps what came of a tool before anything follows from it. A subagent that waits has not ended. [JOURNAL-4]
func (r *run) writeEnd(end toolEnd) {
	if end.waits == nil {
		r.journal.Finish(r.written(), end.executed())
	}
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
		now.Tripped = r.tripped
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
