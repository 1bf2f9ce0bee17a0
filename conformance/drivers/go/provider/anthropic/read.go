// Responses: the blocks of an answer as generic messages.

package anthropic

import (
	"maps"
	"slices"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// reader reads the answers to one request.
type reader struct {
	endpoint *wire.Endpoint
	names    *wire.Names
	asked    string
	listener model.Listener
}

// block is one block of an answer; written are the arguments of a streamed call.
type block struct {
	fields  wire.Object
	written string
}

// body reads a whole answer.
func (r *reader) body(data []byte) model.Response {
	if failed := r.endpoint.Failure(data); failed != nil {
		return model.Response{StopReason: model.Failed, Error: failed}
	}
	whole := wire.ReadObject(data)
	if list := whole["content"]; len(list) == 0 || list[0] != '[' {
		return model.Response{StopReason: model.Failed,
			Error: model.Errorf(model.InvalidResponse, "expected a list of blocks in content, got: %.200s", data)}
	}
	var blocks []*block
	for _, each := range whole.List("content") {
		fields := wire.ReadObject(each)
		written := string(fields["input"])
		if written == "null" {
			written = ""
		}
		blocks = append(blocks, &block{fields, written})
	}
	return r.response(whole, blocks)
}

// response is the generic response of a message and its blocks.
func (r *reader) response(message wire.Object, blocks []*block) model.Response {
	response := model.Response{Model: message.Text("model"), Usage: usage(message.Object("usage"))}
	for _, block := range blocks {
		response.Messages = append(response.Messages, r.message(block)...)
	}
	raw := message.Text("stop_reason")
	if raw != "" {
		response.RawStopReason = &raw
	}
	response.StopReason = stopReason(raw, response.Messages)
	if last := len(response.Messages) - 1; last >= 0 {
		response.Messages[last].Opaque = r.withEnding(response.Messages[last].Opaque, message)
	}
	return response
}

// stopReason maps the stop reason; an answer without one ended as its calls say. [ANTHROPIC-18, ANTHROPIC-30]
func stopReason(raw string, messages []session.Message) model.StopReason {
	isCall := func(message session.Message) bool { return message.Kind() == session.ToolCall }
	reason, known := stopReasons[raw]
	switch {
	case known:
		return reason
	case raw != "":
		return model.Other
	case slices.ContainsFunc(messages, isCall):
		return model.ToolUse
	}
	return model.EndTurn
}

// withEnding keeps with the last message what belongs to the whole response. [ANTHROPIC-22]
func (r *reader) withEnding(opaque session.Opaque, message wire.Object) session.Opaque {
	for _, key := range []string{"container", "stop_sequence"} {
		if wire.IsNothing(message[key]) {
			continue
		}
		if opaque == nil {
			opaque = r.signed(nil)
		}
		opaque[key] = message[key]
	}
	return opaque
}

var stopReasons = map[string]model.StopReason{
	"end_turn":                      model.EndTurn,
	"tool_use":                      model.ToolUse,
	"max_tokens":                    model.MaxTokens,
	"stop_sequence":                 model.StopSequence,
	"pause_turn":                    model.Pause,
	"refusal":                       model.Refusal,
	"model_context_window_exceeded": model.ContextWindowExceeded,
}

func (r *reader) message(block *block) []session.Message {
	fields := block.fields
	switch fields.Text("type") {
	case "text":
		if fields.Text("text") == "" {
			return nil
		}
		return []session.Message{{Role: session.Assistant, Content: session.Text(fields.Text("text")),
			Opaque: r.opaque(fields.Without("type", "text"))}}
	case "thinking":
		return []session.Message{{Type: session.Thinking, Content: session.Text(fields.Text("thinking")),
			Opaque: r.signed(fields.Without("type", "thinking"))}}
	case "redacted_thinking":
		return []session.Message{{Type: session.Thinking, Opaque: r.signed(wire.Object{"redacted": fields["data"]})}}
	case "tool_use":
		call := model.Call(fields.Text("id"), r.names.Original(fields.Text("name")), block.written)
		call.Opaque = r.opaque(fields.Without("type", "id", "name", "input"))
		return []session.Message{call}
	}
	return []session.Message{{Type: session.ProviderItem, Provider: Provider, Model: r.asked, Item: wire.Raw(fields)}}
}

// opaque is what only this model may read; nothing where there is nothing to keep.
func (r *reader) opaque(fields wire.Object) session.Opaque {
	if len(fields) == 0 {
		return nil
	}
	return r.signed(fields)
}

// signed are the fields with the provider and the model that made them.
func (r *reader) signed(fields wire.Object) session.Opaque {
	opaque := session.Opaque{"provider": wire.Raw(Provider), "model": wire.Raw(r.asked)}
	maps.Copy(opaque, fields)
	return opaque
}

// usage counts all input, what was read from or written to a cache included. [ANTHROPIC-19]
func usage(counted wire.Object) model.Usage {
	read, written := counted.Int("cache_read_input_tokens"), counted.Int("cache_creation_input_tokens")
	used := model.Usage{OutputTokens: counted.Int("output_tokens"), CacheReadTokens: read, CacheWriteTokens: written,
		ReasoningTokens: counted.Object("output_tokens_details").Int("thinking_tokens")}
	if input := counted.Int("input_tokens"); input != nil {
		total := *input
		for _, cached := range []*int64{read, written} {
			if cached != nil {
				total += *cached
			}
		}
		used.InputTokens = &total
	}
	return used
}
