// Package compaction makes a session smaller: it says which messages others are to take the place of, and changes nothing itself.
package compaction

import (
	"encoding/json"
	"fmt"
)

// Options say when and how a session is compacted, as schemas/run-options.schema.json describes them.
type Options struct {
	Strategy       string `json:"strategy,omitempty"`
	AtTokens       int64  `json:"at_tokens,omitempty"`
	Window         int64  `json:"window,omitempty"`
	Reserve        *int64 `json:"reserve,omitempty"`
	KeepLastTurns  int    `json:"keep_last_turns"`
	MaxResultChars *int   `json:"max_result_chars"`
	Instructions   string `json:"instructions,omitempty"`
}

// The strategies of this loop, and the name under which large results are shortened.
const (
	Truncate       = "truncate_old"
	Summarize      = "summarize"
	ShorteningName = "shorten_results"
)

const defaultReserve = 10_000

// UnmarshalJSON reads options on top of their defaults.
func (o *Options) UnmarshalJSON(data []byte) error {
	type plain Options
	most := 50_000
	*o = Options{KeepLastTurns: 3, MaxResultChars: &most}
	return json.Unmarshal(data, (*plain)(o))
}

// Threshold is how many tokens a session may not have. [COMPACT-1]
func (o Options) Threshold() int64 {
	switch {
	case o.AtTokens > 0:
		return o.AtTokens
	case o.Reserve != nil:
		return o.Window - *o.Reserve
	}
	return o.Window - defaultReserve
}

// Check says why nothing can be compacted with these options; nil if something can. [COMPACT-23, COMPACT-27]
func (o Options) Check() error {
	switch o.Strategy {
	case "":
		return nil
	case Truncate, Summarize:
		if o.AtTokens == 0 && o.Window == 0 {
			return fmt.Errorf("compaction with a strategy has neither at_tokens nor window, so that the strategy is never asked; give one of them")
		}
		return nil
	}
	return fmt.Errorf("this loop has no strategy %q for compaction; it has %s and %s", o.Strategy, Truncate, Summarize)
}
