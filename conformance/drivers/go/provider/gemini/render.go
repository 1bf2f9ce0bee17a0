// Requests: a generic request as a body of generateContent.

package gemini

import (
	"regexp"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// object is an object of a body; its keys are written sorted, so that the same session gives the same bytes.
type object = map[string]any

// noSignature is what Google documents for a call without a signature. [GEMINI-7]
const noSignature = "skip_thought_signature_validator"

var asksForNone = regexp.MustCompile(`(?:^|/)gemini-[12][.-]`)

// kind says whose a content is: those of the user and those of results have one role, and stay apart. [GEMINI-1, GEMINI-2]
type kind string

const (
	ofUser    kind = "user"
	ofResults kind = "results"
	ofModel   kind = "model"
)

type content struct {
	kind  kind
	parts []object
}

type renderer struct {
	asked    string
	names    *wire.Names
	listener model.Listener
	contents []content
	called   map[string]string // the name under which each call was sent, by its id
	failed   *model.Error
}

func render(request model.Request, names *wire.Names, listener model.Listener) (object, *model.Error) {
	r := &renderer{asked: request.Model, names: names, listener: listener, called: map[string]string{}}
	system, rest := r.leading(wire.WithoutUnanswered(request.Messages, serverCalls, listener))
	for _, message := range rest {
		r.message(message)
	}
	if r.failed != nil {
		return nil, r.failed
	}
	body := object{"contents": r.sent()}
	if system != "" {
		body["systemInstruction"] = object{"parts": []object{{"text": system}}}
	}
	if len(request.Tools) > 0 {
		body["tools"] = []object{{"functionDeclarations": functions(request.Tools, names)}}
	}
	return body, nil
}

func (r *renderer) sent() []object {
	sent := []object{}
	for _, each := range r.contents {
		role := "user"
		if each.kind == ofModel {
			role = "model"
		}
		sent = append(sent, object{"role": role, "parts": each.parts})
	}
	return sent
}

// functions declares each tool with its JSON Schema. [GEMINI-8]
func functions(tools []model.Tool, names *wire.Names) []object {
	var declared []object
	for _, tool := range tools {
		function := object{"name": names.Of(tool.Name), "parametersJsonSchema": tool.InputSchema}
		if tool.Description != "" {
			function["description"] = tool.Description
		}
		declared = append(declared, function)
	}
	return declared
}

// leading is the text of the leading system messages, and the messages after them. [GEMINI-3]
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
	switch message.Kind() {
	case session.System:
		if r.hasText(message) { // [PROVIDER-5]
			r.failed = model.Errorf(model.Unsupported, "the API has no place for a system message behind the beginning of the conversation")
		}
	case session.User:
		parts := r.parts(message.Content)
		if len(parts) == 0 {
			r.listener.Warn("empty_message_dropped", "a user message in which there is nothing to send is not sent")
		}
		r.add(ofUser, parts...)
	case session.ToolResult:
		r.add(ofResults, object{"functionResponse": r.result(message)})
	case session.ToolCall:
		r.call(message)
	case session.Assistant:
		if message.Content.Text != "" || r.isSigned(message) || r.hasText(message) {
			r.add(ofModel, r.text(message, object{"text": message.Content.Text})...)
		}
	case session.Thinking:
		r.thinking(message)
	case session.ProviderItem:
		r.item(message)
	default:
		r.listener.Warn("part_dropped", "a message of the unknown type "+message.Kind()+" is not sent")
	}
}

// add puts parts into the last content, or into a new one where the last is another's.
func (r *renderer) add(kind kind, parts ...object) {
	if len(parts) == 0 {
		return
	}
	if last := len(r.contents) - 1; last >= 0 && r.contents[last].kind == kind {
		r.contents[last].parts = append(r.contents[last].parts, parts...)
		return
	}
	r.contents = append(r.contents, content{kind, parts})
}

// call sends a call, the first of a response with a signature, where the model asks for one. [GEMINI-6, GEMINI-7]
func (r *renderer) call(message session.Message) {
	part := object{}
	if message.MadeBy(Provider, r.asked) {
		for key, value := range wire.ReadObject(message.Opaque["beside"]) {
			part[key] = value
		}
	}
	name := r.names.Of(message.Name)
	r.called[message.ID] = name
	part["functionCall"] = object{"id": message.ID, "name": name, "args": model.Arguments(message)}
	if r.isSigned(message) {
		part["thoughtSignature"] = message.Opaque["signature"]
	} else if r.isFirstCall() && !asksForNone.MatchString(r.asked) {
		part["thoughtSignature"] = noSignature
	}
	r.add(ofModel, part)
}

// isFirstCall says whether the response that is being sent has no call yet.
func (r *renderer) isFirstCall() bool {
	last := len(r.contents) - 1
	if last < 0 || r.contents[last].kind != ofModel {
		return true
	}
	for _, part := range r.contents[last].parts {
		if _, isCall := part["functionCall"]; isCall {
			return false
		}
	}
	return true
}

// isSigned says whether the message has a signature that this model made.
func (r *renderer) isSigned(message session.Message) bool {
	_, has := message.Opaque["signature"]
	return has && message.MadeBy(Provider, r.asked)
}

// text is the part of a text or a thought, with its signature on it, or behind it as it came. [GEMINI-6, GEMINI-17]
func (r *renderer) text(message session.Message, part object) []object {
	if !r.isSigned(message) {
		return []object{part}
	}
	if string(message.Opaque["signature_apart"]) != "true" {
		part["thoughtSignature"] = message.Opaque["signature"]
		return []object{part}
	}
	behind := object{"text": "", "thoughtSignature": message.Opaque["signature"]}
	if message.Kind() == session.Thinking {
		behind["thought"] = true
	}
	return []object{part, behind}
}

func (r *renderer) thinking(message session.Message) {
	if !message.MadeBy(Provider, r.asked) {
		r.listener.Warn("thinking_dropped", "thinking of another model is not sent")
		return
	}
	r.add(ofModel, r.text(message, object{"text": message.Content.Text, "thought": true})...)
}

func (r *renderer) item(message session.Message) {
	if message.Provider != Provider || message.Model != r.asked {
		r.listener.Warn("provider_item_dropped", "an item of "+message.Provider+" "+message.Model+" is not sent")
		return
	}
	part := object{}
	for key, value := range wire.ReadObject(message.Item) {
		part[key] = value
	}
	r.add(ofModel, part)
}

// result answers a call under its id and its name, its text apart from its images and documents. [GEMINI-2, GEMINI-4, GEMINI-5]
func (r *renderer) result(message session.Message) object {
	var texts []string
	var media []object
	for _, part := range r.parts(message.Output) {
		if text, isText := part["text"].(string); isText {
			texts = append(texts, text)
		} else {
			media = append(media, part)
		}
	}
	text, field := strings.Join(texts, "\n"), "output"
	if message.IsError {
		field = "error"
	}
	if message.IsError && text == "" {
		text = model.SilentFailure
	}
	sent := object{"id": message.ID, "name": r.called[message.ID], "response": object{field: text}}
	if len(media) > 0 {
		sent["parts"] = media
	}
	return sent
}

// parts are the parts of the content. What cannot be sent is left out, with a warning where it is a part.
func (r *renderer) parts(content session.Content) []object {
	var sent []object
	for _, part := range content.AsParts() {
		if rendered := renderPart(part); rendered != nil {
			sent = append(sent, rendered)
		} else if content.IsParts {
			r.listener.Warn("part_dropped", "a part of type "+part.Type+" that is empty, or that the API does not know, is not sent")
		}
	}
	return sent
}

func renderPart(part session.Part) object {
	isMedia := part.Type == "image" || part.Type == "document"
	switch {
	case part.Type == "text" && part.Text != "":
		return object{"text": part.Text}
	case isMedia && part.URL == "":
		return object{"inlineData": object{"mimeType": part.MediaType, "data": part.Data}}
	case isMedia && part.MediaType != "":
		return object{"fileData": object{"mimeType": part.MediaType, "fileUri": part.URL}}
	case isMedia:
		return object{"fileData": object{"fileUri": part.URL}}
	}
	return nil
}

func (r *renderer) hasText(message session.Message) bool {
	if message.Content.Text == "" {
		r.listener.Warn("empty_message_dropped", "an empty message with role "+message.Role+" is not sent")
	}
	return message.Content.Text != ""
}

// serverCalls tells the calls of the server's own tools. None is over before its result is there.
var serverCalls = wire.ServerCalls{
	Called:   func(item wire.Object) string { return idIn(item, "toolCall", "executableCode") },
	Answered: func(item wire.Object) string { return idIn(item, "toolResponse", "codeExecutionResult") },
	IsOver:   func(wire.Object) bool { return false },
}

func idIn(item wire.Object, fields ...string) string {
	for _, field := range fields {
		if id := item.Object(field).Text("id"); id != "" {
			return id
		}
	}
	return ""
}
