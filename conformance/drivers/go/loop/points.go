// Points: where the features of the loop plug into it, and in which order. Each is told nothing of the others.

package loop

import "agentloop/session"

var (
	// judges are asked about each valid call of a batch; each is told what those before it made of the call.
	judges = []judge{(*run).notRecorded, (*run).askBeforeTool, (*run).permit, (*run).leaveToCaller}

	// judgesAgain are asked about each call of a resumed run that would be executed.
	judgesAgain = []judge{(*run).askAgainBeforeTool, (*run).permit}

	// keepers may keep a run going that would complete.
	keepers = []func(*run) bool{(*run).wasSpokenTo, (*run).askStop}

	// inspectors look at a response before anything follows from it; one may mark its messages, and end the run.
	inspectors = []func(*run, []session.Message) ([]session.Message, *Ending){(*run).askAfterModel, (*run).guardResponse}

	// preludes come before each turn; one may end the run instead.
	preludes = []func(*run) *Ending{(*run).guardInput, (*run).showInput, (*run).sayWhatWasSaid, (*run).askBeforeModel, (*run).sayWhatWasSaid, (*run).sayUnsaid, (*run).compact}
)

// judge says what becomes of a call that would be executed.
type judge func(*run, session.Message, Decision) Decision
