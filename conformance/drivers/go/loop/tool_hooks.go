// Hooks of a tool: what they make of a call before it is executed, and of what came of it.

package loop

import (
	"agentloop/session"
)

// askBeforeTool asks the hooks about a call. The arguments that they change are checked again. [HOOK-5 to HOOK-8]
func (r *run) askBeforeTool(call session.Message, decision Decision) Decision {
	decision = r.hearBeforeTool(call, decision, func(told *HookCall, decision *Decision, reply HookReply) {
		if len(reply.Input) > 0 {
			told.Call = &SeenCall{ID: call.ID, Name: call.Name, Input: reply.Input}
			decision.Input = reply.Input
		}
	})
	if decision.Do == "answer" || len(decision.Input) == 0 {
		return decision
	}
	tool, _ := r.agent().tool(call.Name)
	if problems := problemsOf(tool, decision.Input); problems != "" {
		return refuse(call, session.InvalidArguments, session.WrongChangedArguments.Text("{problems}", problems))
	}
	return decision
}

// askAgainBeforeTool asks the hooks about a call of a resumed run, whose arguments were decided on. [HOOK-18, HOOK-19]
func (r *run) askAgainBeforeTool(call session.Message, decision Decision) Decision {
	return r.hearBeforeTool(call, decision, func(*HookCall, *Decision, HookReply) {})
}

func (r *run) hearBeforeTool(call session.Message, decision Decision, change func(*HookCall, *Decision, HookReply)) Decision {
	told := HookCall{Point: "before_tool", Call: seen(call.WithInput(decision.Input))}
	r.askHooks(told, func(told *HookCall, reply HookReply) bool {
		switch {
		case reply.Block != "":
			decision = deny(call, reply.Block, "")
		case reply.Skip:
			decision = refuse(call, session.Skipped, session.WasSkipped.Text("{name}", call.Name))
		case reply.Output != nil:
			result := session.Result(call.ID, *reply.Output, reply.IsError)
			decision = Decision{Do: "answer", Result: &result}
		default:
			change(told, &decision, reply)
			return false
		}
		return true
	})
	return decision
}

// seen is what a hook or a guardrail is told of a call.
func seen(call session.Message) *SeenCall {
	return &SeenCall{ID: call.ID, Name: call.Name, Input: call.Input}
}

// showHooks shows what came of a call to the hooks, which may put another output in its place. A fatal failure stays one. [HOOK-9]
func (r *run) showHooks(call session.Message, end toolEnd) toolEnd {
	told := HookCall{Point: "after_tool", Call: seen(call), Output: &end.result.Output}
	if end.result.Outcome != session.OK {
		told.Point, told.Outcome = "tool_failure", end.result.Outcome
	}
	r.askHooks(told, func(told *HookCall, reply HookReply) bool {
		if reply.Output != nil {
			end.result = session.Result(call.ID, *reply.Output, reply.IsError || end.fatal != nil)
			told.Output = reply.Output
		}
		r.noteUnsaid(reply, call.ID)
		return false
	})
	return end
}
