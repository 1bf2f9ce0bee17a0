// Streams: the events of an answer, put together to the blocks that they are pieces of.

package anthropic

import (
	"encoding/json"
	"maps"
	"slices"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// answer is what one request is answered with, whole or event by event.
type answer struct {
	reader  *reader
	message wire.Object
	order   []*block
	blocks  map[int64]*block // by index
	streams map[*block]*wire.Piece
	told    int
	isOver  bool
	failed  *model.Error
}

// Body reads a whole answer.
func (a *answer) Body(data []byte) model.Response { return a.reader.body(data) }

// read are the names of the events that say something, and that of an event without a name.
var read = []string{"", "message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "error"}

// Event reads one event. One of an unknown type changes nothing, whatever its data is. [ANTHROPIC-17]
func (a *answer) Event(event wire.Event) bool {
	data, failed := event.Object()
	if failed != nil {
		if !slices.Contains(read, event.Name) {
			return false
		}
		a.failed = failed
		return true
	}
	switch data.Text("type") {
	case "message_start":
		a.message = data.Object("message")
	case "content_block_start":
		a.start(data)
	case "content_block_delta":
		if block := a.block(data); block != nil {
			a.delta(block, data.Object("delta"))
		}
	case "content_block_stop":
		if block := a.block(data); block != nil {
			a.stop(block)
		}
	case "message_delta":
		a.end(data)
	case "message_stop":
		a.isOver = true
	case "error":
		a.failed = a.reader.endpoint.FailureOf(data["error"])
	}
	return a.isOver || a.failed != nil
}

// End is the response after message_stop, or after an error. [ANTHROPIC-16]
func (a *answer) End() *model.Response {
	if !a.isOver && a.failed == nil {
		return nil
	}
	response := a.SoFar()
	if a.failed != nil {
		response.StopReason, response.RawStopReason, response.Error = model.Failed, nil, a.failed
	}
	return &response
}

// SoFar is what has come.
func (a *answer) SoFar() model.Response { return a.reader.response(a.message, a.order) }

// block is the block that an event names. [ANTHROPIC-15]
func (a *answer) block(data wire.Object) *block {
	if index := data.Int("index"); index != nil {
		return a.blocks[*index]
	}
	return nil
}

func (a *answer) start(data wire.Object) {
	index := data.Int("index")
	if index == nil {
		return
	}
	started := &block{fields: data.Object("content_block")}
	a.order = append(a.order, started)
	a.blocks[*index] = started
	switch started.fields.Text("type") {
	case "tool_use":
		call := session.Message{Type: session.ToolCall, ID: started.fields.Text("id"), Name: a.reader.names.Original(started.fields.Text("name"))}
		a.piece(started, call).Open()
	case "text":
		a.piece(started, session.Message{Role: session.Assistant}).Add(started.fields.Text("text"))
	case "thinking", "redacted_thinking":
		a.piece(started, session.Message{Type: session.Thinking}).Add(started.fields.Text("thinking"))
	}
}

// piece is where what comes of a block is told.
func (a *answer) piece(of *block, message session.Message) *wire.Piece {
	if a.streams == nil {
		a.streams = map[*block]*wire.Piece{}
	}
	a.streams[of] = wire.NewPiece(a.reader.listener, &a.told, message)
	return a.streams[of]
}

func (a *answer) delta(block *block, delta wire.Object) {
	switch delta.Text("type") {
	case "text_delta":
		a.add(block, "text", delta.Text("text"))
	case "thinking_delta":
		a.add(block, "thinking", delta.Text("thinking"))
	case "signature_delta":
		block.fields["signature"] = wire.Raw(block.fields.Text("signature") + delta.Text("signature"))
	case "input_json_delta":
		block.written += delta.Text("partial_json")
		if piece := a.streams[block]; piece != nil {
			piece.Add(delta.Text("partial_json"))
		}
	case "citations_delta":
		block.fields["citations"] = wire.Raw(append(block.fields.List("citations"), delta["citation"]))
	}
}

func (a *answer) add(block *block, key, text string) {
	block.fields[key] = wire.Raw(block.fields.Text(key) + text)
	if piece := a.streams[block]; piece != nil {
		piece.Add(text)
	}
}

// stop ends a block. Arguments that came with its beginning are told now.
func (a *answer) stop(block *block) {
	isCall := block.fields.Text("type") == "tool_use"
	if given := block.fields["input"]; block.written != "" && !isCall {
		block.fields["input"] = json.RawMessage(block.written) // of a tool of the provider
	} else if isCall && block.written == "" && !wire.IsNothing(given) {
		block.written = string(given)
		a.streams[block].Add(block.written)
	}
	piece := a.streams[block]
	if piece == nil {
		return
	}
	if kind := block.fields.Text("type"); kind == "thinking" || kind == "redacted_thinking" {
		piece.Open() // [EVENT-25]
	}
	piece.Close()
}

// end reads how the message ends; its numbers replace those of the beginning. [ANTHROPIC-19]
func (a *answer) end(data wire.Object) {
	message := wire.Object{}
	maps.Copy(message, a.message)
	maps.Copy(message, data.Object("delta"))
	used := wire.Object{}
	maps.Copy(used, a.message.Object("usage"))
	maps.Copy(used, data.Object("usage").Without())
	message["usage"] = wire.Raw(used)
	a.message = message
}
