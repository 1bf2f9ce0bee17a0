// Unfinished: what became of the calls of a batch that is not done, because another call of it waits for the caller.

package loop

import (
	"slices"

	"agentloop/journal"
	"agentloop/session"
)

// Unfinished is a call that was executed, or whose subagent waits.
type Unfinished struct {
	Executed  *journal.Executed `json:"executed,omitempty"`
	Snapshot  *State            `json:"snapshot,omitempty"`
	Decisions []Answer          `json:"decisions,omitempty"` // what the caller decided about the calls of the subagent
}

// isBegun says whether a call was executed, or its subagent has begun, before the run was suspended.
func (r *run) isBegun(call session.Message) bool {
	_, begun := r.state.Unfinished[call.ID]
	return begun
}

// mustWait says whether the batch cannot be done before the caller has decided. A run that ends anyway waits for nobody.
// [LOOP-110, SUBAGENT-14, PERMISSION-19]
func (r *run) mustWait(ends map[string]toolEnd) bool {
	waits := slices.ContainsFunc(r.state.Decisions, Decision.isOpen)
	for _, end := range ends {
		if end.fatal != nil {
			return false
		}
		waits = waits || end.waits != nil
	}
	return waits && r.tripped == nil && !r.isCancelled() && r.journal.Broken() == nil
}

func (d Decision) isOpen() bool { return d.Do == "ask" }

// keep keeps what came of the calls that were executed. [PERMISSION-20, SUBAGENT-17]
func (r *run) keep(ends map[string]toolEnd) {
	r.state.Unfinished = map[string]Unfinished{}
	for id, end := range ends {
		if end.waits != nil {
			r.state.Unfinished[id] = Unfinished{Snapshot: end.waits}
			continue
		}
		executed := end.executed()
		r.state.Unfinished[id] = Unfinished{Executed: &executed}
	}
}

// executed is what came of a call, for when the batch is done.
func (end toolEnd) executed() journal.Executed {
	return journal.Executed{Result: end.result, Fatal: end.fatal != nil, Final: end.isFinal, Updates: end.updates, Handoff: end.handoff}
}

// kept is what came of the calls that were executed before the run was suspended.
func (r *run) kept() map[string]toolEnd {
	ends := map[string]toolEnd{}
	for id, each := range r.state.Unfinished {
		if each.Executed == nil {
			continue
		}
		end := toolEnd{id: id, result: each.Executed.Result, isFinal: each.Executed.Final, updates: each.Executed.Updates, handoff: each.Executed.Handoff}
		if each.Executed.Fatal {
			end.fatal = &Fatal{Message: each.Executed.Result.Output.Text}
		}
		ends[id] = end
	}
	return ends
}

// unstarted is the answer to a call whose tool cannot be started, or go on.
func (r *run) unstarted(call session.Message) session.Message {
	if r.isBegun(call) {
		return r.left(call, true)
	}
	return *r.notRecorded(call, Decision{}).Result
}

// left is the answer to a call that waited when the run ended for another reason.
func (r *run) left(call session.Message, wasStarted bool) session.Message {
	outcome, situation := session.Interrupted, session.BrokeBefore
	switch {
	case r.isCancelled() && wasStarted:
		outcome, situation = session.Cancelled, session.CancelledWhileRunning
	case r.isCancelled():
		outcome, situation = session.Cancelled, session.CancelledBefore
	case wasStarted:
		situation = session.BrokeWhileRunning
	case r.tripped != nil:
		return *deny(call, r.tripped.Reason, "a guardrail refuses the batch").Result
	}
	return session.MadeUp(call.ID, outcome, situation.Text())
}
