// The state of a run as JSON: of what is in it, a journal knows no more than which parts are lists that grow.

package journal

import (
	"encoding/json"
	"maps"
	"slices"

	"agentloop/session"
)

// fields are those of a JSON object by name.
type fields map[string]json.RawMessage

// State is a snapshot in parts: its lists apart, so that of these only the ends are written.
type State struct {
	phase    string
	turn     int
	messages []json.RawMessage
	session  fields // but for its messages
	steps    []json.RawMessage
	rest     fields
}

// UnmarshalJSON takes a snapshot apart.
func (s *State) UnmarshalJSON(snapshot []byte) error {
	*s = State{}
	if err := json.Unmarshal(snapshot, &s.rest); err != nil {
		return err
	}
	if err := json.Unmarshal(s.rest["session"], &s.session); err != nil {
		return err
	}
	for _, part := range []struct {
		from fields
		name string
		into any
	}{{s.rest, "phase", &s.phase}, {s.rest, "turn", &s.turn}, {s.rest, "steps", &s.steps}, {s.session, "messages", &s.messages}} {
		if err := json.Unmarshal(part.from[part.name], part.into); err != nil {
			return err
		}
		delete(part.from, part.name)
	}
	delete(s.rest, "session")
	return nil
}

// MarshalJSON puts a snapshot together.
func (s State) MarshalJSON() ([]byte, error) {
	whole, conversation := maps.Clone(s.rest), maps.Clone(s.session)
	for _, part := range []struct {
		into  fields
		name  string
		value any
	}{{conversation, "messages", list(s.messages)}, {whole, "session", conversation}, {whole, "steps", list(s.steps)}, {whole, "phase", s.phase}, {whole, "turn", s.turn}} {
		written, err := session.JSON(part.value)
		if err != nil {
			return nil, err
		}
		part.into[part.name] = written
	}
	return session.JSON(whole)
}

// list is a list that JSON has as one, though it is empty.
func list(items []json.RawMessage) []json.RawMessage { return append([]json.RawMessage{}, items...) }

// after is the state with what a transition says.
func (s State) after(record Record) State {
	s.phase, s.turn = record.Phase, *record.Turn
	s.messages, s.steps = record.Messages.after(s.messages), record.Steps.after(s.steps)
	if record.Session != nil {
		s.session = record.Session
	}
	s.rest = maps.Clone(s.rest)
	maps.Copy(s.rest, record.Set)
	for _, name := range record.Unset {
		delete(s.rest, name)
	}
	return s
}

// timeless is the state without how long the run has taken: that time has passed is no reason for a record.
func (s State) timeless() State {
	var counters fields
	_ = json.Unmarshal(s.rest["counters"], &counters) // without counters nothing is counted
	delete(counters, "elapsed_ms")
	s.rest = maps.Clone(s.rest)
	s.rest["counters"], _ = session.JSON(counters) // it came as JSON
	return s
}

func (s State) equals(other State) bool {
	return s.phase == other.phase && s.turn == other.turn && s.session.equals(other.session) && s.rest.equals(other.rest) &&
		slices.EqualFunc(s.messages, other.messages, isSame) && slices.EqualFunc(s.steps, other.steps, isSame)
}

func (f fields) equals(other fields) bool { return maps.EqualFunc(f, other, isSame) }
