// The journal: its fold is the state, it stays small, and what cannot be read or written is said.

package journal

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"agentloop/session"
)

const begun = `{"phase":"turn_boundary","turn":0,"session":{"id":"s","messages":[{"role":"user","content":"Go."}],"com.acme.note":1},"steps":[],"counters":{"elapsed_ms":1},"com.acme.legs":7}`

// memory is a store, and what is in it as JSON.
func memory(records ...string) (*Store, *[]string) {
	return &Store{
		Read: func() (read []Record, err error) {
			err = json.Unmarshal([]byte("["+strings.Join(records, ",")+"]"), &read)
			return read, err
		},
		Append: func(added []Record) error {
			for _, record := range added {
				written, _ := session.JSON(record)
				records = append(records, string(written))
			}
			return nil
		},
	}, &records
}

func TestTheFoldOfTheRecordsIsTheState(t *testing.T) {
	store, records := memory()
	j := Open(store)
	states := []string{
		begun,
		strings.Replace(begun, `"elapsed_ms":1`, `"elapsed_ms":2`, 1),
		`{"phase":"deciding","turn":1,"session":{"id":"s","messages":[{"role":"user","content":"Go."},{"role":"assistant","content":"Gone."}],"com.acme.note":1},"steps":[{"turn":1}],"counters":{"elapsed_ms":3},"com.acme.legs":7,"error":{}}`,
		`{"phase":"turn_boundary","turn":1,"session":{"id":"s","messages":[{"role":"user","content":"Shorter."}],"com.acme.note":2},"steps":[{"turn":1,"model":"m"}],"counters":{"elapsed_ms":3}}`,
	}
	for _, state := range states {
		j.Write(json.RawMessage(state))
	}
	if len(*records) != 3 {
		t.Fatalf("that time has passed is no reason for a record, but there are %d: %s", len(*records), *records)
	}
	if strings.Contains((*records)[1], "Go.") {
		t.Errorf("what has not changed is written again: %s", (*records)[1])
	}
	var folded json.RawMessage
	if err := Open(store).Read(&folded); err != nil || !isSame(folded, json.RawMessage(states[3])) {
		t.Errorf("expected %s\ngot %s, %v", states[3], folded, err)
	}
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	deciding, executing := `{"type":"transition","phase":"deciding","turn":1,"steps":{"from":0,"items":[{}]}}`, `{"type":"transition","phase":"executing","turn":1}`
	begin := `{"type":"begin","spec_version":"1.7","snapshot":` + begun + `}`
	for name, records := range map[string][]string{
		"of another version":          {`{"type":"begin","spec_version":"2.0","snapshot":` + begun + `}`},
		"without a beginning":         {`{"type":"tool_started","id":"a","name":"look"}`},
		"with two beginnings":         {begin, begin},
		"with a record nobody knows":  {begin, `{"type":"tool_paused"}`},
		"with a turn that is nowhere": {begin, `{"type":"transition","phase":"done"}`},
		"with no result":              {begin, `{"type":"tool_finished"}`},
		"that is not JSON":            {"torn"},
		"without its decisions":       {begin, `{"type":"tool_started","id":"a","name":"look"}`},
		"without its answer":          {begin, executing},
		"without the start of a tool": {begin, deciding, executing, `{"type":"tool_finished","result":{"type":"tool_result","id":"a","output":"seen"}}`},
		"without its messages":        {begin, `{"type":"transition","phase":"deciding","turn":1,"messages":{"from":2,"items":[]}}`},
		"without its steps":           {begin, `{"type":"transition","phase":"deciding","turn":1,"steps":{"from":1,"items":[{}]}}`},
		"without its end":             {begin, `{"type":"transition","phase":"done","turn":0}`},
	} {
		store, _ := memory(records...)
		if j := Open(store); j.RefuseNew("s") == nil || j.RefuseResumed("s", nil) == nil || j.Read(new(json.RawMessage)) == nil {
			t.Errorf("a journal %s was read", name)
		}
	}
	store, _ := memory(begin)
	if err := Open(store).Read(new(json.RawMessage)); err != nil {
		t.Errorf("a later minor version can be read: %v", err)
	}
}

func TestBehindARecordThatCouldNotBeKeptThereIsNone(t *testing.T) {
	appended := 0
	j := Open(&Store{
		Read: func() ([]Record, error) { return nil, nil },
		Append: func([]Record) error {
			appended++
			return errors.New("taken")
		},
	})
	j.Write(json.RawMessage(begun))
	j.Start(session.Message{ID: "a", Name: "look"})
	if j.Broken() == nil || appended != 1 || j.Started("a") {
		t.Errorf("appended %d times, started %v, broken: %v", appended, j.Started("a"), j.Broken())
	}
}

func TestWhatIsKnownOfABatchEndsWithIt(t *testing.T) {
	store, _ := memory()
	j := Open(store)
	for _, phase := range []string{"turn_boundary", "deciding", "executing"} {
		j.Write(json.RawMessage(strings.Replace(begun, "turn_boundary", phase, 1)))
	}
	j.Start(session.Message{ID: "a", Name: "look"})
	j.Finish(json.RawMessage(strings.Replace(begun, "turn_boundary", "executing", 1)), Executed{Result: session.Result("a", session.Text("seen"), false), Final: true})
	if kept := Open(store).Finished()["a"]; !kept.Final || kept.Result.Output.Text != "seen" {
		t.Errorf("got %+v", kept)
	}
	j.Write(json.RawMessage(begun))
	if again := Open(store); again.Started("a") || len(again.Finished()) > 0 {
		t.Error("the batch is over, and its calls are still known")
	}
}
