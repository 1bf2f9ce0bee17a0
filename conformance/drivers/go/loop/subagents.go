// Subagents: an agent is a tool of another one, and runs on a session of its own.

package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// SubagentReport is what the run of a subagent came to, and what it took, that of its own subagents included.
type SubagentReport struct {
	ID           string                 `json:"id"`
	Agent        string                 `json:"agent"`
	SessionID    string                 `json:"session_id"`
	Status       Status                 `json:"status"`
	Turns        int                    `json:"turns"`
	Usage        model.Usage            `json:"usage"`
	UsageByModel map[string]model.Usage `json:"usage_by_model"`
}

// startSubagent begins the run that answers a call, or goes on with it, and returns what waits for its end. The run is cancelled
// when the context ends. [SUBAGENT-1, SUBAGENT-16]
func (r *run) startSubagent(ctx context.Context, agent string, call session.Message) func() toolEnd {
	ports := r.ports
	ports.Inbox, ports.IsStopped, ports.Journal = nil, nil, nil // what is said to the run is not said to its subagents
	ports.Hooks, ports.Guardrails = watchersOf(ports)
	ports.Emit = r.teller(call)
	if begun := r.state.Unfinished[call.ID]; begun.Snapshot != nil {
		snapshot := *begun.Snapshot
		snapshot.Options = r.optionsFor(snapshot)
		return func() toolEnd {
			result, _ := Resume(ctx, snapshot, r.agents, begun.Decisions, ports)
			return endOf(call, result, snapshot.Session.ID)
		}
	}
	in := Input{Session: r.sessionFor(call), Agents: r.agents, Agent: agent, Options: r.optionsFor(State{Options: DefaultOptions()}), Context: r.state.Context.copy()}
	return func() toolEnd {
		result, _ := Run(ctx, in, ports)
		return endOf(call, result, in.Session.ID)
	}
}

// watchersOf are the hooks and guardrails of a run that watch over its subagents, too: all but those of what a person says to the run,
// and of what it answers. [SUBAGENT-25 to SUBAGENT-28]
func watchersOf(ports Ports) (hooks []Hook, guardrails []Guardrail) {
	for _, hook := range ports.Hooks {
		if hook.Point != "user_input" && hook.Point != "stop" {
			hooks = append(hooks, hook)
		}
	}
	for _, guardrail := range ports.Guardrails {
		isOwn := func(point string) bool { return point == "input" || point == "final_output" }
		guardrail.Points = slices.DeleteFunc(slices.Clone(guardrail.Points), isOwn)
		guardrails = append(guardrails, guardrail)
	}
	return hooks, guardrails
}

// sessionFor is the session of a subagent: what the model asks it, and nothing else. [SUBAGENT-2]
func (r *run) sessionFor(call session.Message) session.Session {
	var arguments struct {
		Prompt json.RawMessage `json:"prompt"`
	}
	_ = json.Unmarshal(call.Input, &arguments) // what is no text is not the prompt
	var prompt *string
	if json.Unmarshal(arguments.Prompt, &prompt) != nil || prompt == nil {
		whole := string(call.Input)
		prompt = &whole
	}
	return session.Session{SpecVersion: r.state.Session.SpecVersion, ID: r.state.Session.ID + "/" + call.ID,
		Messages: []session.Message{{Role: session.User, Content: session.Text(*prompt)}}}
}

// optionsFor are the options of a subagent that has come so far: those of the run but for what is said of its own answers, with
// what is left of its own limits. [SUBAGENT-4, SUBAGENT-11]
func (r *run) optionsFor(soFar State) Options {
	options := r.state.Options
	options.MaxTurns, options.StopWhen = soFar.Options.MaxTurns, nil
	if most := options.MaxTotalTokens; most != nil {
		left := max(*most-r.state.sum().Usage.Total(), 0) + soFar.sum().Usage.Total()
		options.MaxTotalTokens = &left
	}
	if most := options.DeadlineMS; most != nil {
		left := max(*most-r.elapsed(), 0) + soFar.Counters[elapsedMS]
		options.DeadlineMS = &left
	}
	return options
}

// teller tells the events of a subagent as events of its call, on the goroutine of the run. [SUBAGENT-13]
func (r *run) teller(call session.Message) func(Event) {
	turn := r.state.Turn
	return func(event Event) {
		r.told <- func() {
			r.emit("subagent_event", Event{"turn": turn, "id": call.ID, "name": call.Name, "event": event})
		}
	}
}

// endOf is what the run of a subagent makes of its call. [SUBAGENT-5, SUBAGENT-6]
func endOf(call session.Message, result Result, sessionID string) toolEnd {
	end := toolEnd{id: call.ID, subagent: &SubagentReport{ID: call.ID, Agent: result.Agent, SessionID: sessionID, Status: result.Status,
		Turns: result.Turns, Usage: result.Usage, UsageByModel: result.UsageByModel}}
	switch {
	case result.Status == Suspended:
		end.waits = result.Snapshot
		end.result = session.Message{Type: session.ToolResult, ID: call.ID, Outcome: session.Suspended}
	case result.Status == Completed, result.Status == Stopped && result.StopCondition != "blocked":
		end.result = session.Result(call.ID, session.Text(result.FinalText), false)
	default:
		why := result.Reason
		if result.Error != nil {
			why = result.Error.Message
		}
		said := fmt.Sprintf("The agent %s ended with status %s.", result.Agent, result.Status)
		if why != "" {
			said = strings.TrimSuffix(said, ".") + ": " + why
		}
		end.result = session.Result(call.ID, session.Text(said), true)
	}
	return end
}

// report puts what a subagent took into the step of the turn, in call order. [SUBAGENT-9]
func (r *run) report(subagent SubagentReport) {
	order := map[string]int{}
	for place, call := range r.state.calls() {
		order[call.ID] = place
	}
	reports := slices.DeleteFunc(slices.Clone(r.step().Subagents), func(other SubagentReport) bool { return other.ID == subagent.ID })
	reports = append(reports, subagent)
	slices.SortFunc(reports, func(one, other SubagentReport) int { return order[one.ID] - order[other.ID] })
	r.step().Subagents = reports
}

// checkSubagents says which tool names an agent that the run does not have. [SUBAGENT-3]
func (r *run) checkSubagents() *model.Error {
	for _, name := range r.agentNames() {
		for _, tool := range r.agents[name].Tools {
			if _, exists := r.agents[tool.Agent]; tool.Agent != "" && !exists {
				return model.Errorf(model.Configuration, "the tool %s names the agent %q, which the run does not have; there are: %s",
					tool.Name, tool.Agent, list(r.agentNames()))
			}
		}
	}
	return nil
}
