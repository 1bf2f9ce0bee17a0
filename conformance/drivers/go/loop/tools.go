// Running tools: each on a goroutine of its own, until it has ended or is no longer waited for.

package loop

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"agentloop/model"
	"agentloop/session"
)

// runningTool is a tool that was started and of which nothing has come back yet.
type runningTool struct {
	call   session.Message
	turn   int
	signal context.CancelFunc
	isLate bool // it was signalled, and is no longer waited for

	isSubagent bool // it is waited for in any case
	isOver     bool // its time is over
}

// toolEnd is what came of a call that was executed.
type toolEnd struct {
	id      string
	result  session.Message
	isFinal bool
	fatal   *Fatal
	updates Variables
	handoff json.RawMessage

	subagent *SubagentReport // of a subagent: what it took
	waits    *State          // and where it goes on, if it waits for the caller
}

// batch is a number of calls that are executed together.
type batch struct {
	run     *run
	ends    map[string]toolEnd
	waiting int         // tools that run and are waited for
	expired chan string // ids of calls whose time is over
	grace   chan struct{}

	isInGrace bool // the run was cancelled, and the time that is left for its tools has begun
}

// runTools executes the calls and returns what came of each.
func (r *run) runTools(calls []session.Message) map[string]toolEnd {
	b := &batch{run: r, ends: map[string]toolEnd{}, expired: make(chan string, len(calls)), grace: make(chan struct{}, 1)}
	for _, group := range r.groups(calls) {
		b.runGroup(group)
	}
	return b.ends
}

// runGroup executes calls that may overlap, max_concurrency of them at a time. [TOOL-21, TOOL-22]
func (b *batch) runGroup(calls []session.Message) {
	for len(calls) > 0 || b.waiting > 0 {
		for _, call := range b.together(calls) {
			b.begin(call)
			calls = calls[1:]
		}
		if b.waiting > 0 && !b.waitForOne() {
			b.giveUp()
		}
	}
}

// together are the calls that begin now. That they do is kept in one append. [JOURNAL-30]
func (b *batch) together(calls []session.Message) []session.Message {
	if b.run.isCancelled() {
		return calls
	}
	calls = calls[:min(len(calls), b.run.state.Options.MaxConcurrency-b.waiting)]
	if len(calls) > 0 {
		b.run.journal.Start(calls...)
	}
	return calls
}

// begin starts a tool, or answers the call if the run is cancelled. [CANCEL-2, CANCEL-6]
func (b *batch) begin(call session.Message) {
	r := b.run
	if r.isCancelled() {
		b.ends[call.ID] = toolEnd{result: session.MadeUp(call.ID, session.Cancelled, session.CancelledBefore.Text())}
		return
	}
	if r.unwritten() != nil {
		b.ends[call.ID] = toolEnd{result: r.unstarted(call)}
		return
	}
	r.emit("tool_start", Event{"turn": r.state.Turn, "id": call.ID, "name": call.Name, "input": call.Input})
	ctx, signal := context.WithCancel(r.ctx)
	tool, _ := r.agent().tool(call.Name)
	r.running = append(r.running, &runningTool{call: call, turn: r.state.Turn, signal: signal, isSubagent: tool.Agent != ""})
	b.waiting++
	if limit := r.timeLimit(call); limit != nil {
		context.AfterFunc(ctx, r.ports.Clock.After(*limit, func() { b.expired <- call.ID }))
	}
	wait := r.start(ctx, tool, call)
	go func() {
		select {
		case r.returned <- wait():
		case <-r.over:
		}
	}()
}

// start starts what answers a call, and returns what waits for its end.
func (r *run) start(ctx context.Context, tool model.Tool, call session.Message) func() toolEnd {
	if tool.Agent != "" {
		return r.startSubagent(ctx, tool.Agent, call)
	}
	wait := r.ports.Execute(ctx, call, r.state.Context.copy())
	return func() toolEnd {
		returned, err := wait()
		return ended(call, returned, err)
	}
}

// ended makes the result of a call that was executed. [TOOL-13, TOOL-14, TOOL-17]
func ended(call session.Message, returned ToolReturn, err error) toolEnd {
	if err != nil {
		end := toolEnd{id: call.ID, result: session.Result(call.ID, session.Text(err.Error()), true)}
		errors.As(err, &end.fatal)
		return end
	}
	return toolEnd{id: call.ID, result: session.Result(call.ID, returned.Output, returned.IsError), isFinal: returned.Final, updates: returned.Updates,
		handoff: returned.Handoff}
}

func (r *run) timeLimit(call session.Message) *int64 {
	if tool, _ := r.agent().tool(call.Name); tool.TimeoutMS != nil {
		return tool.TimeoutMS
	}
	return r.state.Options.ToolTimeoutMS
}

// waitForOne waits until a tool has ended or its time is over; it returns false when no tool is to be waited for any more.
func (b *batch) waitForOne() bool {
	r := b.run
	if r.isCancelled() {
		b.beginGrace()
		return b.waitInGrace()
	}
	select {
	case end := <-r.returned:
		b.hear(end)
	case tell := <-r.told:
		tell()
	case id := <-b.expired:
		b.expire(id)
	case <-r.ctx.Done():
	}
	return true
}

// beginGrace sets the time for which tools are waited for once the run is cancelled, whatever the run was doing when it was. [CANCEL-8]
func (b *batch) beginGrace() {
	if b.isInGrace {
		return
	}
	b.isInGrace = true
	if grace := b.run.state.Options.CancelGraceMS; grace > 0 {
		b.run.ports.Clock.After(grace, func() { b.grace <- struct{}{} })
	} else {
		b.grace <- struct{}{}
	}
}

// waitInGrace waits for a tool as long as the grace after a cancel lasts. [CANCEL-8]
func (b *batch) waitInGrace() bool {
	select {
	case end := <-b.run.returned:
		b.hear(end)
	case tell := <-b.run.told:
		tell()
	case <-b.grace:
		return false
	}
	return true
}

// hear takes what a tool returned, or tells that it came too late.
func (b *batch) hear(end toolEnd) {
	tool := b.run.takeOut(end.id)
	if tool.isLate {
		b.run.tellLate(tool)
		return
	}
	if end.subagent != nil {
		b.run.report(*end.subagent)
		end = b.cutOff(tool, end)
	}
	b.finish(tool, end)
}

// cutOff is what came of a subagent, or what stands for it if it ended because it was to. [SUBAGENT-7, SUBAGENT-8]
func (b *batch) cutOff(tool *runningTool, end toolEnd) toolEnd {
	switch {
	case tool.isOver:
		end.result, end.waits = b.tookTooLong(tool), nil
	case b.run.isCancelled() && end.result.Outcome != session.OK:
		end.result, end.waits = session.MadeUp(tool.call.ID, session.Cancelled, session.CancelledWhileRunning.Text()), nil
	}
	return end
}

func (b *batch) tookTooLong(tool *runningTool) session.Message {
	limit := strconv.FormatInt(*b.run.timeLimit(tool.call), 10)
	return session.MadeUp(tool.call.ID, session.TimedOut, session.TookTooLong.Text("{ms}", limit))
}

func (b *batch) finish(tool *runningTool, end toolEnd) {
	b.waiting--
	hasEnded := end.result.Outcome != session.Cancelled && end.result.Outcome != session.Suspended
	if hasEnded {
		end = b.run.showHooks(tool.call, end)
	}
	b.run.writeEnd(end, b.waiting == 0)
	if hasEnded {
		end = b.run.guardOutput(tool.call, end)
	}
	b.ends[tool.call.ID] = end
	b.run.emit("tool_end", Event{"turn": tool.turn, "id": tool.call.ID, "name": tool.call.Name, "outcome": end.result.Outcome})
}

// expire stops waiting for a tool whose time is over. [TOOL-26, TOOL-27]
func (b *batch) expire(id string) {
	for _, tool := range b.run.running {
		if tool.call.ID == id && !tool.isLate {
			tool.isOver = true
			b.abandon(tool, b.tookTooLong(tool))
		}
	}
}

// giveUp stops waiting for every tool of a run that was cancelled. [CANCEL-9]
func (b *batch) giveUp() {
	for _, tool := range b.run.running {
		if !tool.isLate {
			b.abandon(tool, session.MadeUp(tool.call.ID, session.Cancelled, session.CancelledWhileRunning.Text()))
		}
	}
}

// abandon signals a tool to stop, and waits for nothing but the end of a subagent.
func (b *batch) abandon(tool *runningTool, result session.Message) {
	tool.signal()
	if !tool.isSubagent {
		tool.isLate = true
		b.finish(tool, toolEnd{id: tool.call.ID, result: result})
	}
}
