// Responses: the parts of an answer as generic messages, whether they come whole or in pieces.

package gemini

import (
	"maps"
	"slices"

	"agentloop/model"
	"agentloop/provider/wire"
	"agentloop/session"
)

// answer is what one request is answered with: one chunk, or the chunks of a stream, each with the parts that are new.
type answer struct {
	endpoint *wire.Endpoint
	names    *wire.Names
	asked    string
	listener model.Listener
	messages []session.Message
	open     *wire.Piece // the text that is the last message, until it has all of its pieces
	ending   wire.Object // finishReason, finishMessage and blockReason
	usage    wire.Object
	version  string
	told     int
	failed   *model.Error
}

func newAnswer(endpoint *wire.Endpoint, names *wire.Names, asked string, listener model.Listener) *answer {
	return &answer{endpoint: endpoint, names: names, asked: asked, listener: listener,
		ending: wire.Object{}, usage: wire.Object{}, version: asked}
}

// Body reads a whole answer, of which nothing is told before it is there.
func (a *answer) Body(data []byte) model.Response {
	if failed := a.endpoint.Failure(data); failed != nil {
		return model.Response{StopReason: model.Failed, Error: failed}
	}
	chunk := wire.ReadObject(data)
	if !isAnswer(chunk) {
		return model.Response{StopReason: model.Failed,
			Error: model.Errorf(model.InvalidResponse, "expected an answer with candidates, got: %.200s", data)}
	}
	whole := newAnswer(a.endpoint, a.names, a.asked, silence{})
	whole.chunk(chunk)
	return whole.response()
}

// silence is a listener that hears nothing.
type silence struct{}

func (silence) Start(int, session.Message) {}
func (silence) Delta(int, string)          {}
func (silence) End(int)                    {}
func (silence) Warn(string, string)        {}

func isAnswer(chunk wire.Object) bool {
	return slices.ContainsFunc([]string{"candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"},
		func(field string) bool { return chunk[field] != nil })
}

// chunk takes what a chunk says. What it says of all of the answer holds until a later one says otherwise.
func (a *answer) chunk(chunk wire.Object) {
	candidate := wire.Object{}
	if all := chunk.List("candidates"); len(all) > 0 {
		candidate = wire.ReadObject(all[0])
	}
	for _, each := range candidate.Object("content").List("parts") {
		a.part(wire.ReadObject(each))
	}
	for _, field := range []string{"finishReason", "finishMessage"} {
		if word := candidate.Text(field); word != "" && word != "FINISH_REASON_UNSPECIFIED" {
			a.ending[field] = candidate[field]
		}
	}
	if blocked := chunk.Object("promptFeedback"); blocked.Text("blockReason") != "" {
		a.ending["blockReason"] = blocked["blockReason"]
	}
	maps.Copy(a.usage, chunk.Object("usageMetadata"))
	if version := chunk.Text("modelVersion"); version != "" {
		a.version = version
	}
}

func (a *answer) part(part wire.Object) {
	_, isCall := part["functionCall"]
	_, isText := part["text"]
	if beside := part.Without("text", "thought", "thoughtSignature"); isText && len(beside) == 0 {
		a.text(part)
		return
	}
	a.close()
	if isCall {
		a.call(part)
	} else if len(part) > 0 {
		a.item(part)
	}
}

// text takes a piece of a text or of a thought. [GEMINI-9]
func (a *answer) text(part wire.Object) {
	piece, signature := part.Text("text"), part.Text("thoughtSignature")
	message := session.Message{Role: session.Assistant}
	if string(part["thought"]) == "true" {
		message = session.Message{Type: session.Thinking, Opaque: a.opaque(wire.Object{})}
	}
	if piece == "" && signature == "" {
		return
	}
	if a.open != nil && (a.last().Kind() != message.Kind() || a.isSigned()) {
		a.close()
	}
	if a.open == nil && piece == "" {
		a.item(part)
		return
	}
	if a.open == nil {
		a.messages = append(a.messages, message)
		a.open = wire.NewPiece(a.listener, &a.told, session.Message{Role: message.Role, Type: message.Type})
	}
	a.last().Content = session.Text(a.last().Content.Text + piece)
	a.open.Add(piece)
	if signature == "" {
		return
	}
	kept := wire.Object{"signature": part["thoughtSignature"]}
	if piece == "" {
		kept["signature_apart"] = wire.Raw(true) // on an empty text of its own [GEMINI-17]
	}
	a.last().Opaque = a.opaque(kept)
}

func (a *answer) last() *session.Message { return &a.messages[len(a.messages)-1] }

// isSigned says whether the text that is open has its signature: what comes next is another part.
func (a *answer) isSigned() bool { return a.last().Opaque.Text("signature") != "" }

// close ends the text that is open.
func (a *answer) close() {
	if a.open != nil {
		a.open.Close()
	}
	a.open = nil
}

func (a *answer) call(part wire.Object) {
	called, kept := part.Object("functionCall"), wire.Object{}
	if signature := part["thoughtSignature"]; !wire.IsNothing(signature) {
		kept["signature"] = signature
	}
	if beside := part.Without("functionCall", "thoughtSignature"); len(beside) > 0 {
		kept["beside"] = wire.Raw(beside)
	}
	written := string(called["args"])
	if written == "null" {
		written = ""
	}
	call := model.Call(called.Text("id"), a.names.Original(called.Text("name")), written)
	call.Opaque = a.opaque(kept)
	a.messages = append(a.messages, call)
	piece := wire.NewPiece(a.listener, &a.told, session.Message{Type: session.ToolCall, ID: call.ID, Name: call.Name})
	piece.Open()
	piece.Add(written)
	piece.Close()
}

// item is what no generic message fits. [PROVIDER-19]
func (a *answer) item(part wire.Object) {
	a.messages = append(a.messages, session.Message{Type: session.ProviderItem, Provider: Provider, Model: a.asked, Item: wire.Raw(part)})
}

// opaque is what only this model may read.
func (a *answer) opaque(fields wire.Object) session.Opaque {
	opaque := session.Opaque{"provider": wire.Raw(Provider), "model": wire.Raw(a.asked)}
	maps.Copy(opaque, fields)
	return opaque
}

// response is the response, as far as it has come.
func (a *answer) response() model.Response {
	a.close()
	response := model.Response{Messages: a.messages, Model: a.version, Usage: usage(a.usage), StopReason: model.EndTurn, Error: a.failed}
	isCall := func(message session.Message) bool { return message.Kind() == session.ToolCall }
	word, blocked := a.ending.Text("finishReason"), a.ending.Text("blockReason")
	switch reason, known := stopReasons[word]; {
	case known:
		response.StopReason = reason
	case word != "":
		response.StopReason = model.Other
	case blocked != "": // [GEMINI-11]
		word, response.StopReason = blocked, model.ContentFilter
	}
	if response.StopReason == model.EndTurn && slices.ContainsFunc(a.messages, isCall) {
		response.StopReason = model.ToolUse
	}
	if word != "" {
		response.RawStopReason = &word
	}
	if response.StopReason == model.Failed && response.Error == nil {
		response.Error = a.unwritten(word)
	}
	if response.Error != nil {
		response.StopReason = model.Failed
	}
	return response
}

// unwritten is the error of a call or an answer that the model failed to write. [GEMINI-10]
func (a *answer) unwritten(word string) *model.Error {
	reason := a.ending.Text("finishMessage")
	if reason == "" {
		reason = "the model ended its answer with " + word
	}
	failed := model.Errorf(model.InvalidResponse, "%s", reason)
	failed.Code = word
	return failed
}

var stopReasons = map[string]model.StopReason{
	"STOP":                      model.EndTurn,
	"MAX_TOKENS":                model.MaxTokens,
	"SAFETY":                    model.ContentFilter,
	"RECITATION":                model.ContentFilter,
	"LANGUAGE":                  model.ContentFilter,
	"BLOCKLIST":                 model.ContentFilter,
	"PROHIBITED_CONTENT":        model.ContentFilter,
	"SPII":                      model.ContentFilter,
	"IMAGE_SAFETY":              model.ContentFilter,
	"IMAGE_PROHIBITED_CONTENT":  model.ContentFilter,
	"IMAGE_RECITATION":          model.ContentFilter,
	"MODEL_ARMOR":               model.ContentFilter,
	"MALFORMED_FUNCTION_CALL":   model.Failed,
	"UNEXPECTED_TOOL_CALL":      model.Failed,
	"TOO_MANY_TOOL_CALLS":       model.Failed,
	"MALFORMED_RESPONSE":        model.Failed,
	"MISSING_THOUGHT_SIGNATURE": model.Failed,
}

// usage counts thoughts as output, and the results of the provider's own tools as input. Of what is counted, a count of 0
// is left out. [GEMINI-13]
func usage(counted wire.Object) model.Usage {
	input := model.Usage{InputTokens: counted.Int("promptTokenCount"), OutputTokens: counted.Int("candidatesTokenCount"),
		CacheReadTokens: counted.Int("cachedContentTokenCount"), ReasoningTokens: counted.Int("thoughtsTokenCount")}
	if input.InputTokens != nil && input.OutputTokens == nil {
		input.OutputTokens = new(int64)
	}
	return input.Plus(model.Usage{InputTokens: counted.Int("toolUsePromptTokenCount"), OutputTokens: input.ReasoningTokens})
}
