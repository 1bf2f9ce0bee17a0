// Slots: one item of a stream, from its beginning to the form in which it is given.

package responses

import (
	"encoding/json"
	"slices"
	"strings"

	"agentloop/provider/wire"
	"agentloop/session"
)

// slot is one item of a stream as far as it has come.
type slot struct {
	answer *answer
	place  string // its output_index
	fields wire.Object
	callID string
	isDone bool
	parts  []*part // of a message
	piece  *wire.Piece
	last   string // which text of reasoning was told last
}

// part is one content part of a message.
type part struct {
	index  string
	fields wire.Object
	piece  *wire.Piece
}

func (a *answer) newSlot(data wire.Object) *slot {
	begun := &slot{answer: a, place: data.Text("output_index"), fields: data.Object("item").Without("encrypted_content")}
	if a.reader.isServers(begun.fields) {
		return begun
	}
	switch begun.fields.Text("type") {
	case "function_call", "custom_tool_call":
		begun.piece = wire.NewPiece(a.listener, &a.told, session.Message{Type: session.ToolCall, ID: begun.fields.Text("call_id"),
			Name: a.reader.names.Original(begun.fields.Text("name"))})
		begun.piece.Open()
	case "reasoning":
		begun.piece = wire.NewPiece(a.listener, &a.told, session.Message{Type: session.Thinking})
	}
	return begun
}

// hear takes a piece of the item, or the end of one of its texts.
func (s *slot) hear(kind string, data wire.Object) {
	if s.isDone {
		return
	}
	delta := data.Text("delta")
	switch kind {
	case "output_text.done":
		s.part(data, "output_text").end("text", data.Text("text"))
	case "refusal.done":
		s.part(data, "refusal").end("refusal", data.Text("refusal"))
	case "function_call_arguments.done":
		s.add("arguments", rest(data.Text("arguments"), s.fields.Text("arguments")))
	case "custom_tool_call_input.done":
		s.add("input", rest(data.Text("input"), s.fields.Text("input")))
	case "reasoning_text.done":
		s.endThought("content", "reasoning_text", data.Text("content_index"), data.Text("text"))
	case "reasoning_summary_text.done":
		s.endThought("summary", "summary_text", data.Text("summary_index"), data.Text("text"))
	case "output_text.delta":
		s.part(data, "output_text").add("text", delta)
	case "refusal.delta":
		s.part(data, "refusal").add("refusal", delta)
	case "output_text.annotation.added":
		of := s.part(data, "output_text")
		of.fields["annotations"] = wire.Raw(append(of.fields.List("annotations"), data["annotation"]))
	case "function_call_arguments.delta":
		s.add("arguments", delta)
	case "custom_tool_call_input.delta":
		s.add("input", delta)
	case "reasoning_text.delta":
		s.think("content", "reasoning_text", data.Text("content_index"), delta)
	case "reasoning_summary_text.delta":
		s.think("summary", "summary_text", data.Text("summary_index"), delta)
	}
}

func (s *slot) add(key, delta string) {
	s.fields[key] = wire.Raw(s.fields.Text(key) + delta)
	if s.piece != nil {
		s.piece.Add(delta)
	}
}

// think adds to one of the texts of reasoning; between two of them is a blank line.
func (s *slot) think(key, kind, index, delta string) {
	texts := s.fields.List(key)
	name := key + " " + index
	if s.last != name {
		texts = append(texts, wire.Raw(object{"type": kind, "text": ""}))
		if s.last != "" && s.piece != nil {
			s.piece.Add(blankLine)
		}
	}
	s.last = name
	whole := wire.ReadObject(texts[len(texts)-1])
	whole["text"] = wire.Raw(whole.Text("text") + delta)
	texts[len(texts)-1] = wire.Raw(whole)
	s.fields[key] = wire.Raw(texts)
	if s.piece != nil {
		s.piece.Add(delta)
	}
}

// endThought takes one of the texts of reasoning that is whole. [RESPONSES-38]
func (s *slot) endThought(key, kind, index, whole string) {
	known := ""
	if texts := s.fields.List(key); s.last == key+" "+index && len(texts) > 0 {
		known = wire.ReadObject(texts[len(texts)-1]).Text("text")
	}
	if more := rest(whole, known); more != "" {
		s.think(key, kind, index, more)
	}
}

// rest is what a text that is whole has and its pieces had not. [RESPONSES-38]
func rest(whole, known string) string {
	if more, isMore := strings.CutPrefix(whole, known); isMore {
		return more
	}
	return ""
}

// part is the content part that an event is about.
func (s *slot) part(data wire.Object, kind string) *part {
	index := data.Text("content_index")
	for _, each := range s.parts {
		if each.index == index {
			return each
		}
	}
	begun := &part{index: index, fields: wire.Object{"type": wire.Raw(kind)},
		piece: wire.NewPiece(s.answer.listener, &s.answer.told, session.Message{Role: session.Assistant})}
	s.parts = append(s.parts, begun)
	return begun
}

func (p *part) add(key, delta string) {
	p.fields[key] = wire.Raw(p.fields.Text(key) + delta)
	p.piece.Add(delta)
}

func (p *part) end(key, whole string) {
	p.add(key, rest(whole, p.fields.Text(key)))
}

// finish takes the item as it is in output_item.done. A call stays under the id under which it began.
func (s *slot) finish(fields wire.Object) {
	wasTold := s.fields.Text("arguments")+s.fields.Text("input")+s.last != ""
	callID := s.fields.Text("call_id")
	s.fields, s.isDone = s.filled(fields), true
	s.rename(callID)
	if !wasTold && len(s.parts) == 0 {
		s.tell()
	}
	if s.piece != nil {
		if s.fields.Text("type") == "reasoning" && s.fields.Text("encrypted_content") != "" {
			s.piece.Open() // [EVENT-25]
		}
		s.piece.Close()
	}
	for _, each := range s.parts {
		each.piece.Close()
	}
}

// filled is an item as it ended, with what came of it in the stream and is not in it. [RESPONSES-38]
func (s *slot) filled(fields wire.Object) wire.Object {
	grown := s.item().fields
	for _, key := range []string{"arguments", "input"} {
		if fields.Text(key) == "" && grown.Text(key) != "" {
			fields[key] = grown[key]
		}
	}
	for _, key := range []string{"content", "summary"} {
		if !slices.ContainsFunc(fields.List(key), hasText) && len(grown.List(key)) > 0 {
			fields[key] = grown[key]
		}
	}
	return fields
}

// hasText is whether a part says something; one of an unknown type does.
func hasText(part json.RawMessage) bool {
	fields := wire.ReadObject(part)
	switch fields.Text("type") {
	case "output_text", "refusal", "reasoning_text", "summary_text":
		return fields.Text("text")+fields.Text("refusal") != ""
	}
	return true
}

// tell tells of an item that came in one piece. [EVENT-7]
func (s *slot) tell() {
	switch s.fields.Text("type") {
	case "function_call", "custom_tool_call":
		if s.piece == nil {
			return
		}
		s.piece.Add(s.fields.Text("arguments") + s.fields.Text("input"))
	case "reasoning":
		s.piece.Add(thought(s.fields))
	case "message":
		for i, each := range s.fields.List("content") {
			part := wire.ReadObject(each)
			s.part(wire.Object{"content_index": wire.Raw(i)}, part.Text("type")).piece.Add(part.Text("text") + part.Text("refusal"))
		}
	}
}

// complete takes from the item of the terminal event what the item lacks. [RESPONSES-17, RESPONSES-35]
func (s *slot) complete(fields wire.Object) {
	if !s.isDone {
		s.finish(fields)
		return
	}
	callID := s.fields.Text("call_id")
	if wire.IsNothing(s.fields["encrypted_content"]) && !wire.IsNothing(fields["encrypted_content"]) {
		s.fields["encrypted_content"] = fields["encrypted_content"]
	}
	if other := fields.Text("call_id"); other != "" && callID != "" {
		s.fields["call_id"] = fields["call_id"]
		s.rename(callID)
	}
}

// rename gives a call the id under which it was told, and keeps the other.
func (s *slot) rename(told string) {
	if given := s.fields.Text("call_id"); told != "" && given != "" && given != told {
		s.callID = given
	}
	if told != "" {
		s.fields["call_id"] = wire.Raw(told)
	}
}

// item is the item as it is given.
func (s *slot) item() item {
	if !s.isDone && len(s.parts) > 0 {
		var parts []wire.Object
		for _, each := range s.parts {
			parts = append(parts, each.fields)
		}
		s.fields["content"] = wire.Raw(parts)
	}
	return item{s.fields, s.callID}
}
