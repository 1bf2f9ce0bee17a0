// Hooks: code of the caller that a run asks at named points.

package loop

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"agentloop/permissions"
	"agentloop/session"
)

// Hook is asked at a point, about every tool or about those whose name fits.
type Hook struct {
	Point string
	Tool  string // a name in which * stands for any text; empty: every tool
	// Ask asks the hook, and returns what waits for its answer.
	Ask func(context.Context, HookCall) (wait func() (HookReply, error))
}

// HookCall is what a hook is told, as schemas/hook.schema.json describes it.
type HookCall struct {
	Point      string            `json:"point"`
	Turn       int               `json:"turn"`
	Agent      string            `json:"agent"`
	SessionID  string            `json:"session_id"`
	Message    *session.Message  `json:"message,omitempty"`
	Messages   []session.Message `json:"messages,omitzero"`
	Call       *SeenCall         `json:"call,omitempty"`
	Output     *session.Content  `json:"output,omitempty"`
	Outcome    session.Outcome   `json:"outcome,omitempty"`
	Status     Status            `json:"status,omitempty"`
	FinalText  *string           `json:"final_text,omitempty"`
	Compaction *SeenCompaction   `json:"compaction,omitempty"`
}

// SeenCall is what a hook or a guardrail is told of a call.
type SeenCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// HookReply is what a hook answers. What a point has no use for is ignored.
type HookReply struct {
	Block      string           `json:"block"`
	Skip       bool             `json:"skip"`
	Input      json.RawMessage  `json:"input"`
	Output     *session.Content `json:"output"`
	IsError    bool             `json:"is_error"`
	AddContext string           `json:"add_context"`
}

// Unsaid is what a hook has to say that is not in the session yet.
type Unsaid struct {
	Text string `json:"text"`
	ID   string `json:"id,omitempty"` // the call that it is about
}

var (
	guards   = []string{"user_input", "before_model", "after_model", "before_tool"} // one that breaks has blocked [HOOK-14]
	watchers = []string{"run_start", "turn_start", "turn_end", "after_compaction", "run_end"}
)

// askHooks asks the hooks of a point in their order. Each reply is taken, and changes what the next hook is told; the first that
// decides is the last. [HOOK-1 to HOOK-4]
func (r *run) askHooks(told HookCall, take func(*HookCall, HookReply) (decides bool)) {
	told.Turn, told.Agent, told.SessionID = r.state.Turn, r.state.Agent, r.state.Session.ID
	for _, hook := range r.ports.Hooks {
		if hook.Point != told.Point || hook.Tool != "" && (told.Call == nil || !permissions.Fits(hook.Tool, told.Call.Name)) {
			continue
		}
		if reply, answered := r.askHook(hook, told); answered && take(&told, reply) {
			return
		}
	}
}

// askHook asks one hook. One that breaks has blocked, or has said nothing. After a cancel none is asked that could decide anything,
// and none is waited for. [HOOK-14, HOOK-15]
func (r *run) askHook(hook Hook, told HookCall) (HookReply, bool) {
	if r.isCancelled() {
		if slices.Contains(watchers, hook.Point) {
			hook.Ask(r.ctx, told)
		}
		return HookReply{}, false
	}
	ask := func(ctx context.Context) func() (HookReply, error) { return hook.Ask(ctx, told) }
	reply, err := await(r, ask, r.state.Options.HookTimeoutMS)
	switch {
	case err == nil:
		return reply, true
	case errors.Is(err, errCancelled):
		return HookReply{}, false
	case slices.Contains(guards, hook.Point):
		return HookReply{Block: "a check failed: " + err.Error()}, true
	}
	r.warn("hook_failed", "a hook at "+hook.Point+" failed: "+err.Error())
	return HookReply{}, false
}

// hasHook says whether anybody is asked at a point.
func (r *run) hasHook(point string) bool {
	return slices.ContainsFunc(r.ports.Hooks, func(hook Hook) bool { return hook.Point == point })
}

// tellHooks tells those that only look.
func (r *run) tellHooks(told HookCall) {
	r.askHooks(told, func(*HookCall, HookReply) bool { return false })
}

// blockedBy asks hooks that may end the run or say something to the model. [HOOK-10, HOOK-11]
func (r *run) blockedBy(told HookCall) (ending *Ending) {
	r.askHooks(told, func(_ *HookCall, reply HookReply) bool {
		if reply.Block != "" {
			ending = &Ending{Status: Stopped, StopCondition: "blocked", Reason: reply.Block}
			return true
		}
		if told.Point != "after_model" { // which may only block
			r.noteUnsaid(reply, "")
		}
		return false
	})
	return ending
}

// showInput shows the hooks the messages with which the run starts.
func (r *run) showInput() *Ending {
	if r.state.Turn > 0 {
		return nil
	}
	input := r.state.input()
	if r.isRecovered {
		input = unanswered(input)
	}
	for _, message := range input {
		if message.Synthetic { // no user has said it [HOOK-40]
			continue
		}
		if ending := r.blockedBy(HookCall{Point: "user_input", Message: &message}); ending != nil {
			return ending
		}
	}
	return nil
}

// input are the user messages at the end of the session.
func (s State) input() []session.Message {
	messages := s.Session.Messages
	for i, message := range slices.Backward(messages) {
		if message.Kind() != session.User {
			return messages[i+1:]
		}
	}
	return messages
}

func (r *run) askBeforeModel() *Ending { return r.blockedBy(HookCall{Point: "before_model"}) }

// askAfterModel shows a response before anything follows from it. [HOOK-12]
func (r *run) askAfterModel(messages []session.Message) ([]session.Message, *Ending) {
	return messages, r.blockedBy(HookCall{Point: "after_model", Messages: messages})
}

// askStop says whether a hook keeps the run from ending. [HOOK-13]
func (r *run) askStop() (isKept bool) {
	if r.state.Counters[stopBlocks] >= r.state.Options.MaxStopBlocks {
		return false
	}
	final := text(r.state.response())
	r.askHooks(HookCall{Point: "stop", Status: r.ending.Status, FinalText: &final}, func(_ *HookCall, reply HookReply) bool {
		if isKept = reply.Block != "" && r.mayGoOn(); isKept { // it may have been asked to stop meanwhile
			r.count(stopBlocks, r.state.Counters[stopBlocks]+1)
			r.state.Unsaid = append(r.state.Unsaid, Unsaid{Text: reply.Block})
		}
		return isKept
	})
	return isKept
}

// noteUnsaid keeps what a hook adds until it can be said. [HOOK-10]
func (r *run) noteUnsaid(reply HookReply, call string) {
	if reply.AddContext != "" {
		r.state.Unsaid = append(r.state.Unsaid, Unsaid{Text: reply.AddContext, ID: call})
	}
}

// sayUnsaid says to the model what hooks have added: about calls in call order, and behind it the rest. [HOOK-10, HOOK-30]
func (r *run) sayUnsaid() *Ending {
	calls := r.state.calls()
	place := func(unsaid Unsaid) int {
		at := slices.IndexFunc(calls, func(call session.Message) bool { return call.ID == unsaid.ID })
		if at < 0 {
			return len(calls)
		}
		return at
	}
	slices.SortStableFunc(r.state.Unsaid, func(one, other Unsaid) int { return place(one) - place(other) })
	for _, unsaid := range r.state.Unsaid {
		r.add(session.Message{Role: session.User, Content: session.Text(unsaid.Text), Synthetic: true})
	}
	r.state.Unsaid = nil
	return nil
}

// SeenCompaction is what a hook is told of a compaction.
type SeenCompaction struct {
	Strategy     string `json:"strategy"`
	BeforeTokens int64  `json:"before_tokens"`
	AfterTokens  int64  `json:"after_tokens,omitempty"`
}
