// Requests: a generic request as a body of Chat Completions.

package chat

import (
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// object is an object of a body; its keys are written sorted, so that the same session gives the same bytes.
type object = map[string]any

type renderer struct {
	asked    string
	names    *wire.Names
	ids      *wire.Names
	listener model.Listener
	messages []object
	response *response // the response of the model that is being put together
	moved    []object  // parts of results that go behind the last of them
}

// response is one message of the model.
type response struct {
	texts     strings.Builder
	calls     []object
	reasoning []session.Message
	audio     string // the id of what was said aloud
}

func render(request model.Request, names *wire.Names, listener model.Listener) object {
	r := &renderer{asked: request.Model, names: names, ids: wire.CallIDs(40, false, listener), listener: listener, messages: []object{}}
	system, rest := r.leading(request.Messages)
	if system != "" {
		r.messages = append(r.messages, object{"role": "system", "content": system})
	}
	for _, message := range rest {
		r.message(message)
	}
	r.endResponse()
	r.endResults()
	body := object{"model": request.Model, "messages": r.messages}
	if len(request.Tools) > 0 {
		body["tools"] = tools(request.Tools, names)
	}
	return body
}

// tools declares each tool with properties in its parameters. [CHAT-8]
func tools(all []model.Tool, names *wire.Names) []object {
	var declared []object
	for _, tool := range all {
		function := object{"name": names.Of(tool.Name), "parameters": wire.WithProperties(tool.InputSchema)}
		if tool.Description != "" {
			function["description"] = tool.Description
		}
		declared = append(declared, object{"type": "function", "function": function})
	}
	return declared
}

// leading is the text of the leading system messages, and the messages after them. [CHAT-6]
func (r *renderer) leading(messages []session.Message) (string, []session.Message) {
	var texts []string
	for len(messages) > 0 && messages[0].Kind() == session.System {
		if r.hasText(messages[0]) {
			texts = append(texts, messages[0].Content.Text)
		}
		messages = messages[1:]
	}
	return strings.Join(texts, "\n\n"), messages
}

func (r *renderer) message(message session.Message) {
	if !message.IsResponse() {
		r.endResponse()
	}
	if message.Kind() != session.ToolResult {
		r.endResults()
	}
	switch message.Kind() {
	case session.System:
		if r.hasText(message) {
			r.messages = append(r.messages, object{"role": "system", "content": message.Content.Text})
		}
	case session.User:
		r.user(message)
	case session.ToolResult:
		r.result(message)
	case session.Assistant, session.Thinking, session.ToolCall, session.ProviderItem:
		r.addToResponse(message)
	default:
		r.listener.Warn("part_dropped", "a message of the unknown type "+message.Kind()+" is not sent")
	}
}

func (r *renderer) user(message session.Message) {
	if !message.Content.IsParts {
		r.messages = append(r.messages, object{"role": "user", "content": message.Content.Text})
		return
	}
	parts := r.parts(message.Content.Parts)
	if len(parts) == 0 {
		r.listener.Warn("empty_message_dropped", "a user message in which no part is left is not sent")
		return
	}
	r.messages = append(r.messages, object{"role": "user", "content": parts})
}

// addToResponse puts a message of the model into the one message of its response. [CHAT-1]
func (r *renderer) addToResponse(message session.Message) {
	if r.response == nil {
		r.response = &response{}
	}
	switch message.Kind() {
	case session.Assistant:
		if r.hasText(message) {
			r.response.texts.WriteString(message.Content.Text)
		}
		if message.MadeBy(Provider, r.asked) {
			r.response.addAudio(wire.Object(message.Opaque))
		}
	case session.ToolCall:
		r.response.calls = append(r.response.calls, r.call(message))
	case session.Thinking:
		if !message.MadeBy(Provider, r.asked) || message.Opaque.Text("field") == "" {
			r.listener.Warn("thinking_dropped", "thinking of another model is not sent")
			return
		}
		r.response.reasoning = append(r.response.reasoning, message)
	case session.ProviderItem:
		isOwn := message.Provider == Provider && message.Model == r.asked
		if !isOwn || !r.response.addAudio(wire.ReadObject(message.Item)) {
			r.listener.Warn("provider_item_dropped", "an item of "+message.Provider+" "+message.Model+
				" is not sent: the API takes back only what this model said aloud")
		}
	}
}

// addAudio takes the id of what was said aloud, by which it goes back; false if nothing was. [PROVIDER-1]
func (r *response) addAudio(fields wire.Object) bool {
	id := fields.Object("audio").Text("id")
	if id != "" {
		r.audio = id
	}
	return id != ""
}

// endResponse sends the response that has been put together. [CHAT-2]
func (r *renderer) endResponse() {
	response := r.response
	r.response = nil
	if response == nil {
		return
	}
	if response.texts.Len() == 0 && len(response.calls) == 0 && response.audio == "" {
		for range response.reasoning {
			r.listener.Warn("thinking_dropped", "thinking that nothing else of its response stands beside is not sent")
		}
		return
	}
	sent := object{"role": "assistant", "content": nil}
	if response.texts.Len() > 0 {
		sent["content"] = response.texts.String()
	}
	if len(response.calls) > 0 {
		sent["tool_calls"] = response.calls
	}
	if response.audio != "" {
		sent["audio"] = object{"id": response.audio}
	}
	addReasoning(sent, response.reasoning)
	r.messages = append(r.messages, sent)
}

// addReasoning sends thinking in the fields in which it came. [CHAT-10]
func addReasoning(sent object, reasoning []session.Message) {
	texts := map[string]string{}
	var details []any
	for _, message := range reasoning {
		texts[message.Opaque.Text("field")] += message.Content.Text
		for _, detail := range wire.ReadList(message.Opaque["reasoning_details"]) {
			details = append(details, detail)
		}
	}
	for field, text := range texts {
		if field != "reasoning_details" {
			sent[field] = text
		}
	}
	if len(details) > 0 {
		sent["reasoning_details"] = details
	}
}

func (r *renderer) call(message session.Message) object {
	id, name := r.ids.Of(message.ID), r.names.Of(message.Name)
	call := object{"id": id, "type": "function", "function": object{"name": name, "arguments": string(model.Arguments(message))}}
	if !message.MadeBy(Provider, r.asked) {
		return call
	}
	if message.Opaque.Text("type") == "custom" {
		return object{"id": id, "type": "custom", "custom": object{"name": name, "input": wire.ReadObject(message.Input).Text("input")}}
	}
	for key, value := range wire.Object(message.Opaque).Without("provider", "model", "type") {
		call[key] = value
	}
	return call
}

func (r *renderer) hasText(message session.Message) bool {
	if message.Content.Text == "" {
		r.listener.Warn("empty_message_dropped", "an empty message with role "+message.Role+" is not sent")
	}
	return message.Content.Text != ""
}
