// Package driver puts the loop under the control of the conformance kit, as spec/kit/driver-protocol.md says.
package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"agentloop/loop"
)

// concurrency is how many runs the kit may have in flight: while one goes on, a barrier of another would wait for it.
const concurrency = 1

type server struct {
	kit      *connection
	manifest manifest
	outside  *outside
	mutex    sync.Mutex // of what follows
	runs     map[string]*run
	ended    map[string]endedRun
}

// manifest is what agent-loop.json says of this implementation.
type manifest struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Language string   `json:"language"`
	Features []string `json:"features"`
}

// Serve answers the kit until it closes its end. [DRIVER-21]
//
// It keeps all goroutines on one processor, on which settle knows what they do.
func Serve(in io.Reader, out io.Writer, said []byte) error {
	runtime.GOMAXPROCS(1)
	outside := newOutside()
	s := &server{kit: newConnection(in, out, outside), outside: outside, runs: map[string]*run{}, ended: map[string]endedRun{}}
	if err := json.Unmarshal(said, &s.manifest); err != nil {
		return fmt.Errorf("agent-loop.json: %w", err)
	}
	for {
		request, err := s.kit.read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		s.handle(request)
	}
}

// handle answers a request, or hears a notification. Those of which it does not know the method it refuses, or ignores.
func (s *server) handle(request incoming) {
	switch request.Method {
	case "initialize":
		s.answer(request, s.introduction())
	case "run":
		s.run(request)
	case "resume":
		s.resume(request)
	case "recover":
		s.recover(request)
	case "barrier":
		s.settle()
		s.answer(request, struct{}{})
	case "clock/advance":
		s.advance(request)
	case "cancel":
		s.settle() // what was said before the cancel came before it
		s.tell(request, func(run *run) { run.cancel() })
	case "stop":
		s.settle()
		s.tell(request, func(run *run) { run.stopped.Store(true) })
	case "steer":
		s.settle()
		s.steer(request)
	case "shutdown":
		s.answer(request, struct{}{})
	default:
		if request.ID != nil {
			s.refuse(request, noSuchMethod, "no method is called "+request.Method)
		}
	}
}

func (s *server) introduction() any {
	type implementation struct {
		Name     string `json:"name"`
		Version  string `json:"version"`
		Language string `json:"language"`
	}
	return struct {
		Protocol       int            `json:"protocol"`
		Implementation implementation `json:"implementation"`
		Concurrency    int            `json:"concurrency"`
		Seams          []string       `json:"seams"`
		Transports     []string       `json:"transports"`
		Features       []string       `json:"features"`
	}{
		Protocol:       1,
		Implementation: implementation{s.manifest.Name, s.manifest.Version, s.manifest.Language},
		Concurrency:    concurrency,
		Seams:          seams(),
		Transports:     []string{"json", "sse"},
		Features:       s.manifest.Features,
	}
}

// run runs the loop on a goroutine of its own, and answers when it has ended.
func (s *server) run(request incoming) {
	params, understood := s.start(request)
	if !understood {
		return
	}
	options := loop.DefaultOptions()
	if params.Options != nil {
		options = *params.Options
	}
	s.conduct(request, params.common, func(ctx context.Context, ports loop.Ports) response {
		input := loop.Input{Session: params.Session, Agents: params.Agents, Agent: params.Agent, Options: options, Context: params.Context}
		result, session := loop.Run(ctx, input, ports)
		s.keep(endedRun{params, response{result, session}})
		return response{result, session}
	})
}

// start is what a run begins with, or goes on with where an earlier one has ended.
func (s *server) start(request incoming) (runParams, bool) {
	var params runParams
	var further nextMessageParams
	if !s.understand(request, &further) {
		return params, false
	}
	if further.After == "" {
		return params, s.understand(request, &params)
	}
	s.mutex.Lock()
	before, hasEnded := s.ended[further.After]
	s.mutex.Unlock()
	if !hasEnded {
		s.refuse(request, invalidParams, "no run "+further.After+" has ended")
	}
	return before.next(further), hasEnded
}

// keep remembers a run that has ended.
func (s *server) keep(run endedRun) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ended[run.start.Run] = run
}

// keepResumed remembers what a run came to that was resumed.
func (s *server) keepResumed(id string, came response) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if before, known := s.ended[id]; known {
		before.came = came
		s.ended[id] = before
	}
}

func (s *server) resume(request incoming) {
	var params resumeParams
	if !s.understand(request, &params) {
		return
	}
	if params.Options != nil {
		if err := params.Snapshot.Options.Replace(params.Options); err != nil {
			s.refuse(request, invalidParams, "resume: "+err.Error())
			return
		}
	}
	s.conduct(request, params.common, func(ctx context.Context, ports loop.Ports) response {
		result, session := loop.Resume(ctx, params.Snapshot, params.Agents, params.Decisions, ports)
		s.keepResumed(params.Run, response{result, session})
		return response{result, session}
	})
}

// recover goes on with the run that the journal at the kit has. [DRIVER-34]
func (s *server) recover(request incoming) {
	params := common{Journal: true}
	if !s.understand(request, &params) {
		return
	}
	s.conduct(request, params, func(ctx context.Context, ports loop.Ports) response {
		result, session := loop.Recover(ctx, params.Agents, ports)
		return response{result, session}
	})
}

func (s *server) conduct(request incoming, params common, play func(context.Context, loop.Ports) response) {
	run, err := s.newRun(params)
	if err != nil {
		s.refuse(request, invalidParams, err.Error())
		return
	}
	s.mutex.Lock()
	s.runs[params.Run] = run
	s.mutex.Unlock()
	go func() {
		came := play(run.ctx, run.ports())
		run.end()
		s.mutex.Lock()
		delete(s.runs, params.Run)
		s.mutex.Unlock()
		s.answer(request, came)
	}()
}

// advance moves the clock of a run, and lets what is due happen.
func (s *server) advance(request incoming) {
	var params struct {
		MS int64 `json:"ms"`
	}
	if !s.understand(request, &params) {
		return
	}
	s.settle()
	s.tell(request, func(run *run) {
		if clock, isVirtual := run.clock.(*virtualClock); isVirtual {
			clock.advance(params.MS, s.settle)
		}
	})
	s.settle()
	s.answer(request, struct{}{})
}

// tell finds the run that a message is for; one that has ended hears nothing.
func (s *server) tell(request incoming, what func(*run)) {
	var params struct {
		Run string `json:"run"`
	}
	_ = json.Unmarshal(request.Params, &params) // without a run nobody is told
	s.mutex.Lock()
	run := s.runs[params.Run]
	s.mutex.Unlock()
	if run != nil {
		what(run)
	}
}

func (s *server) understand(request incoming, params any) bool {
	err := json.Unmarshal(request.Params, params)
	if err != nil {
		s.refuse(request, invalidParams, request.Method+": "+err.Error())
	}
	return err == nil
}

func (s *server) answer(request incoming, result any) {
	s.kit.write(message{ID: request.ID, Result: result})
}

func (s *server) refuse(request incoming, code int, why string) {
	s.kit.write(message{ID: request.ID, Error: &rpcError{Code: code, Message: why}})
}
