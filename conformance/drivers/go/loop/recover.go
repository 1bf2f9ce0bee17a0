// Recovery: a run whose process has ended goes on where its journal has it.

package loop

import (
	"context"
	"slices"

	"agentloop/journal"
	"agentloop/model"
	"agentloop/session"
)

// Recover goes on with the run that the journal has; one that was over gives its result once more. [JOURNAL-6]
func Recover(ctx context.Context, agents map[string]Agent, ports Ports) (Result, session.Session) {
	kept := journal.Open(ports.Journal)
	var state State
	err := kept.Read(&state)
	if state.Session.ID == "" {
		state = State{SpecVersion: "1.0", Agent: "main", Session: session.Session{SpecVersion: "1.0", ID: "unknown", Messages: []session.Message{}}}
	}
	run := newRun(ctx, state, agents, ports)
	run.isRecovered = true
	run.emit("run_start", Event{"session_id": state.Session.ID, "agent": state.Agent, "resumed": true})
	run.tellHooks(HookCall{Point: "run_start"})
	if err != nil {
		run.refuse(model.Errorf(model.Configuration, "%s", err))
	} else if err := run.goOn(); err != nil {
		run.refuse(err)
	}
	return run.conduct()
}

// goOn takes up what the journal has beside the state, in the phase in which it was written; or says why it cannot.
func (r *run) goOn() *model.Error {
	if err := r.checkSetup(); err != nil {
		return err
	}
	switch r.state.Phase {
	case TurnBoundary:
		r.ending, r.state.Ending = r.state.Ending, nil // [JOURNAL-24]
		r.unseen = r.said()
	case Deciding:
		r.ending, r.state.Tripped = r.state.Tripped, nil
		r.beginTurn(true)
	case Executing:
		r.tripped, r.state.Tripped = r.state.Tripped, nil
		r.beginTurn(true)
		r.takeUpBatch()
	}
	return nil
}

// takeUpBatch puts in its place what came of the calls that were executed, and decides about those that were under way.
// [JOURNAL-7, JOURNAL-8, JOURNAL-9]
func (r *run) takeUpBatch() {
	if r.state.Unfinished == nil {
		r.state.Unfinished = map[string]Unfinished{}
	}
	for id, executed := range r.journal.Finished() {
		r.state.Unfinished[id] = Unfinished{Executed: &executed}
	}
	for i, call := range r.state.calls() {
		if decision := r.state.Decisions[i]; decision.Do == "run" && r.state.Unfinished[call.ID].Executed == nil {
			r.state.Decisions[i] = r.decideAgain(call, decision)
		}
	}
}

// lookAgain has the guardrails look at what tools had answered when the process ended: it may have ended before they did. [GUARDRAIL-20]
func (r *run) lookAgain(calls []session.Message, ends map[string]toolEnd) {
	for _, call := range calls {
		if _, isWritten := r.journal.Finished()[call.ID]; isWritten {
			ends[call.ID] = r.guardOutput(call, ends[call.ID])
		}
	}
}

// decideAgain is what becomes of a call that is not done. One that was under way, nobody knows what it has done.
func (r *run) decideAgain(call session.Message, decision Decision) Decision {
	permitted := r.permit(call, decision)
	if !r.journal.Started(call.ID) {
		return permitted
	}
	isAbout := func(unsaid Unsaid) bool { return unsaid.ID == call.ID }
	r.state.Unsaid = slices.DeleteFunc(slices.Clone(r.state.Unsaid), isAbout) // [HOOK-34]
	if tool, _ := r.agent().tool(call.Name); permitted.Do == "run" && tool.Annotations.Idempotent {
		return permitted
	}
	return refuse(call, session.Interrupted, session.BrokeWhileRunning.Text()) // [JOURNAL-9, JOURNAL-20]
}

// said is what a user has said last, which nobody may have looked at yet.
func (r *run) said() []session.Message {
	if r.state.Turn == 0 {
		return nil
	}
	return unanswered(r.state.input())
}

// unanswered are those of the messages after which the run has said nothing itself: hooks had been asked about the others. [HOOK-41]
func unanswered(messages []session.Message) []session.Message {
	for i, message := range slices.Backward(messages) {
		if message.Synthetic {
			return slices.Clone(messages[i+1:])
		}
	}
	return slices.Clone(messages)
}
