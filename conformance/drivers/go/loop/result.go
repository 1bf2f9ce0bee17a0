// Results: what a run came to.

package loop

import (
	"slices"
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// Status says how a run ended.
type Status string

// The statuses with which this loop ends a run.
const (
	Completed     Status = "completed"
	MaxTurns      Status = "max_turns"
	Deadline      Status = "deadline"
	TokenLimit    Status = "token_limit"
	ToolCallLimit Status = "tool_call_limit"
	ErrorLimit    Status = "error_limit"
	MaxTokens     Status = "max_tokens"
	Refused       Status = "refused"
	Incomplete    Status = "incomplete"
	Stopped       Status = "stopped"
	Cancelled     Status = "cancelled"
	Suspended     Status = "suspended"
	Guarded       Status = "guardrail"
	Failed        Status = "error"
)

// Result is what a run came to, as schemas/run-result.schema.json describes it.
type Result struct {
	Status        Status                 `json:"status"`
	Turns         int                    `json:"turns"`
	ToolCalls     int                    `json:"tool_calls"`
	Agent         string                 `json:"agent"`
	SessionID     string                 `json:"session_id"`
	FinalText     string                 `json:"final_text"`
	Empty         bool                   `json:"empty,omitempty"`
	Refused       bool                   `json:"refused,omitempty"`
	StopReason    *model.StopReason      `json:"stop_reason"`
	RawStopReason *string                `json:"raw_stop_reason"`
	Usage         model.Usage            `json:"usage"`
	UsageByModel  map[string]model.Usage `json:"usage_by_model"`
	Steps         []Step                 `json:"steps"`
	Error         *model.Error           `json:"error,omitempty"`
	StopCondition string                 `json:"stop_condition,omitempty"`
	StillRunning  []RunningTool          `json:"still_running,omitempty"`
	Pending       []PendingCall          `json:"pending,omitempty"`
	Snapshot      *State                 `json:"snapshot,omitempty"`
	Context       Variables              `json:"context,omitzero"`
	Reason        string                 `json:"reason,omitempty"`
	Guardrail     *Tripped               `json:"guardrail,omitempty"`
	Compactions   []CompactionReport     `json:"compactions,omitempty"`
}

// RunningTool is a tool that was signalled to stop and has not ended.
type RunningTool struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (r *run) result() Result {
	ending := *r.state.Ending
	result := r.state.sum()
	result.Status, result.Error, result.StopCondition, result.Reason = ending.Status, ending.Error, ending.StopCondition, ending.Reason
	result.SessionID = r.state.Session.ID // [RESULT-22]
	result.Refused = r.refused            // [RESULT-23]
	result.Turns, result.Agent, result.Context = r.state.Turn, r.state.Agent, r.state.Context
	result.StillRunning = r.stillRunning()
	result.Guardrail = ending.Guardrail
	if !ending.keepsTextBack() && !r.keepsTextBack() {
		result.FinalText = text(r.state.response())
	}
	result.Empty = ending.Status == Completed && result.FinalText == "" && len(r.state.calls()) == 0
	if ending.Status == Suspended {
		snapshot := r.state
		result.Pending, result.Snapshot = r.state.pending(), &snapshot
	}
	return result
}

// keepsTextBack says whether a guardrail or a hook refused what the model said. [GUARDRAIL-12, HOOK-33]
func (e Ending) keepsTextBack() bool {
	return e.StopCondition == "blocked" || e.Guardrail != nil && (e.Guardrail.Point == "model_output" || e.Guardrail.Point == "final_output")
}

// keepsTextBack says whether the run was cut off before those had looked at the last response who may refuse it. [GUARDRAIL-21, HOOK-32]
func (r *run) keepsTextBack() bool {
	switch r.state.Ending.Status {
	case Cancelled, Deadline:
		return r.unpassed && (r.hasHook("after_model") || r.hasGuardrail("model_output")) ||
			len(r.state.calls()) == 0 && r.hasGuardrail("final_output")
	}
	return false
}

// sum is what the run has come to so far, summaries included. [COMPACT-17]
func (s State) sum() Result {
	result := sumOf(s.Steps)
	if s.isUnanswered() {
		steps := slices.Clone(s.Steps)
		steps[len(steps)-1].Model = ""
		result = sumOf(steps) // which counts for no model [RESULT-27]
		result.Steps = s.Steps
	}
	result.Compactions = s.Compactions
	for _, report := range s.Compactions {
		if report.Usage != nil {
			result.count(report.Model, *report.Usage)
		}
		result.countAttempts(report.Attempts)
	}
	return result
}

// isUnanswered says whether the last model call failed, or was cut off, before anything was said or counted. No turn comes after it.
func (s State) isUnanswered() bool {
	if len(s.Steps) == 0 || len(s.Session.Messages) > s.ResponseStart {
		return false
	}
	last := s.Steps[len(s.Steps)-1]
	return (last.StopReason == model.Failed || last.StopReason == model.Interrupted) && last.Usage == (model.Usage{})
}

// sumOf is what the steps come to, of a result that says nothing else yet.
func sumOf(steps []Step) Result {
	result := Result{Steps: steps, UsageByModel: map[string]model.Usage{}}
	for _, step := range steps {
		result.ToolCalls += step.ToolCalls
		result.count(step.Model, step.Usage)
		result.countAttempts(step.Attempts)
		for _, subagent := range step.Subagents {
			result.Usage = result.Usage.Plus(subagent.Usage)
			for name, usage := range subagent.UsageByModel {
				result.UsageByModel[name] = result.UsageByModel[name].Plus(usage)
			}
		}
		result.StopReason, result.RawStopReason = &step.StopReason, step.RawStopReason
	}
	return result
}

func (result *Result) countAttempts(attempts []FailedAttempt) {
	for _, attempt := range attempts {
		if attempt.Usage != nil {
			result.count(attempt.Model, *attempt.Usage)
		}
	}
}

// count adds the tokens of one model call. [RESULT-4, RESULT-5]
func (result *Result) count(name string, usage model.Usage) {
	result.Usage = result.Usage.Plus(usage)
	if name != "" {
		result.UsageByModel[name] = result.UsageByModel[name].Plus(usage)
	}
}

// text is what the model wrote in a response, its pieces joined. [RESULT-2]
func text(response []session.Message) string {
	var pieces strings.Builder
	for _, message := range response {
		if message.Kind() == session.Assistant {
			pieces.WriteString(message.Content.Text)
		}
	}
	return pieces.String()
}
