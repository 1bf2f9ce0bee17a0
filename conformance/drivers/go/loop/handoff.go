// Handoff: a tool names the agent that goes on.

package loop

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentloop/session"
)

// handoff is what the calls of a batch wanted to hand over to.
type handoff struct {
	isGiven bool
	to      *string // nil: to nobody
}

// handOver hears in call order to whom a call hands over, and returns what the call is answered. One that is answered with an error hands
// over to nobody. [LOOP-67, LOOP-68, LOOP-70, LOOP-95, LOOP-129]
func (h *handoff) handOver(end toolEnd, agents map[string]Agent) session.Message {
	if end.handoff == nil || end.result.Outcome != session.OK {
		return end.result
	}
	var to *string
	_ = json.Unmarshal(end.handoff, &to) // what is no name names nobody
	if _, exists := agents[name(to)]; to != nil && !exists {
		return session.MadeUp(end.result.ID, session.Failed, session.NoSuchAgent.Text("{name}", quoted(*to), "{agents}", list(slices.Sorted(maps.Keys(agents)))))
	}
	if h.isGiven {
		return session.MadeUp(end.result.ID, session.Skipped, session.SecondHandoff.Text())
	}
	h.isGiven, h.to = true, to
	return end.result
}

// follow lets the agent go on that was named, from the next turn. [LOOP-67, LOOP-69, EVENT-16]
func (r *run) follow(h handoff) {
	if !h.isGiven {
		return
	}
	r.emit("handoff", Event{"turn": r.state.Turn, "from": r.state.Agent, "to": h.to})
	if h.to == nil {
		r.ending = &Ending{Status: Stopped, StopCondition: "no_active_agent"}
		return
	}
	r.state.Agent = *h.to
}

func name(agent *string) string {
	if agent == nil {
		return ""
	}
	return *agent
}

// quoted is a name as the model wrote it, as a JSON string.
func quoted(name string) string {
	written, _ := session.JSON(name) // a text
	return string(written)
}

// list are names with commas between, or none.
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
