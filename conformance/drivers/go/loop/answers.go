// Answers: what the caller decided about the calls that wait.

package loop

import (
	"encoding/json"
	"slices"
	"strings"

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
	Path      []string        `json:"path,omitempty"` // the calls whose subagents are around it
}

// Answer is what the caller decided about a pending call, as schemas/decision.schema.json describes it.
type Answer struct {
	ID        string          `json:"id"`
	Path      []string        `json:"path,omitempty"`
	Action    string          `json:"action"`
	Output    session.Content `json:"output,omitzero"`
	IsError   bool            `json:"is_error,omitempty"`
	InputHash string          `json:"input_hash,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	Override  bool            `json:"override,omitempty"`
	Reason    string          `json:"reason,omitempty"`
}

// pending are the calls that wait, in call order, those of subagents that nobody has decided about among them.
// [LOOP-35, PERMISSION-12, SUBAGENT-15]
func (s State) pending() []PendingCall {
	pending := []PendingCall{}
	for i, call := range s.calls() {
		decision, begun := s.Decisions[i], s.Unfinished[call.ID]
		if decision.isOpen() {
			pending = append(pending, waiting(call, decision))
		}
		if begun.Snapshot == nil || begun.Decisions != nil {
			continue
		}
		for _, inner := range begun.Snapshot.pending() {
			inner.Path = append([]string{call.ID}, inner.Path...)
			pending = append(pending, inner)
		}
	}
	return pending
}

func waiting(call session.Message, decision Decision) PendingCall {
	pending := PendingCall{ID: call.ID, Name: call.Name, Input: call.WithInput(decision.Input).Input, Why: "external", InputHash: decision.InputHash}
	if decision.Approval {
		pending.Why = "approval"
	}
	return pending
}

// place is where a call waits: the calls around it, and its own id.
func place(path []string, id string) string {
	return strings.Join(append(slices.Clip(path), id), "\x00")
}

// check says which answer does not fit the calls that wait; nil if each of them has one that does. [LOOP-38, LOOP-104, PERMISSION-14]
func check(answers []Answer, pending []PendingCall) *model.Error {
	open := map[string]PendingCall{}
	for _, call := range pending {
		open[place(call.Path, call.ID)] = call
	}
	for _, answer := range answers {
		call, waits := open[place(answer.Path, answer.ID)]
		if !waits {
			return model.Errorf(model.Configuration, "a decision names %q with the path %q, which is not pending, or was decided before; give one for each pending call", answer.ID, answer.Path)
		}
		if err := answer.fits(call); err != nil {
			return err
		}
		delete(open, place(answer.Path, answer.ID))
	}
	for _, call := range open {
		return model.Errorf(model.Configuration, "no decision names the pending call %q with the path %q; decide about each", call.ID, call.Path)
	}
	return nil
}

// fits says why an answer cannot be one to this call; nil if it can.
func (a Answer) fits(call PendingCall) *model.Error {
	isOther := a.InputHash != call.InputHash
	switch {
	case !slices.Contains([]string{"approve", "respond", "deny", "skip"}, a.Action):
		return model.Errorf(model.Configuration, "the decision about %q is %q; it can be approve, respond, deny or skip", a.ID, a.Action)
	case a.Action == "approve" && call.Why != "approval":
		return model.Errorf(model.Configuration, "the decision approves %q, but the call waits for a result, not for approval; respond, deny or skip", a.ID)
	case a.Action == "approve" && isOther, a.Action == "deny" && isOther && a.InputHash != "" && call.InputHash != "":
		return model.Errorf(model.Configuration, "the decision about %q has the input_hash of another call, or of other arguments; take that of the pending call", a.ID)
	}
	return nil
}

// take puts answers that fit in the place of the open decisions, and hands down those for subagents. [LOOP-36, SUBAGENT-16]
func (r *run) take(answers []Answer) {
	places := map[string]int{}
	for i, call := range r.state.calls() {
		places[call.ID] = i
	}
	for _, answer := range answers {
		if len(answer.Path) > 0 {
			r.handDown(answer)
			continue
		}
		at := places[answer.ID]
		r.state.Decisions[at] = r.comesTo(r.state.calls()[at], r.state.Decisions[at], answer)
	}
}

func (r *run) handDown(answer Answer) {
	outer := answer.Path[0]
	answer.Path = answer.Path[1:]
	begun := r.state.Unfinished[outer]
	begun.Decisions = append(slices.Clip(begun.Decisions), answer)
	r.state.Unfinished[outer] = begun
}

// comesTo is what an answer makes of a call that waits. [LOOP-103, PERMISSION-16, PERMISSION-17]
func (r *run) comesTo(call session.Message, asked Decision, answer Answer) Decision {
	switch answer.Action {
	case "approve":
		return r.approved(call, asked, answer)
	case "respond":
		result := session.Result(call.ID, answer.Output, answer.IsError)
		return Decision{Do: "answer", Result: &result}
	case "skip":
		return refuse(call, session.Skipped, session.WasSkipped.Text("{name}", call.Name))
	default:
		return deny(call, answer.Reason, "the caller does not permit it")
	}
}

// deny answers a call that is not permitted, with the reason, or with another one where none was given.
func deny(call session.Message, reason, otherwise string) Decision {
	if reason == "" {
		reason = otherwise
	}
	return refuse(call, session.Denied, session.WasDenied.Text("{name}", call.Name, "{reason}", reason))
}
