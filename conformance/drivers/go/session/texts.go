// Texts: what a call is told that its tool did not answer.

package session

import "strings"

// Situation is what happened to a call that its tool did not answer.
type Situation string

// The situations of spec/result-texts.json that this loop can come to.
const (
	NoSuchTool            Situation = "unknown_tool"
	NotAnObject           Situation = "not_an_object"
	BeyondABound          Situation = "beyond_a_bound"
	WrongArguments        Situation = "wrong_arguments"
	WrongChangedArguments Situation = "wrong_changed_arguments"
	WasDenied             Situation = "denied"
	WasSkipped            Situation = "skipped"
	SecondHandoff         Situation = "second_handoff"
	NoSuchAgent           Situation = "unknown_agent"
	WasCutOff             Situation = "interrupted"
	BrokeBefore           Situation = "broke_before"
	BrokeWhileRunning     Situation = "broke_while_running"
	CancelledBefore       Situation = "cancelled_before"
	CancelledWhileRunning Situation = "cancelled_while_running"
	TookTooLong           Situation = "timeout"
	NotRecorded           Situation = "not_recorded"
)

const (
	again = "Nothing was executed. If the call is still needed, make it again."
	look  = "It may have had effects: look before you repeat the call."
)

// texts are those of spec/result-texts.json; a stop reason is a situation, too.
var texts = map[Situation]string{
	NoSuchTool:                "There is no tool {name}, and nothing was executed. Available tools: {tools}.",
	NotAnObject:               "The arguments must be a JSON object, but were: {arguments} Nothing was executed. Call the tool again with complete arguments.",
	BeyondABound:              "The arguments {reason}, and were not read. Nothing was executed. Call the tool again with smaller arguments.",
	WrongArguments:            "The arguments of {name} do not match its schema: {problems}. Nothing was executed. Correct them, and call the tool again.",
	WrongChangedArguments:     "The arguments were changed, and do not match the schema: {problems}. Nothing was executed. The mistake is not in your call.",
	WasDenied:                 "The call of {name} was not executed: {reason}. Do not repeat it unchanged.",
	WasSkipped:                "The call of {name} was skipped, and nothing was executed. Go on without it.",
	SecondHandoff:             "The tool ran, but another call of this batch had already handed over, so this one did not.",
	NoSuchAgent:               "The tool ran, but there is no agent {name} to hand over to. Agents: {agents}.",
	"max_tokens":              "The response was cut off by the token limit, so its arguments may be incomplete. Nothing was executed. Send less at once.",
	"context_window_exceeded": "The response was cut off because the context window is full, so its arguments may be incomplete. Nothing was executed. Send less at once.",
	"stop_sequence":           "The response was ended by a stop sequence, so this call may be incomplete. " + again,
	"refusal":                 "The response was ended by a refusal. Nothing was executed. Go on without this call.",
	"content_filter":          "The response was ended by a content filter. Nothing was executed. Go on without this call, or say it in other words.",
	"pause":                   "The response paused too often and was given up. " + again,
	"other":                   "The response ended for an unknown reason, so it may be incomplete. " + again,
	"error":                   "The model call failed before the response was complete. " + again,
	WasCutOff:                 "The response was interrupted before it was complete. " + again,
	BrokeBefore:               "The run broke off before this call was executed. " + again,
	BrokeWhileRunning:         "The run broke off while this tool was running, and its result is lost. " + look,
	CancelledBefore:           "The run was cancelled before this call was executed. " + again,
	CancelledWhileRunning:     "The run was cancelled before this tool ended. " + look,
	TookTooLong:               "The tool did not end within {ms} ms. " + look,
	NotRecorded:               "Nothing was executed: {reason}. If the call is still needed, make it again.",
}

// Text is what a call is told in a situation; values are pairs of a word in braces and what stands for it. [SESSION-24]
func (s Situation) Text(values ...string) string {
	return strings.NewReplacer(values...).Replace(texts[s])
}
