// Outcomes: why a tool result is what it is.

package session

// Outcome says why a tool result is what it is.
type Outcome string

// The outcomes of calls, as spec/loop/session.md lists them. Suspended stands only in events and steps.
const (
	OK               Outcome = "ok"
	Failed           Outcome = "error"
	InvalidArguments Outcome = "invalid_arguments"
	UnknownTool      Outcome = "unknown_tool"
	Denied           Outcome = "denied"
	Skipped          Outcome = "skipped"
	TimedOut         Outcome = "timeout"
	Cancelled        Outcome = "cancelled"
	NotExecuted      Outcome = "not_executed"
	Interrupted      Outcome = "interrupted"
	Suspended        Outcome = "suspended"
)

// Result is the answer of a tool that was executed.
func Result(id string, output Content, isError bool) Message {
	outcome := OK
	if isError {
		outcome = Failed
	}
	return Message{Type: ToolResult, ID: id, Output: output, IsError: isError, Outcome: outcome}
}

// MadeUp is the answer to a call that was not executed, or whose tool is no longer waited for. [SESSION-8]
func MadeUp(id string, outcome Outcome, output string) Message {
	return Message{Type: ToolResult, ID: id, Output: Text(output), IsError: true, Outcome: outcome, Synthetic: true}
}
