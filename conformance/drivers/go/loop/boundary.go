// The turn boundary: where cancel, the end, stop conditions, stop and limits are checked, and nowhere else.

package loop

import (
	"slices"

	"agentloop/model"
	"agentloop/session"
)

// endingHere is what ends the run between two turns; nil if the next turn may begin. [LOOP-110]
func (r *run) endingHere() *Ending {
	if err := r.unwritten(); err != nil {
		return &Ending{Status: Failed, Error: err}
	}
	if r.isCancelled() {
		return &Ending{Status: Cancelled}
	}
	if r.ending != nil {
		return r.finished()
	}
	return r.turnRefused()
}

// limitReached is how the first limit that has been reached ends the run, if there is one. [EVENT-15]
func (r *run) limitReached() *Ending {
	name, status := r.limit()
	switch {
	case name == "":
		return nil
	case status == Failed:
		return &Ending{Status: Failed, Error: &model.Error{
			Kind:    "configuration",
			Message: "The run has the limit " + name + ", but a model call was not counted. Take the limit away, or ask a provider that counts.",
		}}
	}
	r.emit("limit", Event{"turn": r.state.Turn, "limit": name, "status": status})
	return &Ending{Status: status}
}

// finished is how a run ends that has come to an end by itself; nil if it is kept going, for which it has to be allowed another turn.
func (r *run) finished() *Ending {
	if r.ending.Status != Completed {
		return r.ending
	}
	if r.mayGoOn() && slices.ContainsFunc(keepers, func(keeps func(*run) bool) bool { return keeps(r) }) {
		return nil
	}
	tripped := r.guardFinalText()
	switch {
	case r.isCancelled():
		return &Ending{Status: Cancelled}
	case tripped != nil:
		return tripped
	case r.mayGoOn() && r.wasSpokenTo(): // while the text was looked at [LOOP-54]
		return nil
	}
	return r.ending
}

// mayGoOn says whether a run that would end may take another turn instead. [LOOP-124]
func (r *run) mayGoOn() bool {
	limit, _ := r.limit()
	return limit == "" && !r.isStopped()
}

// prepareTurn does what comes before a turn; what it returns ends the run instead.
func (r *run) prepareTurn() *Ending {
	for _, prelude := range preludes {
		if ending := prelude(r); ending != nil {
			return ending
		}
		if r.isCancelled() {
			return &Ending{Status: Cancelled}
		}
	}
	return r.turnRefused()
}

// turnRefused is how the run ends that may not take another turn. It is asked again behind what comes before a turn, which takes its
// time: somebody may have asked the run to stop meanwhile. [LOOP-29]
func (r *run) turnRefused() *Ending {
	if r.isStopped() {
		return &Ending{Status: Stopped, StopCondition: "requested"}
	}
	return r.limitReached()
}

func (r *run) isStopped() bool { return r.ports.IsStopped != nil && r.ports.IsStopped() }

// limit is the first limit that has been reached: its option, and the status with which it ends the run. It is Failed where nobody
// can tell. [LOOP-91] [LOOP-123]
func (r *run) limit() (string, Status) {
	options := r.state.Options
	if most := options.MaxTurns; most != nil && r.state.Turn >= *most {
		return "max_turns", MaxTurns
	}
	soFar := r.state.sum()
	if options.MaxTotalTokens != nil && r.state.isUncounted() {
		return "max_total_tokens", Failed
	}
	if most := options.MaxTotalTokens; most != nil && soFar.Usage.Total() >= *most {
		return "max_total_tokens", TokenLimit
	}
	if most := options.MaxToolCalls; most != nil && soFar.ToolCalls >= *most {
		return "max_tool_calls", ToolCallLimit
	}
	if most := options.MaxFailedTurns; most != nil && failedTurns(r.state.Steps) >= *most {
		return "max_failed_turns", ErrorLimit
	}
	if most := options.DeadlineMS; most != nil && r.elapsed() >= *most {
		return "deadline_ms", Deadline
	}
	return "", ""
}

// isUncounted says whether nobody knows what a model call of the run took. [LOOP-122]
func (s State) isUncounted() bool {
	return slices.ContainsFunc(s.Steps, Step.isUncounted) || slices.ContainsFunc(s.Compactions, CompactionReport.isUncounted)
}

// isUncounted says whether the provider did not count the tokens of the turn, or those of a subagent.
func (s Step) isUncounted() bool {
	return !s.Usage.IsCounted() || slices.ContainsFunc(s.Attempts, FailedAttempt.isUncounted) ||
		slices.ContainsFunc(s.Subagents, SubagentReport.isUncounted)
}

// isUncounted says whether the provider did not count the tokens of a summary. A compaction without a model took none.
func (c CompactionReport) isUncounted() bool {
	return c.Usage != nil && !c.Usage.IsCounted() || slices.ContainsFunc(c.Attempts, FailedAttempt.isUncounted)
}

// isUncounted says whether the provider counted a part of what a failed attempt took; one without any took none.
func (a FailedAttempt) isUncounted() bool { return a.Usage != nil && !a.Usage.IsCounted() }

// isUncounted says whether a model has answered the subagent, and nobody knows what that took: without a turn left it has asked
// nobody, and a call that failed took nothing.
func (s SubagentReport) isUncounted() bool {
	answers := s.Turns
	if s.Status == Failed {
		answers--
	}
	return answers > 0 && !s.Usage.IsCounted()
}

// failedTurns is how many turns in a row have failed by now.
func failedTurns(steps []Step) int {
	failed := 0
	for _, step := range slices.Backward(steps) {
		if !step.hasFailed() {
			break
		}
		failed++
	}
	return failed
}

// hasFailed says whether the turn had calls of which none succeeded. [LOOP-42]
func (s Step) hasFailed() bool {
	for _, outcome := range s.Outcomes {
		if outcome == session.OK {
			return false
		}
	}
	return s.ToolCalls > 0
}

// elapsed is how long the run has taken, without the time in which it was suspended.
func (r *run) elapsed() int64 { return r.ports.Clock.Now() - r.began }
