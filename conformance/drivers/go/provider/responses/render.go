// Requests: a generic request as a body of the Responses API.

package responses

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
	input    []object
	sentIDs  map[string]bool   // ids of items, of which each goes out once
	isBare   bool              // reasoning of this response was left out: what follows goes without its id
	calls    map[string]object // what a call was sent as, by the call's id in the session
}

func render(request model.Request, names *wire.Names, listener model.Listener) object {
	r := &renderer{asked: request.Model, names: names, ids: wire.CallIDs(64, false, listener), listener: listener,
		input: []object{}, sentIDs: map[string]bool{}, calls: map[string]object{}}
	instructions, rest := r.leading(wire.WithoutUnanswered(request.Messages, serverCalls, listener))
	for i, message := range rest {
		if !message.IsResponse() {
			r.isBare = false
		}
		r.message(message, rest[i+1:])
	}
	body := object{"model": request.Model, "input": r.input, "store": false, "include": []string{"reasoning.encrypted_content"}}
	if instructions != "" {
		body["instructions"] = instructions
	}
	if len(request.Tools) > 0 {
		body["tools"] = tools(request.Tools, names)
	}
	return body
}

// tools declares each tool without strict, so that optional parameters stay optional. [RESPONSES-13]
func tools(all []model.Tool, names *wire.Names) []object {
	var declared []object
	for _, tool := range all {
		function := object{"type": "function", "name": names.Of(tool.Name), "parameters": wire.WithProperties(tool.InputSchema), "strict": false}
		if tool.Description != "" {
			function["description"] = tool.Description
		}
		declared = append(declared, function)
	}
	return declared
}

// leading is the text of the leading system messages, and the messages after them. [RESPONSES-1]
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

// message sends one message as one item; following are the messages behind it. [RESPONSES-2]
func (r *renderer) message(message session.Message, following []session.Message) {
	switch message.Kind() {
	case session.System:
		if r.hasText(message) {
			r.send(object{"role": "system", "content": message.Content.Text})
		}
	case session.User:
		r.user(message)
	case session.Assistant:
		if r.hasText(message) {
			r.send(r.text(message))
		}
	case session.Thinking:
		r.thinking(message, following)
	case session.ToolCall:
		item := r.call(message)
		r.calls[message.ID] = item
		r.send(item)
	case session.ToolResult:
		r.send(r.result(message))
	case session.ProviderItem:
		if !r.isOwn(message) {
			r.listener.Warn("provider_item_dropped", "an item of "+message.Provider+" "+message.Model+" is not sent")
			return
		}
		r.send(copied(wire.ReadObject(message.Item)))
	default:
		r.listener.Warn("part_dropped", "a message of the unknown type "+message.Kind()+" is not sent")
	}
}

// send adds an item, without its id where the API would miss something, or has the id already. [RESPONSES-6]
func (r *renderer) send(item object) {
	if given, has := item["id"]; has {
		id := string(wire.Raw(given))
		if r.isBare || r.sentIDs[id] {
			delete(item, "id")
		}
		r.sentIDs[id] = true
	}
	r.input = append(r.input, item)
}

func (r *renderer) user(message session.Message) {
	if !message.Content.IsParts && message.Content.Text != "" {
		r.send(object{"role": "user", "content": message.Content.Text})
		return
	}
	parts := r.parts(message.Content)
	if len(parts) == 0 {
		r.listener.Warn("empty_message_dropped", "a user message in which no part is left is not sent")
		return
	}
	r.send(object{"role": "user", "content": parts})
}

// text is an item with what the model gave beside the text, for the model that made it. [RESPONSES-3]
func (r *renderer) text(message session.Message) object {
	if !message.MadeBy(Provider, r.asked) {
		return object{"role": "assistant", "content": message.Content.Text}
	}
	part := object{"type": "output_text", "text": message.Content.Text, "annotations": []any{}}
	if annotations, has := message.Opaque["annotations"]; has {
		part["annotations"] = annotations
	}
	if message.Opaque.Text("type") == "refusal" {
		part = object{"type": "refusal", "refusal": message.Content.Text}
	}
	item := object{"type": "message", "role": "assistant", "status": "completed", "content": []object{part}}
	for _, key := range []string{"id", "phase", "status"} {
		if value, has := message.Opaque[key]; has {
			item[key] = value
		}
	}
	return item
}

// thinking goes back to the model that made it, if something follows and if it is more than a reference.
// [RESPONSES-4, RESPONSES-5, RESPONSES-37]
func (r *renderer) thinking(message session.Message, following []session.Message) {
	fields := copied(wire.Object(message.Opaque).Without(kept...))
	fields["type"] = "reasoning"
	if _, has := fields["summary"]; !has {
		fields["summary"] = []any{}
	}
	_, isEncrypted := fields["encrypted_content"]
	_, isOpen := fields["content"]
	if message.MadeBy(Provider, r.asked) && (isEncrypted || isOpen) && r.isFollowed(following) {
		r.send(fields)
		return
	}
	r.isBare = true
	r.listener.Warn("thinking_dropped", "thinking of another model, or that is only a reference, or that nothing follows, is not sent")
}

// isFollowed says whether something but thinking follows in the response that is sent.
func (r *renderer) isFollowed(following []session.Message) bool {
	for _, message := range following {
		if !message.IsResponse() {
			return false
		}
		switch message.Kind() {
		case session.Assistant:
			if message.Content.Text != "" {
				return true
			}
		case session.ProviderItem:
			if r.isOwn(message) {
				return true
			}
		case session.ToolCall:
			return true
		}
	}
	return false
}

// isOwn says whether an item is one of the model that is asked.
func (r *renderer) isOwn(item session.Message) bool {
	return item.Provider == Provider && item.Model == r.asked
}

// kept are the fields of opaque that belong to no item.
var kept = []string{"provider", "model", "response_id", "conversation", "type", "call_id"}

func (r *renderer) call(message session.Message) object {
	item := object{}
	callID := message.ID
	isCustom := false
	if message.MadeBy(Provider, r.asked) {
		item = copied(wire.Object(message.Opaque).Without(kept...))
		if other := message.Opaque.Text("call_id"); other != "" {
			callID = other // [RESPONSES-35]
		}
		isCustom = message.Opaque.Text("type") == "custom_tool_call"
	}
	item["call_id"], item["name"] = r.ids.Of(callID), r.names.Of(message.Name)
	if isCustom {
		item["type"], item["input"] = "custom_tool_call", wire.ReadObject(message.Input).Text("input")
		return item
	}
	item["type"], item["arguments"] = "function_call", string(model.Arguments(message))
	return item
}

// result answers a call under the id and in the type under which the call was sent. [RESPONSES-7, RESPONSES-8]
func (r *renderer) result(message session.Message) object {
	item := object{"type": "function_call_output", "call_id": r.ids.Of(message.ID), "output": message.Output.Text}
	if call, sent := r.calls[message.ID]; sent {
		item["type"], item["call_id"] = call["type"].(string)+"_output", call["call_id"]
	}
	if message.Output.IsParts {
		item["output"] = ""
		if parts := r.parts(message.Output); len(parts) > 0 {
			item["output"] = parts
		}
	}
	if message.IsError && item["output"] == "" {
		item["output"] = model.SilentFailure
	}
	return item
}

func (r *renderer) hasText(message session.Message) bool {
	if message.Content.Text == "" {
		r.listener.Warn("empty_message_dropped", "an empty message with role "+message.Role+" is not sent")
	}
	return message.Content.Text != ""
}

func copied(fields wire.Object) object {
	item := object{}
	for key, value := range fields {
		item[key] = value
	}
	return item
}

// serverCalls tells the calls of the server's own tools.
var serverCalls = wire.ServerCalls{Called: called, Answered: answered, IsOver: isOwnCall}

// isOwnCall is whether an item is a call that the server made in the form of a custom one, and answered where nobody sees it.
// [RESPONSES-41]
func isOwnCall(item wire.Object) bool { return item.Text("type") == "custom_tool_call" }

// called is the id of a call of the server's own tool whose result is an item of its own.
func called(item wire.Object) string {
	switch item.Text("type") {
	case "shell_call", "local_shell_call", "computer_call", "apply_patch_call", "custom_tool_call":
		return item.Text("call_id")
	}
	return ""
}

// answered is the id of the call that an item answers.
func answered(item wire.Object) string {
	if strings.HasSuffix(item.Text("type"), "_output") {
		return item.Text("call_id")
	}
	return ""
}
