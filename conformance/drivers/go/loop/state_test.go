// State: what the caller handed in stays as it was, whatever a run makes of it.

package loop

import (
	"context"
	"encoding/json"
	"testing"

	"agentloop/model"
	"agentloop/permissions"
	"agentloop/session"
)

func TestTheVariablesOfTheCallerStayAsTheyAre(t *testing.T) {
	ports, _ := scripted(calls("a"), says("Done."))
	ports.Execute = func(_ context.Context, _ session.Message, variables Variables) func() (ToolReturn, error) {
		copy(variables["who"], `"you"`)
		delete(variables, "where")
		return func() (ToolReturn, error) { return ToolReturn{Updates: Variables{"when": json.RawMessage("1")}}, nil }
	}
	in := input(t)
	in.Context = Variables{"who": json.RawMessage(`"me!"`), "where": json.RawMessage("0")}
	result, _ := Run(context.Background(), in, ports)
	before, _ := json.Marshal(in.Context)
	after, _ := json.Marshal(result.Context)
	if string(before) != `{"where":0,"who":"me!"}` || string(after) != `{"when":1,"where":0,"who":"me!"}` {
		t.Errorf("the caller has %s, and the result %s", before, after)
	}
}

func TestASnapshotCanBeResumedAgain(t *testing.T) {
	in := input(t)
	in.Options.Permissions = &permissions.Permissions{Rules: []permissions.Rule{{Effect: permissions.Ask, Match: "look"}}}
	ports, _ := scripted(calls("a"), says("Done."), says("Done again."))
	ports.Execute = func(context.Context, session.Message, Variables) func() (ToolReturn, error) {
		return func() (ToolReturn, error) { return ToolReturn{Output: session.Text("seen")}, nil }
	}
	suspended, _ := Run(context.Background(), in, ports)
	written, _ := session.JSON(suspended.Snapshot)
	answers := []Answer{{ID: "a", Action: "approve", InputHash: suspended.Pending[0].InputHash}}
	for range 2 {
		if result, after := Resume(context.Background(), *suspended.Snapshot, in.Agents, answers, ports); result.Status != Completed || len(after.Messages) != 4 {
			t.Errorf("got %s, %+v", result.Status, result.Error)
		}
	}
	if again, _ := session.JSON(suspended.Snapshot); string(again) != string(written) {
		t.Errorf("the snapshot was %s\nand is %s", written, again)
	}
}

func TestASnapshotThatIsNotWholeIsRefused(t *testing.T) {
	call := session.Session{SpecVersion: "1.0", ID: "s", Messages: []session.Message{model.Call("a", "look", "")}}
	for name, spoil := range map[string]func(*State){
		"no steps":               func(s *State) { s.Steps = nil },
		"no such response":       func(s *State) { s.ResponseStart = 7 },
		"a call without a word":  func(s *State) { s.Decisions = nil },
		"an answer of nothing":   func(s *State) { s.Decisions = []Decision{{Do: "answer"}} },
		"a decision nobody made": func(s *State) { s.Decisions = []Decision{{Do: "guess"}} },
		"a subagent half there": func(s *State) {
			s.Decisions, s.Unfinished = []Decision{{Do: "run"}}, map[string]Unfinished{"a": {Snapshot: &State{}}}
		},
	} {
		in := input(t)
		ports, _ := scripted()
		snapshot := State{SpecVersion: "1.0", Phase: InSuspension, Session: call, Agent: "main", Options: DefaultOptions(),
			Steps: []Step{{Turn: 1}}, Decisions: []Decision{{Do: "ask"}}}
		spoil(&snapshot)
		result, after := Resume(context.Background(), snapshot, in.Agents, []Answer{{ID: "a", Action: "skip"}}, ports)
		if result.Status != Failed || result.Error.Kind != model.Configuration || len(after.Messages) != 1 {
			t.Errorf("%s: got %s, %v", name, result.Status, result.Error)
		}
	}
}
