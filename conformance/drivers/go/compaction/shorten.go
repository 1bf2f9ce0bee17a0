// Shortening: what is long and can be said by its beginning.

package compaction

import (
	"unicode/utf8"

	"agentloop/session"
)

// Change puts messages in the place of those from From to before To.
type Change struct {
	From, To int
	Messages []session.Message
}

// mostOfOld is how many characters an old thought, or old arguments, may have. [COMPACT-13]
const mostOfOld = 200

// ShortenResults shortens the text of every result that succeeded and has more characters. [COMPACT-18, COMPACT-19]
func ShortenResults(messages []session.Message, most int) []Change {
	return changes(messages, func(message session.Message) (session.Message, bool) {
		if message.Kind() != session.ToolResult || message.HasFailed() || textOf(message.Output) <= most {
			return message, false
		}
		return message.WithOutput(message.Output.Shortened(most)), true
	})
}

// TruncateOld shortens thinking and arguments in all responses but the last. [COMPACT-13, COMPACT-8, COMPACT-10]
func TruncateOld(messages []session.Message, keepLast int) []Change {
	return changes(messages[:lastResponses(messages, keepLast)], func(message session.Message) (session.Message, bool) {
		switch {
		case message.Kind() == session.Thinking && !message.IsSealed() && textOf(message.Content) > mostOfOld:
			return message.WithContent(message.Content.Shortened(mostOfOld)), true
		case message.Kind() == session.ToolCall && utf8.RuneCountInString(arguments(message)) > mostOfOld:
			preview := session.Beginning(arguments(message), mostOfOld)
			short, _ := session.JSON(map[string]any{"_compacted": true, "preview": preview}) // a text
			return message.WithInput(short), true
		}
		return message, false
	})
}

// changes are the ranges of messages that are shortened; what was compacted before stays as it is. [COMPACT-11, COMPACT-12]
func changes(messages []session.Message, shorten func(session.Message) (session.Message, bool)) (all []Change) {
	for i, message := range messages {
		short, isShortened := shorten(message)
		if !isShortened || message.IsCompacted() || message.Status == session.Incomplete {
			continue
		}
		if last := len(all) - 1; last >= 0 && all[last].To == i {
			all[last].To++
			all[last].Messages = append(all[last].Messages, short.WithCompacted())
			continue
		}
		all = append(all, Change{From: i, To: i + 1, Messages: []session.Message{short.WithCompacted()}})
	}
	return all
}

// lastResponses is where the last so many responses begin that are sent; 0 if there are no more than these. [COMPACT-34]
func lastResponses(messages []session.Message, count int) int {
	isSent := func(message session.Message) bool {
		return message.IsResponse() && message.Status != session.Incomplete
	}
	for i := len(messages) - 1; i >= 0; i-- {
		if !isSent(messages[i]) || i > 0 && isSent(messages[i-1]) {
			continue
		}
		if count--; count == 0 {
			return i
		}
	}
	return 0
}
