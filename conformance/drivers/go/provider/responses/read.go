// Responses: the items of an answer as generic messages.

package responses

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
	declared map[string]bool // the tools of the request, as they were sent
}

// isServers is whether an item is a call of a tool that only the server has. [RESPONSES-40]
func (r *reader) isServers(fields wire.Object) bool {
	return fields.Text("type") == "custom_tool_call" && !r.declared[fields.Text("name")]
}

// body reads a whole answer.
func (r *reader) body(data []byte) model.Response {
	whole := wire.ReadObject(data)
	failed := r.endpoint.Failure(data)
	if output := whole["output"]; failed == nil && (len(output) == 0 || output[0] != '[') {
		failed = model.Errorf(model.InvalidResponse, "expected a list of items in output, got: %.200s", data)
	}
	var items []item
	for _, each := range whole.List("output") {
		items = append(items, item{fields: wire.ReadObject(each)})
	}
	response := r.response(whole, items)
	if failed != nil {
		response.StopReason, response.RawStopReason, response.Error = model.Failed, nil, failed
	}
	return response
}

// item is one item of an answer; callID is what the terminal event calls a call that was streamed under another id.
type item struct {
	fields wire.Object
	callID string
}

// response is the generic response of an answer and its items.
func (r *reader) response(whole wire.Object, items []item) model.Response {
	response := model.Response{Model: whole.Text("model"), Usage: usage(whole.Object("usage"))}
	isRefused, hasCalls := false, false
	for _, each := range items {
		messages := r.messages(each)
		for i, message := range messages {
			isRefused = isRefused || message.Opaque.Text("type") == "refusal"
			hasCalls = hasCalls || message.Kind() == session.ToolCall
			if string(whole["store"]) == "true" && whole.Text("id") != "" {
				messages[i].Opaque = r.opaque(wire.Object(message.Opaque), wire.Object{"response_id": whole["id"]})
			}
		}
		response.Messages = append(response.Messages, messages...)
	}
	r.end(&response, whole, isRefused, hasCalls)
	return response
}

// end maps the status, or the reason for which a response is incomplete. [RESPONSES-21]
func (r *reader) end(response *model.Response, whole wire.Object, isRefused, hasCalls bool) {
	raw := whole.Text("status")
	if raw == "incomplete" {
		raw = whole.Object("incomplete_details").Text("reason")
	}
	if raw != "" {
		response.RawStopReason = &raw
	}
	switch raw {
	case "completed", "":
		response.StopReason = model.EndTurn
		if hasCalls {
			response.StopReason = model.ToolUse
		} else if isRefused {
			response.StopReason = model.Refusal
		}
	case "max_output_tokens":
		response.StopReason = model.MaxTokens
	case "content_filter":
		response.StopReason = model.ContentFilter
	case "failed":
		response.StopReason = model.Failed
		response.Error = model.Errorf(model.ServerError, "the response failed, and the provider did not say why")
	case "queued", "in_progress", "cancelled":
		response.StopReason = model.Interrupted
		response.Error = model.Errorf(model.StreamInterrupted, "the response is %s: it is not whole", raw)
	default:
		response.StopReason = model.Other
	}
}

func (r *reader) messages(from item) []session.Message {
	fields := from.fields
	if r.isServers(fields) {
		return []session.Message{r.item(fields)}
	}
	switch fields.Text("type") {
	case "message":
		return r.texts(fields)
	case "reasoning":
		thought := session.Message{Type: session.Thinking, Content: session.Text(thought(fields)), Opaque: r.opaque(fields.Without("type"), wire.Object{})}
		return []session.Message{thought}
	case "function_call":
		call := model.Call(fields.Text("call_id"), r.names.Original(fields.Text("name")), fields.Text("arguments"))
		call.Opaque = r.opaque(fields.Without("type", "call_id", "name", "arguments"), from.otherID())
		return []session.Message{call}
	case "custom_tool_call":
		call := session.Message{Type: session.ToolCall, ID: fields.Text("call_id"), Name: r.names.Original(fields.Text("name")),
			Input: wire.Raw(object{"input": fields.Text("input")})}
		call.Opaque = r.opaque(fields.Without("call_id", "name", "input"), from.otherID())
		return []session.Message{call}
	}
	return []session.Message{r.item(fields)}
}

// item is what no generic message fits. [RESPONSES-16]
func (r *reader) item(fields wire.Object) session.Message {
	return session.Message{Type: session.ProviderItem, Provider: Provider, Model: r.asked, Item: wire.Raw(fields)}
}

func (i item) otherID() wire.Object {
	if i.callID == "" {
		return wire.Object{}
	}
	return wire.Object{"call_id": wire.Raw(i.callID)}
}

// texts are the parts of a message that have text, each a message of its own. [RESPONSES-15]
func (r *reader) texts(fields wire.Object) []session.Message {
	var messages []session.Message
	for _, each := range fields.List("content") {
		part := wire.ReadObject(each)
		opaque := part.Without("type", "text", "refusal")
		for _, key := range []string{"id", "phase"} {
			if !wire.IsNothing(fields[key]) {
				opaque[key] = fields[key]
			}
		}
		if fields.Text("status") == "incomplete" { // that it is under way says nothing later
			opaque["status"] = fields["status"]
		}
		text := part.Text("text")
		if part.Text("type") == "refusal" {
			text = part.Text("refusal")
			opaque["type"] = wire.Raw("refusal")
		}
		if text != "" {
			messages = append(messages, session.Message{Role: session.Assistant, Content: session.Text(text), Opaque: r.opaque(opaque, wire.Object{})})
		}
	}
	return messages
}

// thought is the text of reasoning, or else its summaries.
func thought(fields wire.Object) string {
	for _, key := range []string{"content", "summary"} {
		var texts []string
		for _, part := range fields.List(key) {
			if text := wire.ReadObject(part).Text("text"); text != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			return strings.Join(texts, blankLine)
		}
	}
	return ""
}

const blankLine = "\n\n"

// opaque is what the maker of an item needs back.
func (r *reader) opaque(fields, more wire.Object) session.Opaque {
	opaque := session.Opaque{"provider": wire.Raw(Provider), "model": wire.Raw(r.asked)}
	maps.Copy(opaque, map[string]json.RawMessage(fields))
	maps.Copy(opaque, map[string]json.RawMessage(more))
	return opaque
}

func usage(counted wire.Object) model.Usage {
	input := counted.Object("input_tokens_details")
	return model.Usage{
		InputTokens:      counted.Int("input_tokens"),
		OutputTokens:     counted.Int("output_tokens"),
		CacheReadTokens:  input.Int("cached_tokens"),
		CacheWriteTokens: input.Int("cache_write_tokens"),
		ReasoningTokens:  counted.Object("output_tokens_details").Int("reasoning_tokens"),
	}
}
