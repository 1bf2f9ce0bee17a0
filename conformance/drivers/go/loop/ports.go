// Ports: everything through which a run touches the world.

package loop

import (
	"context"
	"encoding/json"

	"agentloop/journal"
	"agentloop/model"
	"agentloop/session"
)

// Ports are what a run is given to reach the world. A subagent runs on a goroutine of its own, and has those of its parent but for
// Emit, IsStopped, Inbox and Journal: where a tool is an agent, the others are for several goroutines.
type Ports struct {
	// Model asks a model once.
	Model model.Invoke
	// Execute starts a tool, and returns what waits for its end. The context ends when the tool is to stop; a tool may
	// ignore that. Tools are started one after another, in the order in which they are to start. The variables are the tool's own
	// copy.
	Execute func(context.Context, session.Message, Variables) (wait func() (ToolReturn, error))
	// Emit is told every event, in order, by one goroutine.
	Emit func(Event)
	// Clock tells and measures time.
	Clock Clock
	// NewID makes an id for a call that came without one, which no call of the session has.
	NewID func() string
	// Random is between 0 and 1, for the waits between retries.
	Random func() float64
	// IsStopped says whether somebody asked the run to stop after its turn. Absent: nobody does.
	IsStopped func() bool
	// Inbox is asked between two turns what was said to the run. Absent: nothing is.
	Inbox Inbox
	// Hooks are asked in their order.
	Hooks []Hook
	// Guardrails are asked in their order.
	Guardrails []Guardrail
	// Journal is where the run is written down. Absent: nowhere.
	Journal *journal.Store
}

// Clock is the time of a run, in milliseconds.
type Clock interface {
	Now() int64
	// After calls a function once when the time has passed, unless it is stopped before.
	After(ms int64, then func()) (stop func())
}

// Event is one thing that happened, as schemas/event.schema.json describes it.
type Event map[string]any

// ToolReturn is what a tool returned.
type ToolReturn struct {
	Output  session.Content `json:"output"`
	IsError bool            `json:"is_error"`
	Final   bool            `json:"final"`
	Updates Variables       `json:"context_updates"`
	Handoff json.RawMessage `json:"handoff"` // the name of an agent, or null for nobody; absent: the agent stays
}

// Fatal is the error with which a tool ends the run. [TOOL-18]
type Fatal struct{ Message string }

func (f *Fatal) Error() string { return f.Message }

// emit numbers an event and tells it. [EVENT-3]
func (r *run) emit(kind string, fields Event) {
	event := Event{"type": kind, "seq": r.events}
	for key, value := range fields {
		event[key] = value
	}
	r.events++
	r.tell(event)
}

// warn tells what a person should know of.
func (r *run) warn(code, message string) {
	r.emit("warning", Event{"turn": r.state.Turn, "code": code, "message": message})
}
