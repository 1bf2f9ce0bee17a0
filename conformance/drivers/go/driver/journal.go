// The journal of a run, of which the kit is the store. [DRIVER-31]

package driver

import (
	"context"
	"errors"
	"fmt"

	"agentloop/journal"
)

func (r *run) journalAtKit() *journal.Store {
	known := 0 // how many records it has, as far as this run knows [DRIVER-32]
	return &journal.Store{
		Read: func() ([]journal.Record, error) {
			var kept struct {
				Records []journal.Record `json:"records"`
			}
			err := r.kit.ask("journal/read", map[string]any{"run": r.id}).wait(context.Background(), &kept)
			known = len(kept.Records)
			return kept.Records, err
		},
		Append: func(records []journal.Record) error {
			var came struct {
				Answer string `json:"answer"`
			}
			asked := map[string]any{"run": r.id, "after": known, "records": records}
			if err := r.kit.ask("journal/append", asked).wait(context.Background(), &came); err != nil {
				return err
			}
			switch came.Answer { // [DRIVER-33]
			case "taken":
				return fmt.Errorf("another writer has added records: %w", journal.ErrSuperseded)
			case "failed":
				return errors.New("the disk of the kit is full")
			}
			known += len(records)
			return nil
		},
	}
}
