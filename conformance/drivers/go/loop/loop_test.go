// The loop on a scripted model: what a conformance case cannot see.

package loop

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agentloop/model"
	"agentloop/session"
)

func TestTheStopTableIsThatOfTheSpec(t *testing.T) {
	written, err := os.ReadFile("../../../../spec/stop-table.json")
	if err != nil {
		t.Fatal(err)
	}
	var table map[model.StopReason]actions
	if err := json.Unmarshal(written, &table); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(stopTable, table) {
		t.Errorf("expected %+v\ngot %+v", table, stopTable)
	}
}

type stillClock struct{}

func (stillClock) Now() int64                 { return 0 }
func (stillClock) After(int64, func()) func() { return func() {} }

// scripted is what a run on a model that gives one answer after another is given.
func scripted(answers ...model.Response) (Ports, *[]string) {
	var told []string
	return Ports{
		Model: func(context.Context, model.Request, model.Listener) model.Response {
			next := answers[0]
			answers = answers[1:]
			return next
		},
		Emit:   func(event Event) { told = append(told, event["type"].(string)) },
		Clock:  stillClock{},
		NewID:  func() string { return "new" },
		Random: func() float64 { return 0 },
	}, &told
}

func calls(ids ...string) model.Response {
	var all []session.Message
	for _, id := range ids {
		all = append(all, model.Call(id, "look", ""))
	}
	return model.Response{Messages: all, StopReason: model.ToolUse}
}

func says(text string) model.Response {
	return model.Response{Messages: []session.Message{{Role: session.Assistant, Content: session.Text(text)}}, StopReason: model.EndTurn}
}

func input(t *testing.T) Input {
	t.Helper()
	var agent Agent
	err := json.Unmarshal([]byte(`{"name":"main","tools":[{"name":"look","input_schema":{"type":"object"},"annotations":{"read_only":true}}]}`), &agent)
	if err != nil {
		t.Fatal(err)
	}
	messages := append(make([]session.Message, 0, 9), session.Message{Role: session.User, Content: session.Text("Look.")})
	return Input{Session: session.Session{SpecVersion: "1.0", ID: "s", Messages: messages},
		Agents: map[string]Agent{"main": agent}, Agent: "main", Options: DefaultOptions()}
}

func TestTheSessionOfTheCallerStaysAsItIs(t *testing.T) {
	ports, _ := scripted(says("Done."))
	in := input(t)
	_, after := Run(context.Background(), in, ports)
	if len(in.Session.Messages) != 1 || in.Session.Messages[:2][1].Role != "" || len(after.Messages) != 2 {
		t.Errorf("the caller has %+v", in.Session.Messages[:2])
	}
}

func TestConcurrentToolsStartInOrderAndOverlap(t *testing.T) {
	ports, told := scripted(calls("a", "b", "c"), says("Done."))
	var started []string
	all := make(chan struct{})
	ports.Execute = func(_ context.Context, call session.Message, _ Variables) func() (ToolReturn, error) {
		if started = append(started, call.ID); len(started) == 3 {
			close(all)
		}
		return func() (ToolReturn, error) {
			<-all // no tool ends before each has begun
			if call.ID == "b" {
				return ToolReturn{}, errors.New("no light")
			}
			return ToolReturn{Output: session.Text("seen " + call.ID)}, nil
		}
	}
	result, after := Run(context.Background(), input(t), ports)
	var outputs []string
	for _, message := range after.Messages {
		if message.Kind() == session.ToolResult {
			outputs = append(outputs, message.ID+" "+message.Output.Text)
		}
	}
	if !slices.Equal(started, []string{"a", "b", "c"}) || !slices.Equal(outputs, []string{"a seen a", "b no light", "c seen c"}) {
		t.Errorf("started %q, stored %q", started, outputs)
	}
	if result.Status != Completed || (*told)[0] != "run_start" || (*told)[len(*told)-1] != "run_end" {
		t.Errorf("got %s and the events %q", result.Status, *told)
	}
}

func TestACancelWaitsNeitherForAModelNorForATool(t *testing.T) {
	forEver := make(chan struct{})
	t.Run("model", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		ports, _ := scripted()
		ports.Model = func(context.Context, model.Request, model.Listener) model.Response {
			cancel()
			<-forEver
			return says("too late")
		}
		if result, after := runSoon(t, ctx, input(t), ports); result.Status != Cancelled || len(after.Messages) != 1 {
			t.Errorf("got %s, %+v", result.Status, after.Messages)
		}
	})
	t.Run("tool", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		ports, _ := scripted(calls("a"))
		ports.Execute = func(context.Context, session.Message, Variables) func() (ToolReturn, error) {
			return func() (ToolReturn, error) {
				cancel()
				<-forEver
				return ToolReturn{}, nil
			}
		}
		result, after := runSoon(t, ctx, input(t), ports)
		if last := after.Messages[len(after.Messages)-1]; result.Status != Cancelled || last.Outcome != session.Cancelled {
			t.Errorf("got %s, and the outcome %s", result.Status, last.Outcome)
		}
		if !slices.Equal(result.StillRunning, []RunningTool{{"a", "look"}}) {
			t.Errorf("still running: %+v", result.StillRunning)
		}
	})
}

func runSoon(t *testing.T, ctx context.Context, in Input, ports Ports) (result Result, after session.Session) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		result, after = Run(ctx, in, ports)
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the run goes on after it was cancelled")
	}
	return result, after
}

func TestASnapshotGoesOnAfterItWasWrittenAndRead(t *testing.T) {
	in := input(t)
	in.Options.ExecuteTools = false
	ports, _ := scripted(calls("a"), says("Done."))
	suspended, _ := Run(context.Background(), in, ports)
	written, err := session.JSON(suspended.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	var read State
	if err := json.Unmarshal(written, &read); err != nil {
		t.Fatal(err)
	}
	refused, _ := Resume(context.Background(), read, in.Agents, nil, ports)
	result, after := Resume(context.Background(), read, in.Agents, []Answer{{ID: "a", Action: "respond", Output: session.Text("seen")}}, ports)
	if refused.Status != Failed || refused.Error.Kind != model.Configuration {
		t.Errorf("without decisions: %s, %v", refused.Status, refused.Error)
	}
	if result.Status != Completed || result.Turns != 2 || len(after.Messages) != 4 {
		t.Errorf("got %s after %d turns, %+v", result.Status, result.Turns, after.Messages)
	}
}

func TestOptionsThatNobodyHasAreRefused(t *testing.T) {
	var options Options
	if err := json.Unmarshal([]byte(`{"max_turn": 3, "permissions": null}`), &options); err != nil {
		t.Fatal(err)
	}
	if err := options.check(); err == nil || !strings.Contains(err.Message, `"max_turns"`) {
		t.Errorf("got %v, expected max_turns as the nearest known option", err)
	}
}

func TestASnapshotHasTheOptionsThatDiffer(t *testing.T) {
	var options Options
	if err := json.Unmarshal([]byte(`{"max_turns": 20, "max_retries": 0, "deadline_ms": 5}`), &options); err != nil {
		t.Fatal(err)
	}
	if written, _ := json.Marshal(options); string(written) != `{"deadline_ms":5,"max_retries":0}` {
		t.Errorf("got %s", written)
	}
}
