// Suspension: a run returns with calls that wait for its caller, and goes on when they are decided.

package loop

import (
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// suspend ends the run with calls open; its snapshot waits for decisions. [LOOP-33]
func (r *run) suspend() {
	r.state.Phase, r.state.Ending = InSuspension, &Ending{Status: Suspended}
	r.count(elapsedMS, r.elapsed())
	r.step().Outcomes = []session.Outcome{}
	for i, call := range r.state.calls() {
		outcome := session.Suspended
		if answered := r.state.Decisions[i].Result; answered != nil {
			outcome = answered.Outcome
		} else if executed := r.state.Unfinished[call.ID].Executed; executed != nil {
			outcome = executed.Result.Outcome
		}
		r.step().Outcomes = append(r.step().Outcomes, outcome)
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
	return check(answers, r.state.pending())
}

// check says what is wrong with a snapshot; nil if a run can go on from it. [LOOP-108, PERMISSION-24]
func (s State) check() *model.Error {
	calls := s.calls()
	if !strings.HasPrefix(s.SpecVersion, "1.") || s.Phase != InSuspension || len(s.Decisions) != len(calls) {
		return model.Errorf(model.Configuration, "the snapshot is of version %q in phase %q, with %d decisions about %d calls; a run goes on from one of version 1.x that is suspended, with a decision about each call",
			s.SpecVersion, s.Phase, len(s.Decisions), len(calls))
	}
	return s.checkHashes()
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
