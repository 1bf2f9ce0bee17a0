// Runs: the ports of a run whose tools, and on the generic seam whose model, are the kit.

package driver

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"agentloop/journal"
	"agentloop/loop"
	"agentloop/model"
	"agentloop/session"
)

// common is what run, resume and recover are all given.
type common struct {
	Run        string                `json:"run"`
	Agents     map[string]loop.Agent `json:"agents"`
	Model      modelAccess           `json:"model"`
	Clock      string                `json:"clock"`
	Hooks      []hookFilter          `json:"hooks"`
	Guardrails []guardrailFilter     `json:"guardrails"`
	Now        int64                 `json:"clock_ms"`
	Journal    bool                  `json:"journal"`
}

type runParams struct {
	common
	Session session.Session `json:"session"`
	Agent   string          `json:"agent"`
	Context loop.Variables  `json:"context"`
	Options *loop.Options   `json:"options"`
}

// nextMessageParams is what the user says when a run has ended.
type nextMessageParams struct {
	Run   string      `json:"run"`
	After string      `json:"after"`
	Input string      `json:"input"`
	Model modelAccess `json:"model"`
}

// endedRun is what a run was started with, and what it came to.
type endedRun struct {
	start runParams
	came  response
}

// next is the run in which the user says the next thing: all is as before, and the session is what the loop made of it. [DRIVER-23]
func (e endedRun) next(params nextMessageParams) runParams {
	start := e.start
	start.Run, start.Model, start.Agent = params.Run, params.Model, e.came.Result.Agent
	start.Session, start.Context = e.came.Session, e.came.Result.Context
	said := session.Message{Role: session.User, Content: session.Text(params.Input)}
	start.Session.Messages = append(slices.Clip(start.Session.Messages), said)
	return start
}

type resumeParams struct {
	common
	Snapshot  loop.State      `json:"snapshot"`
	Decisions []loop.Answer   `json:"decisions"`
	Options   json.RawMessage `json:"options"`
}

type response struct {
	Result  loop.Result     `json:"result"`
	Session session.Session `json:"session"`
}

// run is one run that is under way.
type run struct {
	id         string
	kit        *connection
	ctx        context.Context
	cancel     context.CancelFunc
	stopped    atomic.Bool
	hooks      []loop.Hook
	guardrails []loop.Guardrail
	said       inbox
	clock      loop.Clock
	journal    *journal.Store
	invoke     model.Invoke
	mutex      sync.Mutex // of tools
	tools      map[*toolCall]bool
}

// toolCall is a tool that the kit executes. It is signalled to stop at most once.
type toolCall struct {
	ctx    context.Context
	signal func()
}

func (s *server) newRun(params common) (*run, error) {
	run := &run{id: params.Run, kit: s.kit, clock: newRealClock(), tools: map[*toolCall]bool{}}
	if params.Clock == "virtual" {
		run.clock = &virtualClock{now: params.Now}
	}
	if params.Journal {
		run.journal = run.journalAtKit()
	}
	run.ctx, run.cancel = context.WithCancel(context.Background())
	run.hooks, run.guardrails = run.hooksOf(params.Hooks), run.guardrailsOf(params.Guardrails)
	run.invoke = run.askKit
	if params.Model.Seam == "generic" {
		return run, nil
	}
	invoke, err := params.Model.adapter(s.outside.client())
	run.invoke = invoke
	return run, err
}

func (r *run) ports() loop.Ports {
	return loop.Ports{
		Model:      r.invoke,
		Execute:    r.execute,
		Emit:       func(event loop.Event) { r.kit.notify("event", map[string]any{"run": r.id, "event": event}) },
		Clock:      r.clock,
		NewID:      func() string { return "call_" + crand.Text() }, // of no call of the session, whichever process made it
		Random:     rand.Float64,
		IsStopped:  r.stopped.Load,
		Inbox:      r.said.empty,
		Hooks:      r.hooks,
		Guardrails: r.guardrails,
		Journal:    r.journal,
	}
}

// execute has the kit execute a tool. A signal to stop is handed on; the answer is waited for all the same. [DRIVER-6, DRIVER-7]
func (r *run) execute(ctx context.Context, call session.Message, variables loop.Variables) func() (loop.ToolReturn, error) {
	r.signalTools()
	tool := &toolCall{ctx: ctx, signal: sync.OnceFunc(func() {
		r.kit.notify("tool/abort", map[string]any{"run": r.id, "id": call.ID})
	})}
	r.mutex.Lock()
	r.tools[tool] = true
	r.mutex.Unlock()
	stop := context.AfterFunc(ctx, tool.signal)
	asked := map[string]any{"run": r.id, "call": map[string]any{"id": call.ID, "name": call.Name, "input": call.Input}}
	if variables != nil {
		asked["context"] = variables
	}
	answered := r.kit.ask("tool/execute", asked)
	return func() (returned loop.ToolReturn, err error) {
		err = thrown(answered.wait(context.Background(), &returned))
		scribble(variables)
		stop()
		r.mutex.Lock()
		defer r.mutex.Unlock()
		delete(r.tools, tool)
		return returned, err
	}
}

// scribble does to the variables that a tool was handed the worst that a tool can do to them. [DRIVER-11]
func scribble(variables loop.Variables) {
	for name, value := range variables {
		copy(value, "0")
		variables[name] = json.RawMessage("false")
	}
	if variables != nil {
		variables["scribbled"] = json.RawMessage("true")
	}
}

// end is called when the loop has ended.
func (r *run) end() {
	r.signalTools()
	r.cancel()
}

// signalTools sends the signals that are on their way, so that none comes after what happens next.
func (r *run) signalTools() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for tool := range r.tools {
		if tool.ctx.Err() != nil {
			tool.signal()
		}
	}
}

func thrown(err error) error {
	var failure *rpcError
	if !errors.As(err, &failure) {
		return err
	}
	var data struct {
		Fatal bool `json:"fatal"`
	}
	_ = json.Unmarshal(failure.Data, &data) // without data it is not fatal
	if data.Fatal {
		return &loop.Fatal{Message: failure.Message}
	}
	return failure
}

// askKit asks the kit as the model. [DRIVER-8]
func (r *run) askKit(ctx context.Context, request model.Request, _ model.Listener) model.Response {
	var answer model.Response
	err := r.kit.ask("model/invoke", map[string]any{"run": r.id, "request": request}).wait(ctx, &answer)
	var failure *rpcError
	if !errors.As(err, &failure) {
		if err != nil {
			return model.Response{StopReason: model.Failed, Error: model.Errorf(model.InvalidResponse, "%s", err)}
		}
		return answer
	}
	var data struct {
		Error   *model.Error      `json:"error"`
		Partial []session.Message `json:"partial"`
	}
	_ = json.Unmarshal(failure.Data, &data) // without data the message has to do
	if data.Error == nil {
		data.Error = model.Errorf(model.Internal, "%s", failure.Message)
	}
	reason := model.Failed
	if data.Error.Kind == model.StreamInterrupted {
		reason = model.Interrupted
	}
	return model.Response{Messages: data.Partial, StopReason: reason, Error: data.Error}
}
