// Summaries: which part of a session one can stand for, and which messages of it have to stay.

package compaction

import (
	"fmt"
	"strings"

	"agentloop/session"
)

// Part is a part of a session for which a summary can stand.
type Part struct {
	From, To int
	Lost     []session.Message // what the summary stands for
	Kept     []session.Message // what stays behind it
}

// PartToSummarize is what is between the first user message and the last responses; false if nothing is there that could go.
// [COMPACT-14]
func PartToSummarize(messages []session.Message, keepLast int) (Part, bool) {
	first := 0
	for first < len(messages) && messages[first].Kind() != session.User {
		first++
	}
	part := Part{From: first + 1, To: lastResponses(messages, keepLast)}
	if part.To <= part.From {
		return part, false
	}
	stays := staying(messages)
	isNew := false
	for i := part.From; i < part.To; i++ {
		if stays[i] {
			part.Kept = append(part.Kept, messages[i])
			continue
		}
		part.Lost = append(part.Lost, messages[i])
		isNew = isNew || !messages[i].IsCompacted()
	}
	return part, isNew
}

// staying are the messages of the part that have to stay: system messages, what a person said last, and failures with the rest of
// their responses. [COMPACT-5, COMPACT-7, COMPACT-9, COMPACT-26]
func staying(messages []session.Message) map[int]bool {
	stays := map[int]bool{}
	latest := -1
	for i, message := range messages {
		switch {
		case message.Kind() == session.System:
			stays[i] = true
		case message.Kind() == session.User && !message.Synthetic:
			latest = i
		case message.Kind() == session.ToolResult && message.HasFailed():
			for _, each := range response(messages, i) {
				stays[each] = true
			}
		}
	}
	stays[latest] = true
	return stays
}

// response are the places of the messages of a response and its results, of which one is here.
func response(messages []session.Message, here int) (places []int) {
	begin := here
	for begin > 0 && messages[begin-1].Kind() == session.ToolResult {
		begin--
	}
	for begin > 0 && messages[begin-1].IsResponse() {
		begin--
	}
	for i := begin; i < len(messages); i++ {
		isNext := !messages[i].IsResponse() && messages[i].Kind() != session.ToolResult || i > here && messages[i].IsResponse()
		if isNext {
			break
		}
		places = append(places, i)
	}
	return places
}

// With is the change that puts the summary in the place of the part. [COMPACT-11]
func (p Part) With(summary string) Change {
	said := session.Message{Role: session.User, Synthetic: true, Content: session.Text("Summary of what was said and done before:\n\n" + summary)}
	return Change{From: p.From, To: p.To, Messages: append([]session.Message{said.WithCompacted()}, p.Kept...)}
}

// instructions are those for a summary if the caller has none.
const instructions = "Summarize this conversation between a user and an assistant that calls tools, for the assistant, who goes on with it and reads " +
	"nothing else of it. Say what was asked for, what was done and found, what was decided, and what is left to do. Keep names, paths and numbers as they are."

// Question is what a model is asked that is to write the summary. [COMPACT-15]
func (p Part) Question(own string) session.Message {
	if own == "" {
		own = instructions
	}
	var question strings.Builder
	question.WriteString(own + "\n\nThe conversation:\n")
	for _, message := range p.Lost {
		if message.Status != session.Incomplete {
			fmt.Fprintf(&question, "\n%s: %s\n", message.Kind(), retold(message))
		}
	}
	return session.Message{Role: session.User, Content: session.Text(question.String())}
}

// retold is a message as text.
func retold(message session.Message) string {
	switch message.Kind() {
	case session.ToolCall:
		return message.Name + " " + arguments(message)
	case session.ToolResult:
		return textsOf(message.Output)
	case session.ProviderItem:
		return string(message.Item)
	}
	return textsOf(message.Content)
}

func textsOf(content session.Content) string {
	var texts []string
	for _, part := range content.AsParts() {
		if part.Type == "text" {
			texts = append(texts, part.Text)
			continue
		}
		texts = append(texts, "["+part.Type+"]")
	}
	return strings.Join(texts, "\n")
}
