// Suspension: a run returns with calls that wait for its caller, and goes on when they are decided.

package loop

import (
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// suspend ends the run with calls open; its snapshot waits for decisions. [LOOP-33]
func (r *run) suspend() {
	r.state.Ending = &Ending{Status: Suspended}
	r.count(elapsedMS, r.elapsed())
	r.step().Outcomes = []session.Outcome{}
	for _, decision := range r.state.Decisions {
		outcome := session.Suspended
		if decision.Result != nil {
			outcome = decision.Result.Outcome
		}
		r.step().Outcomes = append(r.step().Outcomes, outcome)
	}
}

// resume puts the answers in the place of the open decisions, or says why they do not fit. [LOOP-36, LOOP-38]
func (r *run) resume(answers []Answer) *model.Error {
	if err := r.canResume(); err != nil {
		return err
	}
	decisions, err := r.decided(answers)
	if err != nil {
		return err
	}
	r.state.Decisions, r.state.Ending = decisions, nil
	r.beginTurn(true)
	r.judgeAgain()
	return nil
}

// canResume says what is wrong with the snapshot; nil if a run can go on from it. [LOOP-108, PERMISSION-24]
func (r *run) canResume() *model.Error {
	calls := r.state.calls()
	if !strings.HasPrefix(r.state.SpecVersion, "1.") || r.state.Phase != InSuspension || len(r.state.Decisions) != len(calls) {
		return model.Errorf(model.Configuration, "the snapshot is of version %q in phase %q, with %d decisions about %d calls; a run goes on from one of version 1.x that is suspended, with a decision about each call",
			r.state.SpecVersion, r.state.Phase, len(r.state.Decisions), len(calls))
	}
	for i, decision := range r.state.Decisions {
		if decision.Approval && decision.InputHash != inputHash(calls[i], decision.Input) {
			return model.Errorf(model.Configuration, "the input_hash of the call %q is not that of the call as it stands in the snapshot; take the snapshot as it was returned", calls[i].ID)
		}
	}
	return r.checkSetup()
}

// judgeAgain asks about each call of the batch that would be executed what may have changed while the run was suspended.
// [PERMISSION-27, PERMISSION-28]
func (r *run) judgeAgain() {
	for i, call := range r.state.calls() {
		if r.state.Decisions[i].Do == "run" {
			r.state.Decisions[i] = r.weigh(call, r.state.Decisions[i], judgesAgain)
		}
	}
	r.executeOrWait()
}
