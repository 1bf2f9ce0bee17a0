// Suspension: a run returns with calls that wait for its caller, and goes on when they are decided.

package loop

import (
	"slices"
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// suspend ends the run with calls open; its snapshot waits for decisions. [LOOP-33]
func (r *run) suspend() {
	r.state.Phase, r.state.Ending = InSuspension, &Ending{Status: Suspended}
	r.count(elapsedMS, r.elapsed())
	r.step().Outcomes = []session.Outcome{} // until every call has a result [RESULT-28]
	if r.writeDown(); r.unwritten() != nil {
		r.state.Phase, r.state.Ending = Executing, nil // nobody could resume it: its calls are answered
	}
}

// resume puts the answers in the place of the open decisions, or says why they do not fit. [LOOP-36, LOOP-38]
func (r *run) resume(answers []Answer) *model.Error {
	if err := r.canResume(answers); err != nil {
		return err
	}
	r.beginTurn(true)
	r.take(answers)
	r.state.Ending = nil
	r.judgeAgain()
	return nil
}

// canResume says why the run cannot go on; nil if it can.
func (r *run) canResume(answers []Answer) *model.Error {
	if err := r.state.check(); err != nil {
		return err
	}
	if err := r.checkSetup(); err != nil {
		return err
	}
	if err := check(answers, r.state.pending()); err != nil {
		return err
	}
	var calls []string
	for _, call := range r.state.calls() {
		calls = append(calls, call.ID)
	}
	if err := r.journal.RefuseResumed(r.state.Session.ID, calls); err != nil {
		return model.Errorf(model.Configuration, "%s", err)
	}
	var kept State
	if err := r.journal.Read(&kept); err == nil && !slices.EqualFunc(kept.pending(), r.state.pending(), PendingCall.isThat) {
		return model.Errorf(model.Configuration, "the run has gone on since the snapshot: other calls wait; resume what the journal has")
	}
	return nil
}

// isThat says whether another call that waits is this one, in this or another snapshot of the run. [JOURNAL-34]
func (p PendingCall) isThat(other PendingCall) bool {
	return p.ID == other.ID && slices.Equal(p.Path, other.Path)
}

// check says what is wrong with a snapshot; nil if a run can go on from it. [LOOP-108, PERMISSION-24]
func (s State) check() *model.Error {
	if !strings.HasPrefix(s.SpecVersion, "1.") || s.Phase != InSuspension {
		return model.Errorf(model.Configuration, "the snapshot is of version %q in phase %q; a run goes on from one of version 1.x that is suspended", s.SpecVersion, s.Phase)
	}
	if !s.isWhole() {
		return model.Errorf(model.Configuration, "the snapshot has no steps, no response, or no decision about each call of it; take it as it was returned")
	}
	return s.checkHashes()
}

// isWhole says whether everything stands in the snapshot that the batch needs to go on.
func (s State) isWhole() bool {
	if len(s.Steps) == 0 || len(s.Decisions) == 0 || len(s.Decisions) != len(s.calls()) {
		return false
	}
	return !slices.ContainsFunc(s.Decisions, func(decision Decision) bool {
		return decision.Do != "run" && decision.Do != "ask" && (decision.Do != "answer" || decision.Result == nil)
	})
}

// judgeAgain asks about each call of the batch that would be executed what may have changed while the run was suspended.
// [PERMISSION-27, PERMISSION-28]
func (r *run) judgeAgain() {
	for i, call := range r.state.calls() {
		if r.state.Decisions[i].Do == "run" && !r.isBegun(call) {
			r.state.Decisions[i] = r.weigh(call, r.state.Decisions[i], judgesAgain)
		}
	}
	r.executeOrWait()
}
