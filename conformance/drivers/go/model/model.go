// Package model is what goes into and comes out of one model call, in the generic format.
package model

import (
	"context"
	"encoding/json"

	"agentloop/session"
)

// StopReason says why a model stopped, normalized.
type StopReason string

// The stop reasons, as schemas/model.schema.json lists them.
const (
	EndTurn               StopReason = "end_turn"
	ToolUse               StopReason = "tool_use"
	MaxTokens             StopReason = "max_tokens"
	ContextWindowExceeded StopReason = "context_window_exceeded"
	StopSequence          StopReason = "stop_sequence"
	Refusal               StopReason = "refusal"
	ContentFilter         StopReason = "content_filter"
	Pause                 StopReason = "pause"
	Failed                StopReason = "error"
	Interrupted           StopReason = "interrupted"
	Other                 StopReason = "other"
)

// Request is one model call.
type Request struct {
	Messages []session.Message `json:"messages"`
	Tools    []Tool            `json:"tools"`
	Model    string            `json:"model,omitempty"`
	Bounds   Bounds            `json:"-"` // of its answer; an adapter keeps the bytes
}

// Response is what the model answered. A call that failed is a response with an Error.
type Response struct {
	Messages      []session.Message `json:"messages"`
	StopReason    StopReason        `json:"stop_reason"`
	RawStopReason *string           `json:"raw_stop_reason"`
	Usage         Usage             `json:"usage"`
	Model         string            `json:"model,omitempty"`
	Error         *Error            `json:"error,omitempty"`
}

// Invoke asks a model once. It tells the listener what is streamed, and returns soon after the context has ended.
type Invoke func(context.Context, Request, Listener) Response

// Tool is what a model and a loop are told about a tool.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
	Annotations struct {
		ReadOnly   bool   `json:"read_only"`
		Concurrent *bool  `json:"concurrent"`
		Edits      bool   `json:"edits"`
		Idempotent bool   `json:"idempotent"` // may be executed again when nobody knows what became of it
		Subject    string `json:"subject"`    // the argument that says what a call does
		Shell      bool   `json:"shell"`      // the subject is a command line
	} `json:"annotations"`
	TimeoutMS *int64 `json:"timeout_ms"`
	External  bool   `json:"external"`
	Agent     string `json:"agent"` // which agent answers the calls, instead of a handler
	raw       json.RawMessage
}

// IsConcurrent says whether the tool may run beside other concurrent tools.
func (t Tool) IsConcurrent() bool {
	if t.Annotations.Concurrent != nil {
		return *t.Annotations.Concurrent
	}
	return t.Annotations.ReadOnly
}

// UnmarshalJSON reads a definition and keeps it as it is.
func (t *Tool) UnmarshalJSON(data []byte) error {
	type plain Tool
	err := json.Unmarshal(data, (*plain)(t))
	t.raw = append(json.RawMessage(nil), data...)
	return err
}

// MarshalJSON writes the definition as it came.
func (t Tool) MarshalJSON() ([]byte, error) { return t.raw, nil }

// SilentFailure is what a model reads of an error without an output. [PROVIDER-42]
const SilentFailure = "The tool failed and said nothing."
