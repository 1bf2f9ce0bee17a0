// Answers: what the caller decided about the calls that wait.

package loop

import (
	"encoding/json"

	"agentloop/model"
	"agentloop/session"
)

// PendingCall is a call that waits for the caller.
type PendingCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	Why       string          `json:"why"`
	InputHash string          `json:"input_hash,omitempty"`
}

// Answer is what the caller decided about a pending call, as schemas/decision.schema.json describes it.
type Answer struct {
	ID        string          `json:"id"`
	Action    string          `json:"action"`
	Path      []string        `json:"path"`
	Output    session.Content `json:"output"`
	IsError   bool            `json:"is_error"`
	InputHash string          `json:"input_hash"`
	Input     json.RawMessage `json:"input"`
	Override  bool            `json:"override"`
	Reason    string          `json:"reason"`
}

// pending are the calls that wait, in call order. [LOOP-35, PERMISSION-12]
func (r *run) pending() []PendingCall {
	pending := []PendingCall{}
	for i, call := range r.state.calls() {
		decision := r.state.Decisions[i]
		if decision.Do != "ask" {
			continue
		}
		waits := PendingCall{ID: call.ID, Name: call.Name, Input: call.WithInput(decision.Input).Input, Why: "external", InputHash: decision.InputHash}
		if decision.Approval {
			waits.Why = "approval"
		}
		pending = append(pending, waits)
	}
	return pending
}

// decided are the decisions of the snapshot, with what the answers come to in the place of those that were open. [LOOP-38]
func (r *run) decided(answers []Answer) ([]Decision, *model.Error) {
	open, err := byCall(answers)
	if err != nil {
		return nil, err
	}
	decisions := append([]Decision{}, r.state.Decisions...)
	for i, call := range r.state.calls() {
		if decisions[i].Do != "ask" {
			continue
		}
		answer, given := open[call.ID]
		if !given {
			return nil, model.Errorf(model.Configuration, "no decision names the pending call %q; decide about each", call.ID)
		}
		delete(open, call.ID)
		if decisions[i], err = r.comesTo(call, decisions[i], answer); err != nil {
			return nil, err
		}
	}
	for id := range open {
		return nil, model.Errorf(model.Configuration, "a decision names %q, which is not pending", id)
	}
	return decisions, nil
}

// byCall are the answers by the ids of their calls.
func byCall(answers []Answer) (map[string]Answer, *model.Error) {
	open := map[string]Answer{}
	for _, answer := range answers {
		if _, twice := open[answer.ID]; twice || len(answer.Path) > 0 {
			return nil, model.Errorf(model.Configuration, "two decisions, or one of a subagent, name the call %q; give one for each", answer.ID)
		}
		open[answer.ID] = answer
	}
	return open, nil
}

// comesTo is what an answer makes of a call that waits. [LOOP-103, PERMISSION-16, PERMISSION-17]
func (r *run) comesTo(call session.Message, asked Decision, answer Answer) (Decision, *model.Error) {
	switch answer.Action {
	case "respond":
		result := session.Result(call.ID, answer.Output, answer.IsError)
		return Decision{Do: "answer", Result: &result}, nil
	case "skip":
		return refuse(call, session.Skipped, session.WasSkipped.Text("{name}", call.Name)), nil
	case "deny":
		if answer.InputHash != "" && asked.InputHash != "" && answer.InputHash != asked.InputHash {
			return Decision{}, anotherCall(call)
		}
		return deny(call, answer.Reason, "the caller does not permit it"), nil
	case "approve":
		return r.approved(call, asked, answer)
	}
	return Decision{}, model.Errorf(model.Configuration, "the decision about %q is %q; it can be approve, respond, deny or skip", call.ID, answer.Action)
}

// deny answers a call that is not permitted, with the reason, or with another one where none was given.
func deny(call session.Message, reason, otherwise string) Decision {
	if reason == "" {
		reason = otherwise
	}
	return refuse(call, session.Denied, session.WasDenied.Text("{name}", call.Name, "{reason}", reason))
}
