// Package loop calls the model, executes the tools that it asked for, appends the results, and repeats.
package loop

import (
	"context"

	"agentloop/journal"
	"agentloop/model"
	"agentloop/session"
)

// Input is what a run begins with.
type Input struct {
	Session session.Session
	Agents  map[string]Agent
	Agent   string
	Options Options
	Context Variables
}

// Run runs the loop until it ends, whatever the model, a tool or a limit does. The caller's session stays as it is. [LOOP-27]
//
// The run is cancelled when the context ends.
func Run(ctx context.Context, in Input, ports Ports) (Result, session.Session) {
	state := State{SpecVersion: "1.0", Phase: TurnBoundary, Session: in.Session.Copy(), Agent: in.Agent,
		Options: in.Agents[in.Agent].limited(in.Options), ResponseStart: len(in.Session.Messages), Decisions: []Decision{}, Steps: []Step{},
		Context: in.Context.copy()}
	run := newRun(ctx, state, in.Agents, ports)
	run.emit("run_start", Event{"session_id": in.Session.ID, "agent": in.Agent})
	run.tellHooks(HookCall{Point: "run_start"})
	if err := run.canStart(); err != nil {
		run.refuse(err)
	}
	return run.conduct()
}

// Resume goes on with a suspended run, its pending calls answered as decided. [LOOP-36]
func Resume(ctx context.Context, snapshot State, agents map[string]Agent, answers []Answer, ports Ports) (Result, session.Session) {
	state := snapshot.copy()
	if len(state.Steps) > 0 {
		state.Options = agents[state.Steps[0].Agent].limited(state.Options) // [LOOP-128]
	}
	run := newRun(ctx, state, agents, ports)
	run.emit("run_start", Event{"session_id": snapshot.Session.ID, "agent": snapshot.Agent, "resumed": true})
	run.tellHooks(HookCall{Point: "run_start"})
	if err := run.resume(answers); err != nil {
		run.refuse(err)
	}
	return run.conduct()
}

// run is a run that is under way. All of it belongs to one goroutine; tools and models talk to it through channels.
type run struct {
	ctx      context.Context
	caller   context.Context // ends when the run is cancelled; ctx also at its deadline
	release  func()          // ends the timer of the deadline
	ports    Ports
	agents   map[string]Agent
	state    State
	journal  *journal.Journal
	began    int64 // when the run would have begun, had it never been suspended
	events   int
	held     []Event // those of results that are not kept yet, and what follows them
	attempts int     // requests in this turn
	refused  bool    // it does not begin, or go on: nothing is done [RESULT-23]
	inTurn   bool    // turn_start has been emitted, turn_end has not
	batch    bool    // a batch was answered in this turn
	unpassed bool    // the run was cut off before everybody had looked at the last response
	final    bool    // every result of it came from a tool that said that the run is over

	ending      *Ending // what the run comes to at the next turn boundary
	isRecovered bool    // another process had begun it

	tripped   *Ending           // what a guardrail makes of the run when the batch is done
	trippedAt int               // over which call of the batch
	unheard   []string          // what was said to the run and is not in the session yet
	unseen    []session.Message // what is in the session, and hooks may not have been shown, because the process ended
	running   []*runningTool    // in the order in which they started; those that are not waited for any more included
	returned  chan toolEnd
	told      chan func()   // what subagents tell
	over      chan struct{} // closed when the run is over: tools that end later are heard by nobody
}

func newRun(ctx context.Context, state State, agents map[string]Agent, ports Ports) *run {
	r := &run{caller: ctx, ports: ports, agents: agents, state: state, journal: journal.Open(ports.Journal),
		began:    ports.Clock.Now() - state.Counters[elapsedMS],
		returned: make(chan toolEnd), told: make(chan func()), over: make(chan struct{})}
	r.ctx, r.release = r.until(ctx)
	return r
}

// conduct makes one transition after another until the run is done, or suspended.
func (r *run) conduct() (Result, session.Session) {
	defer close(r.over)
	defer r.release()
	r.journal.Write(r.written()) // at once: what somebody has decided, nobody is asked again
	if err := r.unwritten(); err != nil {
		r.refuse(err) // of which nobody could go on
	}
	for r.state.Phase != Done && r.state.Phase != InSuspension {
		switch r.state.Phase {
		case TurnBoundary:
			r.turnBoundary()
		case CallingModel:
			r.callModel()
		case Deciding:
			r.decide()
		case Executing:
			r.execute()
		}
		r.meetCondition()
		r.writeDown()
	}
	r.endTurn()
	r.nameDeadline()
	r.nameJournal()
	final := r.result().FinalText
	r.tellHooks(HookCall{Point: "run_end", Status: r.state.Ending.Status, FinalText: &final})
	r.writeDown()
	result := r.result()
	told := result
	told.Snapshot = nil
	r.emit("run_end", Event{"result": told})
	return result, r.state.Session
}

// turnBoundary ends the run, or lets the next turn begin.
func (r *run) turnBoundary() {
	r.endTurn()
	ending := r.endingHere()
	if ending == nil {
		ending = r.prepareTurn()
	}
	if ending != nil {
		r.end(*ending)
		return
	}
	r.ending = nil
	r.writeDown()
	r.state.Phase = CallingModel
	if err := r.unwritten(); err != nil {
		r.fail(err)
	}
}

func (r *run) end(ending Ending) {
	r.state.Ending = &ending
	r.state.Phase = Done
}

func (r *run) fail(err *model.Error) { r.end(Ending{Status: Failed, Error: err}) }

// refuse ends a run that does not begin, or go on; nothing of it is written down. [JOURNAL-12]
func (r *run) refuse(err *model.Error) {
	r.journal = journal.Open(nil)
	r.refused = true
	r.fail(err)
}

func (r *run) beginTurn(resumed bool) {
	event := Event{"turn": r.state.Turn}
	if resumed {
		event["resumed"] = true
	}
	r.emit("turn_start", event)
	r.inTurn, r.attempts, r.batch = true, 0, false
	r.tellHooks(HookCall{Point: "turn_start"})
}

func (r *run) endTurn() {
	if r.inTurn {
		r.hearLateTools()
		r.emit("turn_end", Event{"turn": r.state.Turn})
		r.tellHooks(HookCall{Point: "turn_end"})
	}
	r.inTurn = false
}

// add appends a message to the session and tells it. [SESSION-1, EVENT-10]
func (r *run) add(message session.Message) {
	r.state.Session.Messages = append(r.state.Session.Messages, message)
	r.emit("message", Event{"turn": r.state.Turn, "message": message})
}

func (r *run) agent() Agent { return r.agents[r.state.Agent] }

func (r *run) isCancelled() bool { return r.ctx.Err() != nil }
