// Unanswered: calls of a server's tools that never got a result.

package wire

import (
	"agentloop/model"
	"agentloop/session"
)

// ServerCalls tells the calls of a server's tools from other items.
type ServerCalls struct {
	Called   func(item Object) string // the id of a call that needs a result, or nothing
	Answered func(item Object) string // the id of the call that an item answers, or nothing
	IsOver   func(item Object) bool   // whether a call is over when it is reported: a result that is missing stays missing
}

// WithoutUnanswered leaves out the calls of a server's tools that nothing answers, once a user message follows, and those that
// are over at once. [PROVIDER-44] [RESPONSES-41]
func WithoutUnanswered(messages []session.Message, calls ServerCalls, listener model.Listener) []session.Message {
	results, last := map[string]bool{}, -1
	for at, message := range messages {
		if message.Kind() == session.User {
			last = at
		}
		if message.Kind() == session.ProviderItem {
			if id := calls.Answered(ReadObject(message.Item)); id != "" {
				results[id] = true
			}
		}
	}
	var kept []session.Message
	for at, message := range messages {
		if message.Kind() == session.ProviderItem {
			item := ReadObject(message.Item)
			id, isOver := calls.Called(item), calls.IsOver(item)
			if !results[id] && (isOver || id != "" && at < last) {
				listener.Warn("provider_item_dropped", "the call "+id+" of the server's own tool has no result")
				continue
			}
		}
		kept = append(kept, message)
	}
	return kept
}
