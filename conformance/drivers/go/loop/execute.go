// Executing: the calls of a batch are executed or answered, and their results stored in call order.

package loop

import (
	"agentloop/model"
	"agentloop/session"
)

// execute runs what was decided to run, and answers every call. [SESSION-7]
func (r *run) execute() {
	calls := r.state.calls()
	r.tripped = nil
	r.guardCalls(calls)
	var toRun []session.Message
	for i, decision := range r.state.Decisions {
		if decision.Do == "run" {
			toRun = append(toRun, calls[i].WithInput(decision.Input)) // [LOOP-111]
		}
	}
	ends := r.runTools(toRun)
	r.step().Outcomes = []session.Outcome{}
	var fatal *Fatal
	var to handoff
	r.batch, r.final = true, true
	for i, call := range calls {
		if answered := r.state.Decisions[i].Result; answered != nil {
			r.final = false
			r.answer(call, *answered)
			continue
		}
		end := ends[call.ID]
		r.final = r.final && end.isFinal
		if end.fatal != nil && fatal == nil {
			fatal = end.fatal
		}
		r.state.Context = r.state.Context.with(end.updates)
		r.answer(call, to.handOver(end, r.agents))
	}
	r.follow(to)
	if r.tripped != nil {
		r.ending = r.tripped
	}
	r.state.Decisions = []Decision{}
	r.state.Phase = TurnBoundary
	if fatal != nil && !r.isCancelled() {
		r.fail(model.Errorf(model.ToolFatal, "%s", fatal.Message)) // [TOOL-18]
	}
}
