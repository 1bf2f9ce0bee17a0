// Recovery: wherever the process of a run ends, the run comes to the same, and no tool is started for a call that was executed.

package loop

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"agentloop/journal"
	"agentloop/model"
	"agentloop/session"
)

// dying is a store whose writer is lost after so many appends, and what was kept by then.
func dying(after int, kept *[]journal.Record) *journal.Store {
	return &journal.Store{
		Read: func() ([]journal.Record, error) {
			written, _ := session.JSON(*kept)
			var read []journal.Record
			return read, json.Unmarshal(written, &read)
		},
		Append: func(records []journal.Record) error {
			if after--; after < 0 {
				return errors.New("the process has ended")
			}
			*kept = append(*kept, records...)
			return nil
		},
	}
}

func TestARunGoesOnWhereverItsProcessEnded(t *testing.T) {
	isWhole := false
	for after := 1; !isWhole; after++ {
		var kept []journal.Record
		executed := map[string]int{}
		play := func(store *journal.Store, how func(Ports) (Result, session.Session)) (Result, session.Session) {
			ports, _ := scripted()
			ports.Model = func(_ context.Context, request model.Request, _ model.Listener) model.Response {
				if len(request.Messages) == 1 {
					return calls("a", "b")
				}
				return says("Done.")
			}
			ports.Execute = func(_ context.Context, call session.Message, _ Variables) func() (ToolReturn, error) {
				executed[call.ID]++
				return func() (ToolReturn, error) { return ToolReturn{Output: session.Text("seen")}, nil }
			}
			ports.Journal = store
			return how(ports)
		}
		in := input(t)
		first, _ := play(dying(after, &kept), func(ports Ports) (Result, session.Session) {
			return Run(context.Background(), in, ports)
		})
		isWhole = first.Status == Completed
		if !isWhole && (first.Status != Failed || first.Error.Kind != model.Internal) {
			t.Errorf("a run that cannot be written down ended %s, %+v", first.Status, first.Error)
		}
		result, whole := play(dying(100, &kept), func(ports Ports) (Result, session.Session) {
			return Recover(context.Background(), in.Agents, ports)
		})
		if result.Status != Completed || result.Turns != 2 || len(whole.Messages) != 6 {
			t.Errorf("after %d appends: %s in %d turns, %+v", after, result.Status, result.Turns, whole.Messages)
		}
		for id, times := range executed {
			if times != 1 {
				t.Errorf("after %d appends: the tool of %s was started %d times", after, id, times)
			}
		}
	}
}

func TestThereIsNothingToRecoverInAnEmptyJournal(t *testing.T) {
	ports, _ := scripted()
	ports.Journal = dying(0, new([]journal.Record))
	result, whole := Recover(context.Background(), nil, ports)
	if result.Status != Failed || result.Error.Kind != model.Configuration || whole.ID != "unknown" {
		t.Errorf("got %s, %+v, session %q", result.Status, result.Error, whole.ID)
	}
}
