// Streams: chunks put together to the message that they are pieces of.

package chat

import (
	"encoding/json"
	"slices"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// answer is what one request is answered with, whole or chunk by chunk.
type answer struct {
	reader    *reader
	whole     wire.Object
	message   wire.Object // what has come, in the form of a whole message
	calls     *calls
	text      *wire.Piece
	thinking  *wire.Piece
	finish    string
	hasFinish bool
	hasChoice bool
	isDone    bool
	failed    *model.Error
}

func newAnswer(reader *reader, listener model.Listener) *answer {
	told := new(int)
	return &answer{
		reader: reader, whole: wire.Object{}, message: wire.Object{},
		calls:    &calls{names: reader.names, listener: listener, told: told},
		text:     wire.NewPiece(listener, told, session.Message{Role: session.Assistant}),
		thinking: wire.NewPiece(listener, told, session.Message{Type: session.Thinking}),
	}
}

// Body reads a whole answer.
func (a *answer) Body(data []byte) model.Response { return a.reader.body(data) }

// Event reads one chunk. Nothing ends a stream but [DONE] and failures: text may come behind the finish reason. [CHAT-25]
func (a *answer) Event(event wire.Event) bool {
	if event.Data == "[DONE]" {
		a.isDone = true
		return true
	}
	chunk, failed := event.Object()
	if failed != nil {
		a.failed = failed
		return true
	}
	a.failed = a.reader.endpoint.Failure([]byte(event.Data))
	if a.failed == nil && event.Name == "error" {
		a.failed = a.reader.endpoint.FailureOf([]byte(event.Data))
	}
	if a.failed != nil {
		return true
	}
	a.chunk(chunk)
	return a.failed != nil
}

// End is the response after a finish reason, [DONE], or a failure. [CHAT-17]
func (a *answer) End() *model.Response {
	if !a.isDone && !a.hasFinish && a.failed == nil {
		return nil
	}
	if !a.hasChoice && a.failed == nil { // [CHAT-41]
		response := a.SoFar()
		response.StopReason, response.RawStopReason = model.Interrupted, nil
		response.Error = model.Errorf(model.StreamInterrupted, "the stream ended without a choice")
		return &response
	}
	response := a.SoFar()
	if a.failed != nil {
		response.StopReason, response.RawStopReason, response.Error = model.Failed, nil, a.failed
	}
	return &response
}

// SoFar is what has come.
func (a *answer) SoFar() model.Response {
	a.calls.openAll()
	a.message["tool_calls"] = a.calls.list()
	return a.reader.response(a.whole, a.message, a.finish)
}

func (a *answer) chunk(chunk wire.Object) {
	for _, key := range append([]string{"model", "usage"}, besides...) {
		if !wire.IsNothing(chunk[key]) {
			a.whole[key] = chunk[key]
		}
	}
	for _, said := range chunk.List("choices") {
		if choice := wire.ReadObject(said); isFirst(choice) {
			a.hasChoice = true
			a.choice(choice)
			a.failed = a.reader.endpoint.Failure(said) // [CHAT-18]
		}
	}
}

// isFirst is whether this is a piece of the first choice. [CHAT-38]
func isFirst(choice wire.Object) bool {
	index := choice.Int("index")
	return index == nil || *index == 0
}

// choice reads a piece of the answer, or the whole message if nothing was said before it. [CHAT-39]
func (a *answer) choice(choice wire.Object) {
	delta := choice["delta"]
	if (delta == nil || string(delta) == "null") && !a.hasSaid() {
		delta = choice["message"]
	}
	a.delta(wire.ReadObject(delta))
	if finish := choice.Text("finish_reason"); finish != "" {
		a.finish, a.hasFinish = finish, true
	}
}

func (a *answer) hasSaid() bool { return len(a.message.Without()) > 0 || len(a.calls.all) > 0 }

func (a *answer) delta(delta wire.Object) {
	for key, value := range delta.Without("role", "padding", "channel", "token_id", "tool_calls", "content") {
		switch {
		case slices.Contains(reasoningFields[:2], key):
			a.add(key, wire.Text(value))
			a.thinking.Add(wire.Text(value))
		case key == "reasoning_details":
			a.addDetails(delta)
		case key == "refusal":
			a.add(key, wire.Text(value))
			a.text.Add(wire.Text(value))
		case key == "function_call":
			a.calls.add(wire.Object{"index": wire.Raw(-1), "function": value})
		case key == "audio" && value[0] == '{':
			a.message[key] = grown(a.message.Object(key), wire.ReadObject(value), "data", "transcript")
		case value[0] == '[':
			a.message[key] = wire.Raw(append(a.message.List(key), wire.ReadList(value)...))
		default:
			a.message[key] = value
		}
	}
	if _, has := a.message["reasoning_content"]; !has && isEmptyText(delta["reasoning_content"]) {
		a.message["reasoning_content"] = delta["reasoning_content"]
	}
	a.content(delta["content"])
	for _, piece := range delta.List("tool_calls") {
		a.calls.add(wire.ReadObject(piece))
	}
}

func (a *answer) add(key, text string) { a.message[key] = wire.Raw(a.message.Text(key) + text) }

// content adds a text, or the parts of a list; in what was put together it is a list of parts. [CHAT-24]
func (a *answer) content(content json.RawMessage) {
	parts := wire.ReadList(content)
	if text := wire.Text(content); text != "" {
		parts = append(parts, wire.Raw(object{"type": "text", "text": text}))
	}
	for _, part := range parts {
		switch fields := wire.ReadObject(part); fields.Text("type") {
		case "text":
			a.text.Add(fields.Text("text"))
		case "thinking":
			a.thinking.Add(thinkingOfPart(fields))
		}
	}
	if len(parts) > 0 {
		a.message["content"] = joined(append(a.message.List("content"), parts...))
	}
}

// joined are the parts with neighbours of type thinking made one.
func joined(parts []json.RawMessage) json.RawMessage {
	var all []json.RawMessage
	for _, part := range parts {
		fields := wire.ReadObject(part)
		if last := len(all) - 1; last >= 0 && fields.Text("type") == "thinking" && wire.ReadObject(all[last]).Text("type") == "thinking" {
			fields["thinking"] = wire.Raw(thinkingOfPart(wire.ReadObject(all[last])) + thinkingOfPart(fields))
			all[last] = wire.Raw(fields)
			continue
		}
		all = append(all, part)
	}
	return wire.Raw(all)
}

// addDetails joins details of reasoning that have one index and one type; what else they have is kept.
func (a *answer) addDetails(delta wire.Object) {
	details := a.message.List("reasoning_details")
	hasText := delta.Text("reasoning") != "" || delta.Text("reasoning_content") != ""
	for _, each := range delta.List("reasoning_details") {
		piece := wire.ReadObject(each)
		if !hasText {
			a.thinking.Add(piece.Text("text") + piece.Text("summary"))
		}
		last := len(details) - 1
		if last < 0 || !isSameDetail(wire.ReadObject(details[last]), piece) {
			details = append(details, each)
			continue
		}
		details[last] = grown(wire.ReadObject(details[last]), piece, "text", "summary", "data")
	}
	a.message["reasoning_details"] = wire.Raw(details)
}

// grown is an object with a piece of it added: its texts are joined, of other fields the piece has the last word.
func grown(whole, piece wire.Object, texts ...string) json.RawMessage {
	for key, value := range piece.Without() {
		if slices.Contains(texts, key) {
			value = wire.Raw(whole.Text(key) + wire.Text(value))
		}
		whole[key] = value
	}
	return wire.Raw(whole)
}

func isSameDetail(a, b wire.Object) bool {
	return a.Text("type") == b.Text("type") && a.Text("index") == b.Text("index")
}
