// Package journal keeps what a run has done, so that it goes on in another process when its own has ended.
package journal

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"agentloop/session"
)

// Store is where the records of a session are.
type Store struct {
	// Read returns all records, the oldest first.
	Read func() ([]Record, error)
	// Append adds records. What it has taken outlives the process; where it cannot keep them, it says why. [JOURNAL-18]
	Append func([]Record) error
}

// ErrSuperseded is the reason of a store that does not take records because another writer goes on with the run. [JOURNAL-25]
var ErrSuperseded = errors.New("the run goes on elsewhere")

// Journal is the records of one run, as far as they are kept. Without a store nothing is written.
type Journal struct {
	store      *Store
	begun      *State              // the snapshot of the first record
	kept       *State              // the fold of the records
	started    map[string]bool     // the calls of the last batch whose tools were started,
	finished   map[string]Executed // and what came of those that have ended
	unreadable error
	held       []Record // what the next append takes along: nothing follows from it before
	broken     error    // why a record could not be kept; then there is none behind it
}

// Open reads what a store has. Where it cannot be read, no run is written to it.
func Open(store *Store) *Journal {
	j := &Journal{store: store, started: map[string]bool{}, finished: map[string]Executed{}}
	if store == nil {
		return j
	}
	records, err := store.Read()
	for _, record := range records {
		if err == nil {
			err = j.fold(record)
		}
	}
	if err != nil {
		j.unreadable = fmt.Errorf("the journal cannot be read: %w", err)
	}
	return j
}

// fold adds what a record says. [JOURNAL-13]
func (j *Journal) fold(record Record) error {
	if (record.Type == begin) != (j.kept == nil) {
		return fmt.Errorf("a record of type begin is the first one and no other, but here is %s", record.Type)
	}
	if gap := j.gapBefore(record); gap != "" {
		return fmt.Errorf("it has a gap before a record of the type %s: %s", record.Type, gap)
	}
	switch record.Type {
	case begin:
		if !strings.HasPrefix(record.SpecVersion, "1.") || record.Snapshot == nil {
			return fmt.Errorf("it has version %q, and this loop reads 1.x", record.SpecVersion)
		}
		j.begun, j.kept = record.Snapshot, record.Snapshot
	case transition:
		if record.Turn == nil {
			return errors.New("a transition does not say in which turn")
		}
		next := j.kept.after(record)
		j.kept = &next
		if record.Phase != "executing" {
			clear(j.started)
			clear(j.finished)
		}
		if _, hasReason := next.rest["ending"]; !hasReason && (next.phase == "done" || next.phase == "suspended") {
			return fmt.Errorf("it has a gap: the run is %s, and nothing says why", next.phase)
		}
	case toolStarted:
		j.started[record.ID] = true
	case toolFinished:
		if record.Executed == nil {
			return errors.New("a tool_finished has no result")
		}
		j.finished[record.Result.ID] = *record.Executed
	default:
		return fmt.Errorf("it has a record of the type %q, which this loop does not know", record.Type)
	}
	return nil
}

// gapBefore is what a record follows from that the records before it do not have; empty if they have all of it. [JOURNAL-33]
func (j *Journal) gapBefore(record Record) string {
	switch {
	case record.Type == toolStarted && j.kept.phase != "executing":
		return fmt.Sprintf("a tool is started in phase %s", j.kept.phase)
	case record.Type == toolFinished && record.Executed != nil && !j.started[record.Result.ID]:
		return fmt.Sprintf("the tool of %s has ended, and was not started", record.Result.ID)
	case record.Type != transition:
		return ""
	case record.Messages.stay() > len(j.kept.messages):
		return fmt.Sprintf("%d messages stay, and there are %d", record.Messages.stay(), len(j.kept.messages))
	case record.Steps.stay() > len(j.kept.steps):
		return fmt.Sprintf("%d steps stay, and there are %d", record.Steps.stay(), len(j.kept.steps))
	case record.Turn != nil && *record.Turn-j.kept.turn != len(record.Steps.after(j.kept.steps))-len(j.kept.steps):
		return fmt.Sprintf("the turn was %d, and is %d, and there are not as many more steps", j.kept.turn, *record.Turn)
	}
	return ""
}

// Read puts the state that is kept into a value, whatever that reads of it. Of a journal that cannot be read, that is the first record.
func (j *Journal) Read(into any) error {
	if j.kept == nil && j.unreadable == nil {
		return errors.New("the journal is empty: there is no run to go on with")
	}
	readable, why := j.kept, j.unreadable
	if why != nil {
		readable = j.begun
	}
	if readable == nil {
		return why
	}
	written, err := session.JSON(readable)
	if err == nil {
		err = json.Unmarshal(written, into)
	}
	return cmp.Or(why, err)
}

// Started says whether the tool of a call of the last batch was started.
func (j *Journal) Started(id string) bool { return j.started[id] }

// Finished is what came of the calls of the last batch whose tools have ended.
func (j *Journal) Finished() map[string]Executed { return j.finished }

// RefuseNew says why no new run on a session may be written; nil if one may. [JOURNAL-12]
func (j *Journal) RefuseNew(sessionID string) error {
	switch {
	case j.unreadable != nil || j.kept == nil:
		return j.unreadable
	case j.kept.text("id") != sessionID:
		return fmt.Errorf("the journal is that of the session %s, not of %s", j.kept.text("id"), sessionID)
	case j.kept.phase != "done":
		return fmt.Errorf("the journal has a run that has not ended: it is %s; go on with it", j.kept.phase)
	}
	return nil
}

// RefuseResumed says why a suspended run on a session, with these calls, may not go on; nil if it may. [JOURNAL-11]
func (j *Journal) RefuseResumed(sessionID string, calls []string) error {
	switch {
	case j.unreadable != nil || j.kept == nil:
		return j.unreadable
	case j.kept.text("id") != sessionID || strings.Join(j.kept.lastCalls(), "\n") != strings.Join(calls, "\n"):
		return errors.New("the snapshot is not of the run that the journal has; resume what the journal has")
	case j.kept.phase != "suspended":
		return fmt.Errorf("by its journal the run was resumed already: it is %s; go on from there", j.kept.phase)
	}
	return nil
}

// text is a field of the session that is a text.
func (s State) text(name string) (text string) {
	_ = json.Unmarshal(s.session[name], &text) // what is no text is none
	return text
}

// lastCalls are the ids of the calls of the last response.
func (s State) lastCalls() (ids []string) {
	var start int
	_ = json.Unmarshal(s.rest["response_start"], &start) // without one it is the first message
	for _, written := range s.messages[min(max(start, 0), len(s.messages)):] {
		var message session.Message
		if json.Unmarshal(written, &message) == nil && message.Kind() == session.ToolCall {
			ids = append(ids, message.ID)
		}
	}
	return ids
}

// Write keeps what is different by now. [JOURNAL-1]
func (j *Journal) Write(state any) { j.append(j.news(state)...) }

// Hold leaves what is different by now to the next append. [JOURNAL-31]
func (j *Journal) Hold(state any) { j.add(j.news(state)...) }

// Holds says whether there is something that the next append takes along.
func (j *Journal) Holds() bool { return len(j.held) > 0 }

// Start keeps that the tools of calls are about to be started, all in one append. [JOURNAL-3, JOURNAL-30]
func (j *Journal) Start(calls ...session.Message) {
	started := make([]Record, len(calls))
	for i, call := range calls {
		started[i] = Record{Type: toolStarted, ID: call.ID, Name: call.Name}
	}
	j.append(started...)
}

// Finish keeps what came of a tool, and what else is different since it has ended. [JOURNAL-4]
func (j *Journal) Finish(state any, executed Executed) {
	j.HoldEnd(state, executed)
	j.append()
}

// HoldEnd leaves what came of a tool to the next append. [JOURNAL-31]
func (j *Journal) HoldEnd(state any, executed Executed) {
	j.add(append(j.news(state), Record{Type: toolFinished, Executed: &executed})...)
}

// news are the records of what is different by now.
func (j *Journal) news(state any) []Record {
	if j.store == nil {
		return nil
	}
	var now State
	written, err := session.JSON(state)
	if err == nil {
		err = json.Unmarshal(written, &now)
	}
	if err != nil {
		j.broken = fmt.Errorf("the state cannot be written: %w", err)
		return nil
	}
	if record := difference(j.kept, now); record != nil {
		return []Record{*record}
	}
	return nil
}

// append keeps what is held, and records behind it. Behind one that could not be kept, none is. [JOURNAL-10]
func (j *Journal) append(records ...Record) {
	j.add(records...)
	if len(j.held) > 0 && j.broken == nil {
		j.broken = j.store.Append(j.held)
	}
	j.held = nil
}

// add leaves records to the next append.
func (j *Journal) add(records ...Record) {
	if j.store == nil || j.broken != nil {
		return
	}
	for _, record := range records {
		if err := j.fold(record); err != nil {
			j.broken = err
		}
	}
	j.held = append(j.held, records...)
}

// Broken says why a record could not be kept; nil if all were.
func (j *Journal) Broken() error { return j.broken }
