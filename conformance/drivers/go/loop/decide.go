// Deciding: what follows a response, and what becomes of each of its calls, before any is executed.

package loop

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentloop/model"
	"agentloop/schema"
	"agentloop/session"
)

// decide reads the stop table.
func (r *run) decide() {
	calls := r.state.calls()
	reason := r.step().StopReason
	if r.isCancelled() {
		outcome, situation := cancelled(reason)
		r.answerAll(calls, outcome, situation)
		r.end(Ending{Status: Cancelled})
		return
	}
	then := after(reason, len(calls) > 0)
	if r.ending != nil { // whoever looked at the response ended the run
		r.denyAll(calls, then)
		r.state.Phase = TurnBoundary
		return
	}
	if then.Warning != "" {
		r.warn(then.Warning, "the model said that it calls a tool, and called none")
	}
	if then.Do != "recover" {
		r.state.Truncations = 0
	}
	if then.Do == "execute" {
		r.judge(calls)
		return
	}
	r.answerAll(calls, then.Answer, session.Situation(reason))
	switch then.Do {
	case "finish":
		r.ending = &Ending{Status: then.Status}
	case "recover":
		if r.state.Truncations++; r.state.Truncations > r.state.Options.MaxTruncationRecoveries {
			r.ending = &Ending{Status: then.Status} // [LOOP-11]
		}
	case "fail":
		r.fail(r.causeOf(then))
		return
	}
	r.state.Phase = TurnBoundary
}

// cancelled is how calls are answered that nobody executes because the run was cancelled. [CANCEL-5, CANCEL-6]
func cancelled(reason model.StopReason) (session.Outcome, session.Situation) {
	if reason == model.Interrupted || reason == model.Failed {
		return session.Interrupted, session.WasCutOff
	}
	return session.Cancelled, session.CancelledBefore
}

func (r *run) causeOf(then action) *model.Error {
	if then.Error == model.PauseLimit {
		return model.Errorf(then.Error, "the provider paused more than %d times in a row", r.state.Options.MaxPauseContinuations)
	}
	if r.state.Error == nil {
		return model.Errorf(model.InvalidResponse, "the model call failed, and nobody said why")
	}
	return r.state.Error
}

// answerAll answers the calls without executing them.
func (r *run) answerAll(calls []session.Message, outcome session.Outcome, situation session.Situation) {
	for _, call := range calls {
		r.answer(call, session.MadeUp(call.ID, outcome, situation.Text()))
	}
	r.batch = len(calls) > 0
}

// denyAll answers the calls of a response after which the run is not to go on; those that would not have been executed anyway are
// answered as they would have been. [HOOK-12, GUARDRAIL-3]
func (r *run) denyAll(calls []session.Message, then action) {
	if then.Do != "execute" {
		r.answerAll(calls, then.Answer, session.Situation(r.step().StopReason))
		return
	}
	for _, call := range calls {
		decision := r.validated(call)
		if decision.Do != "answer" {
			decision = deny(call, r.ending.Reason, "the response was blocked")
		}
		r.answer(call, *decision.Result)
	}
}

// answer stores the result of a call and its outcome. [SESSION-6, RESULT-6]
func (r *run) answer(call, result session.Message) {
	if call.Status == session.Incomplete {
		result = result.WithStatus(session.Incomplete)
	}
	r.add(result)
	r.step().Outcomes = append(r.step().Outcomes, result.Outcome)
}

// judge decides about every call of the batch, in call order, before any is executed. [LOOP-33, LOOP-34]
func (r *run) judge(calls []session.Message) {
	r.state.Decisions = []Decision{}
	for _, call := range calls {
		r.state.Decisions = append(r.state.Decisions, r.decisionOn(call))
	}
	r.executeOrWait()
}

// executeOrWait goes on with the batch; where a call of it waits for the caller, the run is suspended, at once or when the rest is
// executed. [PERMISSION-11, PERMISSION-19]
func (r *run) executeOrWait() {
	r.state.Phase = Executing
	if r.isCancelled() {
		return // nobody is to be asked any more [LOOP-110]
	}
	if r.state.Options.ApprovalBatch != "eager" && slices.ContainsFunc(r.state.Decisions, Decision.isOpen) {
		r.suspend()
	}
}

// decisionOn asks about a call what the run permits, once it was found valid. [PERMISSION-6]
func (r *run) decisionOn(call session.Message) Decision {
	return r.weigh(call, r.validated(call), judges)
}

// validated judges a call by its name, then by whether it has arguments, then by the schema. [TOOL-3, TOOL-5, TOOL-9]
func (r *run) validated(call session.Message) Decision {
	tool, exists := r.agent().tool(call.Name)
	if !exists {
		return refuse(call, session.UnknownTool, r.noSuchTool(call.Name))
	}
	if reason := call.Unreadable(); reason != "" {
		return refuse(call, session.InvalidArguments, session.BeyondABound.Text("{reason}", reason))
	}
	if !call.HasInput() {
		return refuse(call, session.InvalidArguments, session.NotAnObject.Text("{arguments}", start(call.RawInput)))
	}
	if problems := problemsOf(tool, call.Input); problems != "" {
		return refuse(call, session.InvalidArguments, session.WrongArguments.Text("{name}", call.Name, "{problems}", problems))
	}
	return Decision{Do: "run"}
}

// weigh asks one judge after another, until one has answered the call.
func (r *run) weigh(call session.Message, decision Decision, judges []judge) Decision {
	for _, judge := range judges {
		if decision.Do == "answer" {
			break
		}
		decision = judge(r, call, decision)
	}
	return decision
}

// leaveToCaller has the caller execute what this loop cannot, or is not to. Whoever gives the result has approved of the call.
func (r *run) leaveToCaller(call session.Message, decision Decision) Decision {
	if tool, _ := r.agent().tool(call.Name); tool.External || !r.state.Options.ExecuteTools {
		return Decision{Do: "ask", Input: decision.Input}
	}
	return decision
}

// problemsOf says what is wrong with arguments; nothing if they fit the tool's schema.
func problemsOf(tool model.Tool, input json.RawMessage) string {
	problems, err := schema.Check(tool.InputSchema, input)
	if err != nil {
		return err.Error()
	}
	return describe(problems)
}

func refuse(call session.Message, outcome session.Outcome, output string) Decision {
	result := session.MadeUp(call.ID, outcome, output)
	return Decision{Do: "answer", Result: &result}
}

func (r *run) noSuchTool(name string) string {
	var names []string
	for _, tool := range r.agent().Tools {
		names = append(names, tool.Name)
	}
	return session.NoSuchTool.Text("{name}", quoted(name), "{tools}", list(names))
}

// maxRepeated is how many characters of the arguments an output may repeat. [TOOL-7]
const maxRepeated = 200

// start is the beginning of the arguments, as much of them as may be repeated.
func start(arguments *string) string {
	if arguments == nil {
		return ""
	}
	written := []rune(*arguments)
	return string(written[:min(len(written), maxRepeated)])
}

// describe names the place of each value that does not fit. [TOOL-6]
func describe(problems []schema.Problem) string {
	var described []string
	left := maxRepeated
	for _, problem := range problems {
		if left -= len([]rune(problem.Pointer)); left < 0 {
			described = append(described, "and more")
			break
		}
		described = append(described, fmt.Sprintf("%s: expected %s", problem.Pointer, problem.Expected))
	}
	return strings.Join(described, "; ")
}
