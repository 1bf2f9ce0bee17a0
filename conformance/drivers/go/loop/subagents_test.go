// Subagents: one that waits goes on from a snapshot that was written and read.

package loop

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"agentloop/model"
	"agentloop/session"
)

// family is a run in which chef asks cook, who has to ask the caller, while chef takes a note.
func family(t *testing.T) Input {
	t.Helper()
	in := input(t)
	if err := json.Unmarshal([]byte(`{
		"main": {"name": "main", "tools": [
			{"name": "ask_cook", "agent": "cook", "input_schema": {"type": "object"}},
			{"name": "note", "input_schema": {"type": "object"}}]},
		"cook": {"name": "cook", "tools": [{"name": "ask_user", "external": true, "input_schema": {"type": "object"}}]}
	}`), &in.Agents); err != nil {
		t.Fatal(err)
	}
	return in
}

func TestASubagentGoesOnAfterItsSnapshotWasWrittenAndRead(t *testing.T) {
	ports, told := scripted(
		model.Response{Messages: []session.Message{model.Call("a", "ask_cook", `{"prompt":"Soup?"}`), model.Call("b", "note", "")}, StopReason: model.ToolUse},
		model.Response{Messages: []session.Message{model.Call("a", "ask_user", "")}, StopReason: model.ToolUse},
		says("Salted."), says("Done."))
	executed := 0
	ports.Execute = func(context.Context, session.Message, Variables) func() (ToolReturn, error) {
		executed++
		return func() (ToolReturn, error) { return ToolReturn{Output: session.Text("noted")}, nil }
	}
	ports.Hooks = []Hook{{Point: "after_tool", Tool: "note", Ask: func(context.Context, HookCall) func() (HookReply, error) {
		return func() (HookReply, error) { return HookReply{AddContext: "Remember it."}, nil }
	}}}
	in := family(t)
	suspended, _ := Run(context.Background(), in, ports)
	if len(suspended.Pending) != 1 || !slices.Equal(suspended.Pending[0].Path, []string{"a"}) {
		t.Fatalf("%s, pending: %+v", suspended.Status, suspended.Pending)
	}
	written, err := session.JSON(suspended.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	var read State
	if err := json.Unmarshal(written, &read); err != nil {
		t.Fatal(err)
	}
	answers := []Answer{{ID: "a", Path: []string{"a"}, Action: "respond", Output: session.Text("Salt.")}}
	result, after := Resume(context.Background(), read, in.Agents, answers, ports)
	var outputs []string
	for _, message := range after.Messages {
		if message.Kind() == session.ToolResult {
			outputs = append(outputs, message.Output.Text)
		}
	}
	if result.Status != Completed || executed != 1 || !slices.Equal(outputs, []string{"Salted.", "noted"}) {
		t.Errorf("got %s, %d executions and the outputs %q", result.Status, executed, outputs)
	}
	if said := after.Messages[len(after.Messages)-2]; !said.Synthetic || said.Content.Text != "Remember it." {
		t.Errorf("what a hook had to say before the run was suspended is lost: %+v", said)
	}
	if !slices.Contains(*told, "subagent_event") {
		t.Errorf("told: %q", *told)
	}
}

func TestDecisionsAboutASubagentAreKeptWhenTheRunIsSuspendedAgain(t *testing.T) {
	ports, _ := scripted()
	answered := State{SpecVersion: "1.0", Phase: InSuspension, Options: DefaultOptions(), Steps: []Step{{Turn: 1}},
		Session:   session.Session{Messages: []session.Message{model.Call("c", "ask_user", "")}},
		Decisions: []Decision{{Do: "ask"}}}
	state := answered
	state.Session.Messages = []session.Message{model.Call("a", "ask_cook", ""), model.Call("b", "note", "")}
	state.Decisions = []Decision{{Do: "run"}, {Do: "ask"}}
	state.Unfinished = map[string]Unfinished{"a": {Snapshot: &answered}}
	r := newRun(context.Background(), state.copy(), family(t).Agents, ports)
	r.take([]Answer{{ID: "c", Path: []string{"a"}, Action: "skip"}})
	if pending := r.state.pending(); len(pending) != 1 || pending[0].ID != "b" {
		t.Errorf("pending: %+v", pending)
	}
	if state.Unfinished["a"].Decisions != nil {
		t.Error("the snapshot of the caller has changed")
	}
}
