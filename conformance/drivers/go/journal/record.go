// Records: small ones, each of which says what is different in the state since the one before.

package journal

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"agentloop/canonical"
	"agentloop/session"
)

// The types of records.
const (
	begin        = "begin"
	transition   = "transition"
	toolStarted  = "tool_started"
	toolFinished = "tool_finished"
)

// Record is one entry of a journal, as schemas/journal.schema.json describes it: of its type, and with the fields of that.
type Record struct {
	Type string `json:"type"`

	SpecVersion string `json:"spec_version,omitempty"` // of begin
	Snapshot    *State `json:"snapshot,omitempty"`

	Phase    string   `json:"phase,omitempty"` // of transition
	Turn     *int     `json:"turn,omitempty"`
	Messages *tail    `json:"messages,omitempty"`
	Steps    *tail    `json:"steps,omitempty"`
	Session  fields   `json:"session,omitempty"`
	Set      fields   `json:"set,omitempty"`
	Unset    []string `json:"unset,omitempty"`

	ID        string `json:"id,omitempty"` // of tool_started
	Name      string `json:"name,omitempty"`
	*Executed        // of tool_finished
}

// Executed is what came of a call: its result, and what else its tool asked for.
type Executed struct {
	Result  session.Message            `json:"result"`
	Fatal   bool                       `json:"fatal,omitempty"`
	Final   bool                       `json:"final,omitempty"`
	Updates map[string]json.RawMessage `json:"context_updates,omitzero"`
	Handoff json.RawMessage            `json:"handoff,omitempty"`
}

// tail is the end of a list, behind the first entries that are as they were.
type tail struct {
	From  int               `json:"from"`
	Items []json.RawMessage `json:"items"`
}

// difference is the record that makes the one state of the other; nil if nothing is different but the time. [JOURNAL-1, JOURNAL-5]
func difference(before *State, now State) *Record {
	if before == nil {
		return &Record{Type: begin, SpecVersion: "1.0", Snapshot: &now}
	}
	if before.timeless().equals(now.timeless()) {
		return nil
	}
	record := &Record{Type: transition, Phase: now.phase, Turn: &now.turn,
		Messages: tailOf(before.messages, now.messages), Steps: tailOf(before.steps, now.steps), Set: fields{}}
	if !before.session.equals(now.session) {
		record.Session = now.session
	}
	for name, value := range now.rest {
		if !isSame(before.rest[name], value) {
			record.Set[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before.rest)) {
		if _, stays := now.rest[name]; !stays {
			record.Unset = append(record.Unset, name)
		}
	}
	return record
}

// tailOf is the end of a list from the first entry that is different; nil if there is none.
func tailOf(before, now []json.RawMessage) *tail {
	same := 0
	for same < min(len(before), len(now)) && isSame(before[same], now[same]) {
		same++
	}
	if same == len(before) && same == len(now) {
		return nil
	}
	return &tail{From: same, Items: append([]json.RawMessage{}, now[same:]...)}
}

// stay is how many entries of the list stay as they were, at least.
func (t *tail) stay() int {
	if t == nil {
		return 0
	}
	return t.From
}

// after is the list with another end.
func (t *tail) after(before []json.RawMessage) []json.RawMessage {
	if t == nil {
		return before
	}
	return slices.Concat(before[:t.From], t.Items)
}

// isSame says whether two JSON texts mean the same, whoever wrote them.
func isSame(one, other json.RawMessage) bool {
	if bytes.Equal(one, other) {
		return true
	}
	first, err := canonical.JSON(one)
	second, otherErr := canonical.JSON(other)
	return err == nil && otherErr == nil && bytes.Equal(first, second)
}
