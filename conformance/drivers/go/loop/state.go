// State: what a run is between two transitions, as JSON: the snapshot.

package loop

import (
	"encoding/json"
	"maps"
	"slices"

	"agentloop/model"
	"agentloop/session"
)

// Phase is a state of the state machine in spec/loop/loop.md.
type Phase string

// The phases of a run.
const (
	TurnBoundary Phase = "turn_boundary"
	CallingModel Phase = "calling_model"
	Deciding     Phase = "deciding"
	InSuspension Phase = "suspended"
	Executing    Phase = "executing"
	Done         Phase = "done"
)

// State is a run between two transitions, as schemas/snapshot.schema.json describes it.
type State struct {
	SpecVersion   string                `json:"spec_version"`
	Phase         Phase                 `json:"phase"`
	Session       session.Session       `json:"session"`
	Agent         string                `json:"agent"`
	Options       Options               `json:"options"`
	Turn          int                   `json:"turn"`
	Truncations   int                   `json:"truncations"`
	ResponseStart int                   `json:"response_start"`
	Error         *model.Error          `json:"error,omitempty"` // why the last model call failed
	Decisions     []Decision            `json:"decisions"`
	Steps         []Step                `json:"steps"`
	Ending        *Ending               `json:"ending,omitempty"`
	Tripped       *Ending               `json:"tripped,omitempty"` // in a journal: what the run comes to when its calls are answered
	Context       Variables             `json:"context,omitzero"`
	Unsaid        []Unsaid              `json:"unsaid,omitempty"`
	Compactions   []CompactionReport    `json:"compactions,omitempty"`
	Unfinished    map[string]Unfinished `json:"unfinished,omitempty"`

	// Counters is what else is counted, by name; those of other loops are kept. [LOOP-107]
	Counters map[string]int64 `json:"counters,omitempty"`
	extra    fields           // the fields that this loop does not know
}

// The counters of this loop. [LOOP-106]
const (
	elapsedMS  = "elapsed_ms"  // how long the run has taken, in milliseconds
	stopBlocks = "stop_blocks" // how many times a hook kept the run from ending

	contextTokens      = "context_tokens"      // how many tokens the last request had, as its provider counted them; 0: nobody knows
	contextMessages    = "context_messages"    // how many messages of the session that count covers
	compactionFailures = "compaction_failures" // how many compactions in a row have failed
	compactedForTurn   = "compacted_for_turn"  // the turn before which the session was last compacted, until its request was counted
)

// count sets a counter.
func (r *run) count(name string, to int64) {
	if r.state.Counters == nil {
		r.state.Counters = map[string]int64{}
	}
	r.state.Counters[name] = to
}

// UnmarshalJSON reads a state and keeps what it does not know. [LOOP-107]
func (s *State) UnmarshalJSON(data []byte) (err error) {
	type plain State
	if err = json.Unmarshal(data, (*plain)(s)); err == nil {
		s.extra, err = without(data, plain(*s))
	}
	return err
}

// MarshalJSON writes the state with the fields that it came with.
func (s State) MarshalJSON() ([]byte, error) {
	type plain State
	return withExtra(plain(s), s.extra)
}

// copy can be gone on with without a change of the first one.
func (s State) copy() State {
	s.Session, s.Context, s.Counters = s.Session.Copy(), s.Context.copy(), maps.Clone(s.Counters)
	s.Steps, s.Compactions, s.Unsaid = slices.Clone(s.Steps), slices.Clone(s.Compactions), slices.Clone(s.Unsaid)
	s.Decisions, s.Unfinished = slices.Clone(s.Decisions), maps.Clone(s.Unfinished)
	return s
}

// Decision is what becomes of a call: run, answer with a result, or ask the caller.
type Decision struct {
	Do        string           `json:"do"`
	Input     json.RawMessage  `json:"input,omitempty"`      // in the place of the model's
	Approval  bool             `json:"approval,omitempty"`   // the caller is asked whether, and not with which result
	InputHash string           `json:"input_hash,omitempty"` // of a call that waits for approval
	Approved  bool             `json:"approved,omitempty"`   // the caller was asked
	Override  bool             `json:"override,omitempty"`   // and knows better than the rules
	Result    *session.Message `json:"result,omitempty"`
}

// Ending is why a run ended.
type Ending struct {
	Status        Status       `json:"status"`
	Error         *model.Error `json:"error,omitempty"`
	StopCondition string       `json:"stop_condition,omitempty"`
	Reason        string       `json:"reason,omitempty"`
	Guardrail     *Tripped     `json:"guardrail,omitempty"`
}

// Step sums up one turn.
type Step struct {
	Turn          int               `json:"turn"`
	Agent         string            `json:"agent"`
	Model         string            `json:"model,omitempty"`
	StopReason    model.StopReason  `json:"stop_reason"`
	RawStopReason *string           `json:"raw_stop_reason"`
	Usage         model.Usage       `json:"usage"`
	ToolCalls     int               `json:"tool_calls"`
	Outcomes      []session.Outcome `json:"outcomes"`
	Attempts      []FailedAttempt   `json:"attempts,omitempty"`
	Subagents     []SubagentReport  `json:"subagents,omitempty"`
	extra         fields            // the fields that this loop does not know
}

// UnmarshalJSON reads a step and keeps what it does not know. [LOOP-107]
func (s *Step) UnmarshalJSON(data []byte) (err error) {
	type plain Step
	if err = json.Unmarshal(data, (*plain)(s)); err == nil {
		s.extra, err = without(data, plain(*s))
	}
	return err
}

// MarshalJSON writes the step with the fields that it came with.
func (s Step) MarshalJSON() ([]byte, error) {
	type plain Step
	return withExtra(plain(s), s.extra)
}

// FailedAttempt is a model call that failed and was followed by another one.
type FailedAttempt struct {
	Model  string       `json:"model,omitempty"`
	Error  *model.Error `json:"error"`
	WaitMS *int64       `json:"wait_ms,omitempty"`
	Usage  *model.Usage `json:"usage,omitempty"`
}

// step is the entry of the current turn.
func (r *run) step() *Step { return &r.state.Steps[len(r.state.Steps)-1] }

// response is the last response: the messages that the model made, from ResponseStart on. None is there if that is nowhere.
func (s State) response() []session.Message {
	if s.ResponseStart < 0 || s.ResponseStart > len(s.Session.Messages) {
		return nil
	}
	messages := s.Session.Messages[s.ResponseStart:]
	for i, message := range messages {
		if !message.IsResponse() {
			return messages[:i]
		}
	}
	return messages
}

// ofRun are the messages from the first call of the run on, whoever began it: as many calls as its steps had.
func (s State) ofRun() []session.Message {
	left := 0
	for _, step := range s.Steps {
		left += step.ToolCalls
	}
	messages := s.Session.Messages
	for i, message := range slices.Backward(messages) {
		if left == 0 {
			return messages[i+1:]
		}
		if message.Kind() == session.ToolCall {
			left--
		}
	}
	return messages
}

// calls are the calls of the last response.
func (s State) calls() []session.Message {
	var calls []session.Message
	for _, message := range s.response() {
		if message.Kind() == session.ToolCall {
			calls = append(calls, message)
		}
	}
	return calls
}
