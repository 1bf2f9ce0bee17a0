// Stop conditions: named tests of the run so far, read after each batch.

package loop

import (
	"encoding/json"
	"strings"

	"agentloop/session"
)

// Condition is one described stop condition; exactly one of its tests is given.
type Condition struct {
	Name         string `json:"name,omitempty"`
	ToolCalled   string `json:"tool_called,omitempty"`
	TextContains string `json:"text_contains,omitempty"`
	SameCall     int    `json:"same_call,omitempty"`
	NoProgress   int    `json:"no_progress,omitempty"`
}

// meetCondition has the run end at the turn boundary where a stop condition holds, unless it ends there anyway.
func (r *run) meetCondition() {
	if r.state.Phase != TurnBoundary || r.ending != nil {
		return
	}
	if condition := r.stopCondition(); condition != "" {
		r.ending = &Ending{Status: Stopped, StopCondition: condition}
	}
}

// stopCondition is the name of what ends the run after the batch; empty if nothing does. [LOOP-48, LOOP-52]
func (r *run) stopCondition() string {
	if !r.batch {
		return ""
	}
	if r.final {
		return "final_result"
	}
	for _, condition := range r.state.Options.StopWhen {
		if name, holds := r.holds(condition); holds {
			if condition.Name != "" {
				return condition.Name
			}
			return name
		}
	}
	return ""
}

func (r *run) holds(condition Condition) (string, bool) {
	switch {
	case condition.ToolCalled != "":
		for _, call := range r.state.calls() {
			if call.Name == condition.ToolCalled {
				return "tool_called", true
			}
		}
		return "tool_called", false
	case condition.TextContains != "":
		return "text_contains", strings.Contains(text(r.state.response()), condition.TextContains)
	case condition.SameCall > 0:
		return "same_call", isRepeated(r.batches(), condition.SameCall)
	}
	return "no_progress", condition.NoProgress > 0 && standsStill(r.batches(), condition.NoProgress)
}

// executedCall is a call of the run as text that two equal calls share, and its result likewise.
type executedCall struct{ call, result string }

// batches are the calls of the run, response by response.
func (r *run) batches() [][]executedCall {
	var batches [][]executedCall
	messages := r.state.ofRun()
	var open []executedCall
	answered := 0
	for _, message := range messages {
		switch message.Kind() {
		case session.ToolCall:
			open = append(open, executedCall{call: message.Name + " " + sameText(message.Input, message.RawInput)})
		case session.ToolResult:
			output, _ := session.JSON(message.Output)
			open[answered].result = string(message.Outcome) + " " + string(output)
			if answered++; answered == len(open) {
				batches, open, answered = append(batches, open), nil, 0
			}
		}
	}
	return batches
}

// isRepeated says whether the last so many calls are the same. [LOOP-51]
func isRepeated(batches [][]executedCall, times int) bool {
	var calls []string
	for _, batch := range batches {
		for _, each := range batch {
			calls = append(calls, each.call)
		}
	}
	if len(calls) < times {
		return false
	}
	for _, call := range calls[len(calls)-times:] {
		if call != calls[len(calls)-1] {
			return false
		}
	}
	return true
}

// standsStill says whether each of the last so many batches had only what an earlier one had too. [LOOP-56]
func standsStill(batches [][]executedCall, times int) bool {
	seen := map[executedCall]bool{}
	still := 0
	for _, batch := range batches {
		still++
		for _, each := range batch {
			if !seen[each] {
				still = 0
			}
		}
		for _, each := range batch {
			seen[each] = true
		}
	}
	return still >= times
}

// sameText is the same text for the same arguments, whatever the order of their keys.
func sameText(input json.RawMessage, raw *string) string {
	if raw != nil {
		input = json.RawMessage(*raw)
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(input)))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return string(input)
	}
	sorted, _ := json.Marshal(value) // it came from JSON
	return string(sorted)
}
