// Unanswered: calls of a server's tools that never got a result.

package wire

import (
	"agentloop/model"
	"agentloop/session"
)

// WithoutUnanswered leaves out the calls of a server's tools that nothing answers, once a user message follows. [PROVIDER-44]
// Both functions give an id, or nothing: of a call that waits for a result, and of the call that an item answers.
func WithoutUnanswered(messages []session.Message, called, answered func(item Object) string, listener model.Listener) []session.Message {
	results, last := map[string]bool{}, -1
	for at, message := range messages {
		if message.Kind() == session.User {
			last = at
		}
		if message.Kind() == session.ProviderItem {
			results[answered(ReadObject(message.Item))] = true
		}
	}
	var kept []session.Message
	for at, message := range messages {
		id := ""
		if message.Kind() == session.ProviderItem {
			id = called(ReadObject(message.Item))
		}
		if id == "" || results[id] || at > last {
			kept = append(kept, message)
			continue
		}
		listener.Warn("provider_item_dropped", "the call "+id+" of the server's own tool has no result")
	}
	return kept
}
