// The model call of a turn: one response, however often the provider has to be asked for it.

package loop

import (
	"cmp"
	"context"
	"slices"
	"time"

	"agentloop/model"
	"agentloop/session"
)

// callModel begins a turn and stores what the model answers.
func (r *run) callModel() {
	r.state.Turn++
	r.beginTurn(false)
	started := Event{"turn": r.state.Turn}
	if name := r.agent().Model; name != "" {
		started["model"] = name
	}
	r.emit("model_start", started)
	response, attempts := r.ask()
	ended := Event{"turn": r.state.Turn, "stop_reason": response.StopReason, "raw_stop_reason": response.RawStopReason, "usage": response.Usage}
	if response.Error != nil {
		ended["error"] = response.Error
	}
	r.emit("model_end", ended)
	r.state.Error = response.Error
	r.state.Steps = append(r.state.Steps, Step{Turn: r.state.Turn, Agent: r.state.Agent, Model: cmp.Or(response.Model, r.agent().Model), // [RESULT-26]
		StopReason: response.StopReason, RawStopReason: response.RawStopReason, Usage: response.Usage,
		Outcomes: []session.Outcome{}, Attempts: attempts})
	r.store(r.inspected(response))
	r.step().ToolCalls = len(r.state.calls())
	r.state.Phase = Deciding
}

// request is what the model is asked. [LOOP-1, LOOP-2, LOOP-4, SESSION-13]
func (r *run) request() model.Request {
	agent := r.agent()
	request := model.Request{Tools: agent.Tools, Model: agent.Model, Bounds: r.state.Options.Bounds}
	if agent.Tools == nil {
		request.Tools = []model.Tool{}
	}
	if agent.Instructions != "" {
		request.Messages = append(request.Messages, session.Message{Role: session.System, Content: session.Text(agent.Instructions)})
	}
	for _, message := range r.state.Session.Messages {
		if message.Status != session.Incomplete {
			request.Messages = append(request.Messages, message)
		}
	}
	return request
}

// ask asks the provider, and asks it to go on as long as it pauses. [LOOP-30, LOOP-31]
func (r *run) ask() (model.Response, []FailedAttempt) {
	request := r.request()
	pieces := &pieces{run: r}
	var whole model.Response
	var attempts []FailedAttempt
	for pauses := 0; ; pauses++ {
		part, failed := r.askUntilAnswered(request, pieces)
		r.countRequest(part.Usage, len(whole.Messages))
		attempts = append(attempts, failed...)
		part.Messages = slices.Concat(whole.Messages, part.Messages)
		part.Usage = whole.Usage.Plus(part.Usage)
		whole = part
		if part.StopReason == model.Pause && hasCalls(part.Messages) {
			whole.StopReason = model.ToolUse // [LOOP-55]
		}
		if whole.StopReason != model.Pause || pauses >= r.state.Options.MaxPauseContinuations {
			return whole, attempts
		}
		request.Messages = slices.Concat(r.request().Messages, whole.Messages)
	}
}

// attempt asks the provider once. It does not wait for a model that ignores a cancel. [CANCEL-3]
func (r *run) attempt(request model.Request, pieces *pieces) model.Response {
	r.attempts++
	r.emit("attempt_start", Event{"turn": r.state.Turn, "attempt": r.attempts})
	pieces.begin()
	response := withKnownReason(pieces.within(r.listen(request, pieces)))
	pieces.end()
	ended := Event{"turn": r.state.Turn, "attempt": r.attempts, "stop_reason": response.StopReason}
	if response.Error != nil {
		ended["error"] = response.Error
	}
	r.emit("attempt_end", ended)
	return response
}

// withKnownReason says other in the place of a reason that nobody here knows, and keeps its name. [EXTENSION-1]
func withKnownReason(response model.Response) model.Response {
	if _, known := stopTable[response.StopReason]; known {
		return response
	}
	if name := string(response.StopReason); response.RawStopReason == nil {
		response.RawStopReason = &name
	}
	response.StopReason = model.Other
	return response
}

// listen hears what the model streams until it has answered, has taken too long, or the run is cancelled. [CANCEL-5, RETRY-16]
func (r *run) listen(request model.Request, pieces *pieces) model.Response {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	expired := make(chan struct{})
	if most := r.state.Options.ModelTimeoutMS; most != nil {
		defer r.ports.Clock.After(*most, func() { close(expired) })()
	}
	told := make(chan func())
	answered := make(chan model.Response, 1)
	go func() { answered <- r.ports.Model(ctx, request, teller{ctx, pieces, told}) }()
	for {
		select {
		case hear := <-told:
			hear()
			if pieces.beyond != "" {
				cancel() // no more of it is needed
			}
		case end := <-r.returned:
			r.hearLate(end)
		case response := <-answered:
			if r.isCancelled() {
				response.Error = nil
			}
			return response
		case <-expired:
			cancel() // an adapter says what it had heard
			heard := heardOf(answered)
			return model.Response{Messages: pieces.soFar(), StopReason: model.Interrupted, Model: heard.Model, Usage: heard.Usage,
				Error: model.Errorf(model.Timeout, "the model call took longer than %d ms", *r.state.Options.ModelTimeoutMS)}
		case <-r.ctx.Done():
			heard := heardOf(answered)
			return model.Response{Messages: pieces.soFar(), StopReason: model.Interrupted, Model: heard.Model, Usage: heard.Usage}
		}
	}
}

// longestCutOff is how long a model that was cut off is given to say what it had used; one that ignores that says nothing.
const longestCutOff = 100 * time.Millisecond

// heardOf is what an adapter had heard of a response when it was cut off. [CANCEL-3, CANCEL-12, RETRY-16]
func heardOf(answered <-chan model.Response) model.Response {
	select {
	case heard := <-answered:
		return heard
	case <-time.After(longestCutOff):
		return model.Response{}
	}
}

// inspected is what is kept of a response, after everybody has looked at it who may end the run. A failed one nobody looks at.
func (r *run) inspected(response model.Response) []session.Message {
	messages := r.named(response)
	for _, inspect := range inspectors {
		if response.Error == nil && !r.isCancelled() && r.ending == nil {
			messages, r.ending = inspect(r, messages)
		}
	}
	r.unpassed = r.isCancelled()
	return markCut(response, messages)
}

// markCut marks a response that was cut off, or that is only thinking, once everybody has looked at it as it came.
// [SESSION-12, SESSION-14, GUARDRAIL-25]
func markCut(response model.Response, messages []session.Message) []session.Message {
	isCut := response.StopReason == model.Failed || response.StopReason == model.Interrupted || response.StopReason == model.Pause
	isThought := !slices.ContainsFunc(messages, func(message session.Message) bool { return message.Kind() != session.Thinking })
	if !isCut && !isThought {
		return messages
	}
	marked := []session.Message{}
	for _, message := range messages {
		marked = append(marked, message.WithStatus(session.Incomplete))
	}
	return marked
}

// named is what is kept of a response, each call under an id of its own. [SESSION-5, SESSION-9, SESSION-10]
func (r *run) named(response model.Response) []session.Message {
	messages := slices.DeleteFunc(slices.Clone(response.Messages), func(message session.Message) bool {
		return message.Kind() == session.Assistant && message.Content.Text == ""
	})
	taken := session.CallIDs(r.state.Session.Messages)
	for i, message := range messages {
		if message.Kind() == session.ToolCall {
			messages[i] = r.withOwnID(message, taken)
		}
	}
	return messages
}

// store appends a response, in the model's order. [SESSION-4]
func (r *run) store(messages []session.Message) {
	r.state.ResponseStart = len(r.state.Session.Messages)
	for _, message := range messages {
		r.add(message)
	}
}

// withOwnID is the call under an id that no call of the session has. [SESSION-9, SESSION-10]
func (r *run) withOwnID(call session.Message, taken session.TakenIDs) session.Message {
	id := call.ID
	if id == "" {
		id = r.ports.NewID()
		r.warn("missing_id_generated", "a call of "+call.Name+" came without an id; it has "+id)
	}
	unique := session.UniqueID(id, taken)
	if unique != id {
		r.warn("duplicate_id_renamed", "an earlier call has the id "+id+"; the call of "+call.Name+" has "+unique)
	}
	if unique == call.ID {
		return call
	}
	return call.WithID(unique)
}

func hasCalls(messages []session.Message) bool {
	return slices.ContainsFunc(messages, func(message session.Message) bool { return message.Kind() == session.ToolCall })
}
