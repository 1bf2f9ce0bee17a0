// Compaction: before a turn, the session is made smaller if it has grown too large.

package loop

import (
	"slices"

	"agentloop/compaction"
	"agentloop/model"
	"agentloop/session"
)

// CompactionReport is one compaction, or one that failed.
type CompactionReport struct {
	Turn         int             `json:"turn"`
	Strategy     string          `json:"strategy"`
	BeforeTokens int64           `json:"before_tokens"`
	AfterTokens  *int64          `json:"after_tokens,omitempty"`
	Failed       string          `json:"failed,omitempty"`
	Model        string          `json:"model,omitempty"`
	Usage        *model.Usage    `json:"usage,omitempty"`
	Attempts     []FailedAttempt `json:"attempts,omitempty"`
}

// mostFailures is after how many compactions in a row that failed no strategy is asked any more. [COMPACT-22]
const mostFailures = 3

// compact shortens large results, and asks the strategy if the session is too large. What the strategy took may end the run.
// [COMPACT-1, COMPACT-2]
func (r *run) compact() *Ending {
	options := r.state.Options.Compaction
	if options == nil {
		return nil
	}
	if options.MaxResultChars != nil {
		r.apply(CompactionReport{Strategy: compaction.ShorteningName}, compaction.ShortenResults(r.state.Session.Messages, *options.MaxResultChars))
	}
	isAsked := options.Strategy != "" && r.state.Counters[compactionFailures] < mostFailures && r.state.Counters[compactedForTurn] != int64(r.state.Turn)+1
	if !isAsked || r.estimate() < options.Threshold() || r.isCompactionBlocked() {
		return nil
	}
	if options.Strategy == compaction.Truncate {
		r.apply(CompactionReport{Strategy: options.Strategy}, compaction.TruncateOld(r.state.Session.Messages, options.KeepLastTurns))
		return nil
	}
	r.summarize(*options)
	return r.limitReached()
}

// estimate is how many tokens the next request is likely to have. [COMPACT-3]
func (r *run) estimate() int64 {
	messages := r.state.Session.Messages
	covered := int(r.state.Counters[contextMessages])
	if counted := r.state.Counters[contextTokens]; counted > 0 && covered <= len(messages) {
		return counted + compaction.Tokens(messages[covered:])
	}
	declared := []string{r.agent().Instructions}
	for _, tool := range r.agent().Tools {
		declared = append(declared, tool.Name, tool.Description, string(tool.InputSchema))
	}
	return compaction.Tokens(messages) + compaction.TokensOf(declared...)
}

// countRequest notes how many tokens the provider counted of the last request, for the next estimate; it had so many messages of a
// paused response behind the session.
func (r *run) countRequest(usage model.Usage, paused int) {
	if r.state.Options.Compaction == nil {
		return
	}
	r.count(contextTokens, 0)
	if usage.InputTokens != nil {
		r.count(contextTokens, *usage.InputTokens)
		r.count(contextMessages, int64(len(r.state.Session.Messages)+paused))
		r.count(compactedForTurn, 0)
	}
}

// isCompactionBlocked says whether a hook leaves the session as it is before this turn. [COMPACT-24]
func (r *run) isCompactionBlocked() (isBlocked bool) {
	told := HookCall{Point: "before_compaction", Messages: r.state.Session.Messages, Compaction: &SeenCompaction{Strategy: r.state.Options.Compaction.Strategy, BeforeTokens: r.estimate()}}
	r.askHooks(told, func(_ *HookCall, reply HookReply) bool {
		isBlocked = reply.Block != ""
		return isBlocked
	})
	return isBlocked || r.isCancelled()
}

// apply makes the changes, tells and reports them; it returns whether they made the session smaller. [COMPACT-21, COMPACT-25, COMPACT-32]
func (r *run) apply(report CompactionReport, changes []compaction.Change) (isSmaller bool) {
	if len(changes) == 0 {
		return false
	}
	report.Turn, report.BeforeTokens = r.state.Turn, r.estimate()
	isSmaller = r.replace(changes)
	after := r.estimate()
	report.AfterTokens = &after
	for _, change := range changes {
		r.emit("compaction", Event{"turn": r.state.Turn, "strategy": report.Strategy, "from": change.From, "to": change.To,
			"messages": change.Messages, "before_tokens": report.BeforeTokens, "after_tokens": after})
	}
	r.state.Compactions = append(r.state.Compactions, report)
	if report.Strategy == compaction.ShorteningName {
		return isSmaller
	}
	r.count(compactedForTurn, int64(r.state.Turn)+1)
	r.tellHooks(HookCall{Point: "after_compaction", Compaction: &SeenCompaction{Strategy: report.Strategy, BeforeTokens: report.BeforeTokens, AfterTokens: after}})
	return isSmaller
}

// replace puts the messages of the changes in their places, the last change first, so that none moves another.
func (r *run) replace(changes []compaction.Change) (isSmaller bool) {
	var before, after int64
	for _, change := range slices.Backward(changes) {
		messages := r.state.Session.Messages
		before += compaction.Tokens(messages[change.From:change.To])
		after += compaction.Tokens(change.Messages)
		r.state.Session.Messages = slices.Concat(messages[:change.From], change.Messages, messages[change.To:])
		if change.From < int(r.state.Counters[contextMessages]) {
			r.count(contextTokens, 0)
		}
		if change.To <= r.state.ResponseStart {
			r.state.ResponseStart += len(change.Messages) - (change.To - change.From)
		}
	}
	return after < before
}

// summarize has the model write a summary, and puts it in the place of what it is about. [COMPACT-14, COMPACT-16, COMPACT-17]
func (r *run) summarize(options compaction.Options) {
	part, exists := compaction.PartToSummarize(r.state.Session.Messages, options.KeepLastTurns)
	if !exists {
		return
	}
	report := CompactionReport{Turn: r.state.Turn, Strategy: options.Strategy, BeforeTokens: r.estimate()}
	request := model.Request{Messages: []session.Message{part.Question(options.Instructions)}, Tools: []model.Tool{}, Model: r.agent().Model, Bounds: r.state.Options.Bounds}
	response, attempts := r.askAside(request)
	report.Model, report.Usage, report.Attempts = response.Model, &response.Usage, attempts
	if (response.Error != nil || response.StopReason == model.Interrupted) && len(response.Messages) == 0 {
		report.Usage = known(response.Usage) // [LOOP-138]
	}
	if report.Failed = whyNoSummary(response); report.Failed == "" {
		r.countFailure(!r.apply(report, []compaction.Change{part.With(text(response.Messages))}))
		return
	}
	r.state.Compactions = append(r.state.Compactions, report)
	if !r.isCancelled() {
		r.warn("compaction_failed", report.Failed)
		r.countFailure(true)
	}
}

// whyNoSummary says why a response cannot stand for anything; empty if it can.
func whyNoSummary(response model.Response) string {
	switch {
	case response.Error != nil:
		return "the summary could not be written: " + response.Error.Message
	case response.StopReason != model.EndTurn && response.StopReason != model.StopSequence:
		return "the summary ended with " + string(response.StopReason)
	case session.IsBlank(text(response.Messages)):
		return "the summary is empty"
	}
	return ""
}

// countFailure counts the compactions in a row that cost something and were good for nothing. [COMPACT-22]
func (r *run) countFailure(hasFailed bool) {
	if !hasFailed {
		r.count(compactionFailures, 0)
		return
	}
	r.count(compactionFailures, r.state.Counters[compactionFailures]+1)
	if r.state.Counters[compactionFailures] == mostFailures {
		r.warn("compaction_disabled", "the session could not be made smaller three times in a row; it stays as it is")
	}
}

// askAside asks a model beside the run: in no turn, and without an event. It is tried again as any call of the model is.
func (r *run) askAside(request model.Request) (model.Response, []FailedAttempt) {
	aside := &run{ctx: r.ctx, caller: r.caller, ports: r.ports, agents: r.agents, state: State{Options: r.state.Options}, returned: make(chan toolEnd)}
	aside.ports.Emit = func(Event) {}
	return aside.askUntilAnswered(request, &pieces{run: aside})
}
