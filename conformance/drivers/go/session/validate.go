// Validation: whether a run can start on a session.

package session

import (
	"fmt"
	"strings"
)

// CanStart says why no run can start on the session; nil if one can. [SESSION-15, SESSION-16, SESSION-21]
func (s Session) CanStart() error {
	if !strings.HasPrefix(s.SpecVersion, "1.") {
		return fmt.Errorf("the session has spec_version %q; this loop knows 1.x", s.SpecVersion)
	}
	if err := checkPairs(s.Messages); err != nil {
		return err
	}
	last := ""
	var end Message
	for _, message := range s.Messages {
		if message.Status != Incomplete {
			last, end = message.Kind(), message
		}
	}
	if last != User && last != ToolResult {
		return fmt.Errorf("the session ends in %q; a run starts after a user message or a tool result", last)
	}
	if last == User && end.Content.saysNothing() {
		return fmt.Errorf("the session ends in a user message that says nothing") // [SESSION-32]
	}
	return nil
}

// checkPairs demands that each response is followed by the results of its calls, once each, in call order.
func checkPairs(messages []Message) error {
	seen := map[string]bool{}
	var open []string // the calls of the response that wait for their results
	for i, message := range messages {
		switch {
		case message.Kind() == ToolResult:
			if len(open) == 0 || open[0] != message.ID {
				return fmt.Errorf("message %d is a result for %q, which is no open call or not the next one", i, message.ID)
			}
			open = open[1:]
		case message.Kind() == ToolCall:
			if seen[message.ID] {
				return fmt.Errorf("message %d is a second call with the id %q", i, message.ID)
			}
			if len(open) > 0 && messages[i-1].Kind() == ToolResult {
				return fmt.Errorf("message %d stands before the result of call %q", i, open[0])
			}
			seen[message.ID] = true
			open = append(open, message.ID)
		case len(open) > 0 && !(message.IsResponse() && messages[i-1].Kind() != ToolResult):
			return fmt.Errorf("message %d stands before the result of call %q", i, open[0])
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the call %q has no result", open[0])
	}
	return nil
}
