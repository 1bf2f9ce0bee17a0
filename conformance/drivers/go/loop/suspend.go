// Suspension: a run returns with calls that wait for its caller, and goes on when they are decided.

package loop

import (
	"encoding/json"
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// PendingCall is a call that waits for the caller.
type PendingCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Answer is what the caller decided about a pending call, as schemas/decision.schema.json describes it.
type Answer struct {
	ID      string          `json:"id"`
	Action  string          `json:"action"`
	Path    []string        `json:"path"`
	Output  session.Content `json:"output"`
	IsError bool            `json:"is_error"`
	Reason  string          `json:"reason"`
}

// suspend ends the run with calls open; its snapshot waits for decisions. [LOOP-33]
func (r *run) suspend() {
	r.state.Ending = &Ending{Status: Suspended}
	counters := map[string]int64{elapsedMS: r.elapsed()}
	for name, count := range r.state.Counters {
		if name != elapsedMS {
			counters[name] = count
		}
	}
	r.state.Counters = counters
	for _, decision := range r.state.Decisions {
		outcome := session.Suspended
		if decision.Result != nil {
			outcome = decision.Result.Outcome
		}
		r.step().Outcomes = append(r.step().Outcomes, outcome)
	}
}

// pending are the calls that wait, in call order. [LOOP-35]
func (r *run) pending() []PendingCall {
	pending := []PendingCall{}
	for i, call := range r.state.calls() {
		if r.state.Decisions[i].Do == "ask" {
			pending = append(pending, PendingCall{ID: call.ID, Name: call.Name, Input: call.Input})
		}
	}
	return pending
}

// resume puts the answers in the place of the open decisions, or says why they do not fit. [LOOP-36, LOOP-38]
func (r *run) resume(answers []Answer) *model.Error {
	if !strings.HasPrefix(r.state.SpecVersion, "1.") || r.state.Phase != InSuspension {
		return model.Errorf(model.Configuration, "the snapshot is of version %q in phase %q; a run goes on from one of version 1.x that is suspended",
			r.state.SpecVersion, r.state.Phase)
	}
	if err := r.checkSetup(); err != nil {
		return err
	}
	results, err := resultsOf(answers, r.pending())
	if err != nil {
		return err
	}
	decisions := append([]Decision{}, r.state.Decisions...)
	for i, call := range r.state.calls() {
		if decisions[i].Do != "ask" {
			continue
		}
		result, decided := results[call.ID]
		if !decided {
			return model.Errorf(model.Configuration, "no decision names the pending call %q; decide about each", call.ID)
		}
		delete(results, call.ID)
		decisions[i] = Decision{Do: "answer", Result: &result}
	}
	for id := range results {
		return model.Errorf(model.Configuration, "a decision names %q, which is not pending", id)
	}
	r.state.Decisions, r.state.Phase, r.state.Ending = decisions, Executing, nil
	r.beginTurn(true)
	return nil
}

// resultsOf are the results that the answers come to, by call.
func resultsOf(answers []Answer, pending []PendingCall) (map[string]session.Message, *model.Error) {
	names := map[string]string{}
	for _, call := range pending {
		names[call.ID] = call.Name
	}
	results := map[string]session.Message{}
	for _, answer := range answers {
		if _, twice := results[answer.ID]; twice || len(answer.Path) > 0 {
			return nil, model.Errorf(model.Configuration, "two decisions, or one of a subagent, name the call %q; give one for each", answer.ID)
		}
		switch answer.Action {
		case "respond":
			results[answer.ID] = session.Result(answer.ID, answer.Output, answer.IsError)
		case "skip":
			results[answer.ID] = session.MadeUp(answer.ID, session.Skipped, session.WasSkipped.Text("{name}", names[answer.ID]))
		case "deny":
			why := answer.Reason
			if why == "" {
				why = "the caller does not permit it"
			}
			results[answer.ID] = session.MadeUp(answer.ID, session.Denied, session.WasDenied.Text("{name}", names[answer.ID], "{reason}", why)) // [LOOP-103]
		default:
			return nil, model.Errorf(model.Configuration, "the decision about %q is %q, but the call waits for a result, not for approval; respond, deny or skip", // [LOOP-104]
				answer.ID, answer.Action)
		}
	}
	return results, nil
}
