// Responses: the first choice of an answer as generic messages.

package chat

import (
	"encoding/json"
	"maps"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// reader reads the answers to one request.
type reader struct {
	endpoint *wire.Endpoint
	names    *wire.Names
	asked    string
}

// body reads a whole answer.
func (r *reader) body(data []byte) model.Response {
	if failed := r.endpoint.Failure(data); failed != nil {
		return model.Response{StopReason: model.Failed, Error: failed}
	}
	whole := wire.ReadObject(data)
	choices := whole.List("choices")
	if len(choices) == 0 || wire.IsNothing(wire.ReadObject(choices[0])["message"]) {
		return model.Response{StopReason: model.Failed,
			Error: model.Errorf(model.InvalidResponse, "expected a message in choices, got: %.200s", data)}
	}
	first := wire.ReadObject(choices[0])
	return r.response(whole, first.Object("message"), first.Text("finish_reason"))
}

// reasoningFields are the fields in which servers give thinking, those with a text first.
var reasoningFields = []string{"reasoning_content", "reasoning", "reasoning_details"}

// besides are the fields of an answer that belong to its text. [CHAT-36]
var besides = []string{"citations", "search_results"}

// response is the generic response of an answer and its message.
func (r *reader) response(whole, message wire.Object, finish string) model.Response {
	response := model.Response{Model: whole.Text("model"), Usage: usage(whole.Object("usage"))}
	texts, items := r.content(message["content"])
	response.Messages = append(r.thinking(message), texts...)
	refusal := message.Text("refusal")
	if refusal != "" {
		response.Messages = append(response.Messages, session.Message{Role: session.Assistant, Content: session.Text(refusal)})
	}
	rest := message.Without("role", "content", "refusal", "tool_calls", "function_call", "padding", "channel", "token_id",
		reasoningFields[0], reasoningFields[1], reasoningFields[2])
	for _, key := range besides {
		if !wire.IsNothing(whole[key]) {
			rest[key] = whole[key]
		}
	}
	if len(rest) > 0 {
		response.Messages = r.beside(response.Messages, rest)
	}
	for _, item := range items {
		response.Messages = append(response.Messages, r.item(wire.ReadObject(item)))
	}
	calls := r.calls(message)
	response.Messages = append(response.Messages, calls...)
	response.StopReason, response.Error = stopReason(finish, refusal != "", len(calls) > 0)
	if finish != "" {
		response.RawStopReason = &finish
	}
	return response
}

var stopReasons = map[string]model.StopReason{
	"stop":           model.EndTurn,
	"eos":            model.EndTurn,
	"tool_calls":     model.ToolUse,
	"function_call":  model.ToolUse,
	"length":         model.MaxTokens,
	"model_length":   model.MaxTokens,
	"content_filter": model.ContentFilter,
	"error":          model.Failed,
	// How other servers spell them. [CHAT-42]
	"tool_call":  model.ToolUse,
	"eos_token":  model.EndTurn,
	"end_turn":   model.EndTurn,
	"end":        model.EndTurn,
	"max_tokens": model.MaxTokens,
}

// stopReason maps the finish reason. [CHAT-16, CHAT-19]
func stopReason(finish string, isRefused, hasCalls bool) (model.StopReason, *model.Error) {
	reason, known := stopReasons[finish]
	switch {
	case reason == model.Failed:
		return reason, model.Errorf(model.ServerError, "the provider ended its answer with the finish reason %s", finish)
	case isRefused:
		return model.Refusal, nil
	case known:
		return reason, nil
	case finish != "":
		return model.Other, nil
	case hasCalls:
		return model.ToolUse, nil
	}
	return model.EndTurn, nil
}

// thinking is the reasoning of a message, with the field in which it came; of several, the details say most.
func (r *reader) thinking(message wire.Object) []session.Message {
	details := message.List("reasoning_details")
	for _, field := range reasoningFields {
		text := message.Text(field)
		if text == "" && (field != "reasoning_details" || len(details) == 0) {
			continue
		}
		opaque := wire.Object{"field": wire.Raw(field)}
		if len(details) > 0 {
			opaque["field"], opaque["reasoning_details"] = wire.Raw("reasoning_details"), message["reasoning_details"]
		}
		if text == "" {
			text = textOfDetails(details)
		}
		return []session.Message{{Type: session.Thinking, Content: session.Text(text), Opaque: r.opaque(opaque)}}
	}
	if isEmptyText(message["reasoning_content"]) && len(message.List("tool_calls")) > 0 { // [CHAT-43]
		return []session.Message{{Type: session.Thinking, Opaque: r.opaque(wire.Object{"field": wire.Raw("reasoning_content")})}}
	}
	return nil
}

func isEmptyText(value json.RawMessage) bool { return string(value) == `""` }

func textOfDetails(details []json.RawMessage) string {
	var texts strings.Builder
	for _, detail := range details {
		texts.WriteString(wire.ReadObject(detail).Text("text"))
		texts.WriteString(wire.ReadObject(detail).Text("summary"))
	}
	return texts.String()
}

// content is a text, or a list of parts of which the text parts are one text. [CHAT-24]
func (r *reader) content(content json.RawMessage) (messages []session.Message, items []json.RawMessage) {
	text := wire.Text(content)
	for _, part := range wire.ReadList(content) {
		switch fields := wire.ReadObject(part); fields.Text("type") {
		case "text":
			text += fields.Text("text")
		case "thinking":
			messages = append(messages, session.Message{Type: session.Thinking, Content: session.Text(thinkingOfPart(fields)),
				Opaque: session.Opaque{"provider": wire.Raw(Provider), "model": wire.Raw(r.asked)}})
		default:
			items = append(items, part)
		}
	}
	if text != "" {
		messages = append(messages, session.Message{Role: session.Assistant, Content: session.Text(text)})
	}
	return messages, items
}

func thinkingOfPart(part wire.Object) string {
	text := part.Text("thinking")
	for _, piece := range part.List("thinking") {
		text += wire.ReadObject(piece).Text("text")
	}
	return text
}

// beside keeps fields in opaque of the text, or as an item of type message if there is none. [CHAT-36]
func (r *reader) beside(messages []session.Message, fields wire.Object) []session.Message {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Kind() == session.Assistant {
			messages[i].Opaque = r.opaque(fields)
			return messages
		}
	}
	item := wire.Object{"type": wire.Raw("message")}
	maps.Copy(item, fields)
	return append(messages, r.item(item))
}

func (r *reader) item(fields wire.Object) session.Message {
	return session.Message{Type: session.ProviderItem, Provider: Provider, Model: r.asked, Item: wire.Raw(fields)}
}

func (r *reader) opaque(fields wire.Object) session.Opaque {
	if len(fields) == 0 {
		return nil
	}
	opaque := session.Opaque{"provider": wire.Raw(Provider), "model": wire.Raw(r.asked)}
	maps.Copy(opaque, fields)
	return opaque
}

func (r *reader) calls(message wire.Object) []session.Message {
	var calls []session.Message
	for _, each := range message.List("tool_calls") {
		fields := wire.ReadObject(each)
		if custom := fields.Object("custom"); len(custom) > 0 {
			calls = append(calls, session.Message{Type: session.ToolCall, ID: fields.Text("id"), Name: r.names.Original(custom.Text("name")),
				Input: wire.Raw(wire.Object{"input": custom["input"]}), Opaque: r.opaque(wire.Object{"type": wire.Raw("custom")})})
			continue
		}
		function := fields.Object("function")
		call := model.Call(fields.Text("id"), r.names.Original(function.Text("name")), arguments(function["arguments"]))
		call.Opaque = r.opaque(fields.Without("id", "type", "index", "function"))
		calls = append(calls, call)
	}
	if function := message.Object("function_call"); len(function) > 0 {
		calls = append(calls, model.Call("", r.names.Original(function.Text("name")), arguments(function["arguments"])))
	}
	return calls
}

// arguments are written as a text, or as the object itself; null is nothing. [CHAT-14]
func arguments(written json.RawMessage) string {
	if len(written) > 0 && written[0] == '"' || string(written) == "null" {
		return wire.Text(written)
	}
	return string(written)
}

// usage reads the numbers from the places where servers put them. [CHAT-20]
func usage(counted wire.Object) model.Usage {
	read := counted.Object("prompt_tokens_details").Int("cached_tokens")
	for _, key := range []string{"cached_tokens", "prompt_cache_hit_tokens"} {
		if read == nil {
			read = counted.Int(key)
		}
	}
	used := model.Usage{
		InputTokens:      counted.Int("prompt_tokens"),
		OutputTokens:     counted.Int("completion_tokens"),
		CacheReadTokens:  read,
		CacheWriteTokens: counted.Object("prompt_tokens_details").Int("cache_write_tokens"),
		ReasoningTokens:  counted.Object("completion_tokens_details").Int("reasoning_tokens"),
	}
	total, in, out, thought := counted.Int("total_tokens"), used.InputTokens, used.OutputTokens, used.ReasoningTokens
	if total != nil && in != nil && out != nil && thought != nil && *thought > 0 && *total == *in+*out+*thought {
		all := *out + *thought
		used.OutputTokens = &all
	}
	return used
}
