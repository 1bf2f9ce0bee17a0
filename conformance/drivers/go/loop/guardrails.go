// Guardrails: what goes in and what comes out is looked at, and may end the run.

package loop

import (
	"context"
	"errors"
	"slices"

	"agentloop/session"
)

// Guardrail looks at the points that it names.
type Guardrail struct {
	Name   string
	Points []string
	// Ask asks the guardrail, and returns what waits for its finding.
	Ask func(context.Context, GuardrailCheck) (wait func() (Finding, error))
}

// GuardrailCheck is what a guardrail is told, as schemas/guardrail.schema.json describes it.
type GuardrailCheck struct {
	Point     string            `json:"point"`
	Turn      int               `json:"turn"`
	Agent     string            `json:"agent"`
	SessionID string            `json:"session_id"`
	Messages  []session.Message `json:"messages,omitzero"`
	Text      *string           `json:"text,omitempty"`
	Call      *SeenCall         `json:"call,omitempty"`
	Output    *session.Content  `json:"output,omitempty"`
}

// Finding is what a guardrail found.
type Finding struct {
	Trip     bool   `json:"trip"`
	Reason   string `json:"reason"`
	Severity string `json:"severity"`
}

// Tripped says which guardrail found something, and where.
type Tripped struct {
	Name     string `json:"name"`
	Point    string `json:"point"`
	Severity string `json:"severity,omitempty"`
}

// guard asks the guardrails of a point in their order; what it returns is that of the first that trips.
// [GUARDRAIL-1, GUARDRAIL-8 to GUARDRAIL-11]
func (r *run) guard(check GuardrailCheck) *Ending {
	check.Turn, check.Agent, check.SessionID = r.state.Turn, r.state.Agent, r.state.Session.ID
	for _, guardrail := range r.ports.Guardrails {
		if !slices.Contains(guardrail.Points, check.Point) || r.isCancelled() {
			continue
		}
		ask := func(ctx context.Context) func() (Finding, error) { return guardrail.Ask(ctx, check) }
		finding, err := await(r, ask, nil)
		if errors.Is(err, errCancelled) {
			return nil
		}
		if err != nil {
			finding = Finding{Trip: true, Reason: "a check failed: " + err.Error()}
		}
		found := Tripped{Name: guardrail.Name, Point: check.Point, Severity: finding.Severity}
		if finding.Trip {
			return &Ending{Status: Guarded, Reason: finding.Reason, Guardrail: &found}
		}
		if finding.Reason != "" {
			r.emit("warning", Event{"turn": r.state.Turn, "code": "guardrail_finding", "message": finding.Reason, "guardrail": found})
		}
	}
	return nil
}

// hasGuardrail says whether anybody looks at a point.
func (r *run) hasGuardrail(point string) bool {
	return slices.ContainsFunc(r.ports.Guardrails, func(guardrail Guardrail) bool { return slices.Contains(guardrail.Points, point) })
}

// guardInput looks once at the user messages at the end of the session. [GUARDRAIL-2]
func (r *run) guardInput() *Ending {
	if r.state.Turn > 0 {
		return nil
	}
	return r.guard(GuardrailCheck{Point: "input", Messages: r.state.input()})
}

// guardResponse looks at a response before anything follows from it, and marks one that is refused. [GUARDRAIL-7, GUARDRAIL-13]
func (r *run) guardResponse(messages []session.Message) ([]session.Message, *Ending) {
	tripped := r.guard(GuardrailCheck{Point: "model_output", Messages: messages})
	if tripped == nil {
		return messages, nil
	}
	marked := []session.Message{}
	for _, message := range messages {
		marked = append(marked, message.WithStatus(session.Incomplete).WithGuardrail(tripped.Guardrail.Name))
	}
	return marked, tripped
}

// guardCalls looks at every call of the batch that would be executed, before any is; if one is refused, none is executed.
// [GUARDRAIL-4]
func (r *run) guardCalls(calls []session.Message) {
	for i, call := range calls {
		if r.tripped != nil || r.unwritten() != nil || r.state.Decisions[i].Do != "run" || r.isBegun(call) {
			continue
		}
		r.tripped = r.guard(GuardrailCheck{Point: "tool_input", Call: seen(call.WithInput(r.state.Decisions[i].Input))})
	}
	for i, call := range calls {
		switch begun, isBegun := r.state.Unfinished[call.ID]; {
		case r.tripped == nil || r.state.Decisions[i].Do != "run":
		case !isBegun:
			r.state.Decisions[i] = deny(call, r.tripped.Reason, "a guardrail refuses the batch")
		case begun.Snapshot != nil: // a subagent that waits does not go on [SUBAGENT-18]
			r.state.Decisions[i] = refuse(call, session.Interrupted, session.BrokeWhileRunning.Text())
		}
	}
}

// guardOutput looks at what a tool answered. One that is refused is marked, and the rest of the batch is executed; the run ends over
// the first in call order, whichever tool ends first. [GUARDRAIL-5, GUARDRAIL-7, GUARDRAIL-22]
func (r *run) guardOutput(call session.Message, end toolEnd) toolEnd {
	if end.result.Synthetic {
		return end
	}
	tripped := r.guard(GuardrailCheck{Point: "tool_output", Call: seen(call), Output: &end.result.Output})
	if tripped == nil {
		return end
	}
	end.result = end.result.WithGuardrail(tripped.Guardrail.Name)
	place := slices.IndexFunc(r.state.calls(), func(other session.Message) bool { return other.ID == call.ID })
	if r.tripped == nil || place < r.trippedAt {
		r.tripped, r.trippedAt = tripped, place
	}
	return end
}

// guardFinalText looks at the text of a run that would complete, and marks the response if it is refused. [GUARDRAIL-6]
func (r *run) guardFinalText() *Ending {
	final := text(r.state.response())
	tripped := r.guard(GuardrailCheck{Point: "final_output", Text: &final})
	if tripped != nil {
		r.amend(tripped.Guardrail.Name)
	}
	return tripped
}

// amend marks the last response and the results that were made up for its calls, all but what was executed and the thinking beside
// it, and tells the marks. [GUARDRAIL-14, GUARDRAIL-15]
func (r *run) amend(guardrail string) {
	from := r.state.ResponseStart
	messages := r.state.Session.Messages[from:]
	executed := map[string]bool{}
	for _, message := range messages {
		if message.Kind() == session.ToolResult && !message.Synthetic {
			executed[message.ID] = true
		}
	}
	amended := []session.Message{}
	for _, message := range messages {
		isThinking := message.Kind() == session.Thinking || message.Kind() == session.ProviderItem
		if !executed[message.ID] && !(isThinking && len(executed) > 0) {
			message = message.WithStatus(session.Incomplete).WithGuardrail(guardrail)
		}
		amended = append(amended, message)
	}
	r.state.Session.Messages = append(slices.Clip(r.state.Session.Messages[:from]), amended...)
	r.emit("amendment", Event{"turn": r.state.Turn, "from": from, "to": from + len(amended), "messages": amended})
}
