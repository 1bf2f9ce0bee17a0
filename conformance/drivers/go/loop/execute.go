// Executing: the calls of a batch are executed or answered, and their results stored in call order.

package loop

import (
	"maps"

	"agentloop/model"
	"agentloop/session"
)

// execute runs what was decided to run, and answers every call, unless one waits for the caller. [SESSION-7]
func (r *run) execute() {
	calls := r.state.calls()
	r.guardCalls(calls)
	ends := r.kept()
	r.lookAgain(calls, ends)
	maps.Copy(ends, r.runTools(r.toRun(calls)))
	if r.mustWait(ends) {
		r.keep(ends)
		r.suspend()
		return
	}
	r.settle(calls, ends)
}

// toRun are the calls that are to be executed and were not, with the arguments that were decided. [LOOP-111, TOOL-12]
func (r *run) toRun(calls []session.Message) (toRun []session.Message) {
	for i, call := range calls {
		decision := r.state.Decisions[i]
		if decision.Do == "run" && r.state.Unfinished[call.ID].Executed == nil {
			toRun = append(toRun, call.WithInput(decision.Input))
		}
	}
	return toRun
}

// settle answers every call, and does what their tools asked for, in call order.
func (r *run) settle(calls []session.Message, ends map[string]toolEnd) {
	r.step().Outcomes = []session.Outcome{}
	var fatal *Fatal
	var to handoff
	r.batch, r.final = true, true
	for i, call := range calls {
		end, wasStarted := ends[call.ID]
		r.final = r.final && end.isFinal
		if fatal == nil {
			fatal = end.fatal
		}
		switch decision := r.state.Decisions[i]; {
		case decision.Result != nil:
			r.answer(call, *decision.Result)
		case decision.isOpen() || end.waits != nil:
			r.answer(call, r.left(call, wasStarted))
		default:
			r.state.Context = r.state.Context.with(end.updates)
			r.answer(call, to.handOver(end, r.agents))
		}
	}
	r.follow(to)
	if r.tripped != nil {
		r.ending = r.tripped
	}
	r.state.Decisions, r.state.Unfinished = []Decision{}, nil
	r.state.Phase = TurnBoundary
	if fatal != nil && !r.isCancelled() {
		r.fail(model.Errorf(model.ToolFatal, "%s", fatal.Message)) // [TOOL-18]
	}
}
