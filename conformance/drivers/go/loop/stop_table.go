// The stop table: what follows a response, by its stop reason and the presence of calls.

package loop

import (
	"agentloop/model"
	"agentloop/session"
)

// action is what the loop does after a response. A unit test holds the table against spec/stop-table.json.
type action struct {
	Do      string          `json:"do"` // execute, recover, finish or fail
	Status  Status          `json:"status"`
	Warning string          `json:"warning"`
	Error   model.ErrorKind `json:"error"`
	Answer  session.Outcome `json:"answer"` // for calls that are not executed
}

type actions struct {
	NoCalls action `json:"no_calls"`
	Calls   action `json:"calls"`
}

var stopTable = map[model.StopReason]actions{
	model.ToolUse: {
		NoCalls: action{Do: "finish", Status: Completed, Warning: "tool_use_without_calls"},
		Calls:   action{Do: "execute"},
	},
	model.EndTurn:               {NoCalls: action{Do: "finish", Status: Completed}, Calls: action{Do: "execute"}},
	model.MaxTokens:             cutOff,
	model.ContextWindowExceeded: cutOff,
	model.StopSequence:          finish(Completed, Completed),
	model.Refusal:               finish(Refused, Refused),
	model.ContentFilter:         finish(Refused, Refused),
	model.Pause: {
		NoCalls: action{Do: "fail", Error: model.PauseLimit},
		Calls:   action{Do: "fail", Error: model.PauseLimit, Answer: session.NotExecuted},
	},
	model.Failed:      failed,
	model.Interrupted: failed,
	model.Other:       finish(Incomplete, Incomplete),
}

var cutOff = actions{
	NoCalls: action{Do: "finish", Status: MaxTokens},
	Calls:   action{Do: "recover", Status: MaxTokens, Answer: session.NotExecuted},
}

var failed = actions{NoCalls: action{Do: "fail"}, Calls: action{Do: "fail", Answer: session.Interrupted}}

func finish(noCalls, calls Status) actions {
	return actions{
		NoCalls: action{Do: "finish", Status: noCalls},
		Calls:   action{Do: "finish", Status: calls, Answer: session.NotExecuted},
	}
}

// after is what follows a response. A reason that nobody knows is other.
func after(reason model.StopReason, hasCalls bool) action {
	row, known := stopTable[reason]
	if !known {
		row = stopTable[model.Other]
	}
	if hasCalls {
		return row.Calls
	}
	return row.NoCalls
}
