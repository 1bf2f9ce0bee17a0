// Requests: a generic request as a body of the Messages API.

package anthropic

import (
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// object is an object of a body; its keys are written sorted, so that the same session gives the same bytes.
type object = map[string]any

// entry is one block of a body, or a later system text, with the role of the message that it goes into.
type entry struct {
	role     string
	block    object
	isResult bool
	isItem   bool
	isLast   bool // thinking that must not be the last of its response
}

type renderer struct {
	asked    string
	names    *wire.Names
	ids      *wire.Names
	listener model.Listener
}

func render(request model.Request, names *wire.Names, listener model.Listener) (object, *model.Error) {
	r := renderer{request.Model, names, wire.CallIDs(64, true, listener), listener}
	body := object{"model": request.Model, "max_tokens": defaultMaxTokens}
	system, rest := r.leading(wire.WithoutUnanswered(request.Messages, serverCalls, listener))
	if system != "" {
		body["system"] = system
	}
	messages, err := group(r.entries(rest))
	if err != nil {
		return nil, err
	}
	body["messages"] = messages
	if container := r.container(rest); container != "" {
		body["container"] = container
	}
	if len(request.Tools) > 0 {
		var tools []object
		for _, tool := range request.Tools {
			declared := object{"name": names.Of(tool.Name), "input_schema": tool.InputSchema}
			if tool.Description != "" {
				declared["description"] = tool.Description
			}
			tools = append(tools, declared)
		}
		body["tools"] = tools
	}
	return body, nil
}

// leading is the text of the leading system messages, and the messages after them. [ANTHROPIC-5]
func (r *renderer) leading(messages []session.Message) (string, []session.Message) {
	var texts []string
	for i, message := range messages {
		if message.Kind() != session.System {
			return strings.Join(texts, "\n\n"), messages[i:]
		}
		if r.hasText(message) {
			texts = append(texts, message.Content.Text)
		}
	}
	return strings.Join(texts, "\n\n"), nil
}

// entries are the blocks of the messages, in order, without those that cannot be sent.
func (r *renderer) entries(messages []session.Message) []entry {
	var entries []entry
	for i, message := range messages {
		rendered := r.message(message)
		endsResponse := message.IsResponse() && (i+1 == len(messages) || !messages[i+1].IsResponse())
		entries = append(entries, rendered...)
		for last := len(entries) - 1; endsResponse && last >= 0 && entries[last].isLast; last-- {
			r.listener.Warn("thinking_dropped", "thinking that nothing follows in its response is not sent")
			entries = entries[:last]
		}
	}
	return entries
}

func (r *renderer) message(message session.Message) []entry {
	switch message.Kind() {
	case session.System:
		if r.hasText(message) {
			return []entry{{role: "system", block: object{"text": message.Content.Text}}}
		}
		return nil
	case session.User:
		blocks := r.parts(message.Content)
		if len(blocks) == 0 {
			r.listener.Warn("empty_message_dropped", "a user message in which there is nothing to send is not sent")
		}
		var entries []entry
		for _, block := range blocks {
			entries = append(entries, entry{role: "user", block: block})
		}
		return entries
	case session.ToolResult:
		return r.result(message)
	case session.Thinking:
		return r.thinking(message)
	case session.Assistant:
		if !r.hasText(message) {
			return nil
		}
		return r.model(message, object{"type": "text", "text": message.Content.Text})
	case session.ToolCall:
		return r.model(message, object{"type": "tool_use", "id": r.ids.Of(message.ID), "name": r.names.Of(message.Name),
			"input": model.Arguments(message)})
	case session.ProviderItem:
		if message.Provider != Provider || message.Model != r.asked {
			r.listener.Warn("provider_item_dropped", "an item of "+message.Provider+" "+message.Model+" is not sent")
			return nil
		}
		block := object{}
		for key, value := range wire.ReadObject(message.Item) {
			block[key] = value
		}
		return []entry{{role: "assistant", block: block, isItem: true}}
	}
	r.listener.Warn("part_dropped", "a message of the unknown type "+message.Kind()+" is not sent")
	return nil
}

// kept are the fields of opaque that belong to no block.
var kept = []string{"provider", "model", "container", "stop_sequence", "thread", "signature", "redacted"}

// model is a block of the model, with what it gave beside it if this model made it.
func (r *renderer) model(message session.Message, block object) []entry {
	if message.MadeBy(Provider, r.asked) {
		for key, value := range wire.Object(message.Opaque).Without(kept...) {
			block[key] = value
		}
	}
	return []entry{{role: "assistant", block: block}}
}

// thinking goes back as it came, to the model that made it. [ANTHROPIC-9]
func (r *renderer) thinking(message session.Message) []entry {
	signature, isSigned := message.Opaque["signature"]
	redacted, isRedacted := message.Opaque["redacted"]
	if !message.MadeBy(Provider, r.asked) || !isSigned && !isRedacted {
		r.listener.Warn("thinking_dropped", "thinking of another model, or without a signature, is not sent")
		return nil
	}
	if isRedacted {
		return []entry{{role: "assistant", block: object{"type": "redacted_thinking", "data": redacted}, isLast: true}}
	}
	block := object{"type": "thinking", "thinking": message.Content.Text, "signature": signature}
	return []entry{{role: "assistant", block: block, isLast: true}}
}

// result is the block of a result; and, where it is an error, what the API refuses in one. [ANTHROPIC-31]
func (r *renderer) result(message session.Message) []entry {
	block := object{"type": "tool_result", "tool_use_id": r.ids.Of(message.ID)}
	var beside []entry
	if !message.Output.IsParts {
		block["content"] = message.Output.Text
	} else if inside, outside := r.outputParts(message); len(inside) > 0 || len(outside) > 0 {
		block["content"] = inside
		for _, each := range outside {
			beside = append(beside, entry{role: "user", block: each})
		}
	}
	if message.IsError {
		block["is_error"] = true
		if !hasContent(block["content"]) {
			block["content"] = model.SilentFailure
		}
	}
	return append([]entry{{role: "user", block: block, isResult: true}}, beside...)
}

// outputParts are the parts that stand in the result, and those that have to stand behind it.
func (r *renderer) outputParts(message session.Message) (inside, outside []object) {
	for _, part := range r.parts(message.Output) {
		if message.IsError && part["type"] != "text" {
			outside = append(outside, part)
		} else {
			inside = append(inside, part)
		}
	}
	if len(outside) > 0 {
		r.listener.Warn("part_moved", "images and documents of an error stand behind the results")
	}
	return inside, outside
}

func hasContent(content any) bool {
	switch content := content.(type) {
	case string:
		return !session.IsBlank(content)
	case []object:
		return len(content) > 0
	}
	return false
}

// container is the id of the last container in which the model ran code.
func (r *renderer) container(messages []session.Message) string {
	id := ""
	for _, message := range messages {
		if given, has := message.Opaque["container"]; has && message.MadeBy(Provider, r.asked) {
			id = wire.ReadObject(given).Text("id")
		}
	}
	return id
}

func (r *renderer) hasText(message session.Message) bool {
	if session.IsBlank(message.Content.Text) {
		r.listener.Warn("empty_message_dropped", "a blank message with role "+message.Role+" is not sent")
		return false
	}
	return true
}

// serverCalls tells the calls of the server's own tools. None is over before its result is there.
var serverCalls = wire.ServerCalls{Called: called, Answered: answered, IsOver: func(wire.Object) bool { return false }}

// called is the id of a call of the server's own tool.
func called(item wire.Object) string {
	if kind := item.Text("type"); kind == "server_tool_use" || kind == "mcp_tool_use" {
		return item.Text("id")
	}
	return ""
}

// answered is the id of the call that an item of the server answers.
func answered(item wire.Object) string { return item.Text("tool_use_id") }
