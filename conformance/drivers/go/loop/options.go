// Options: the knobs of a run, with their defaults.

package loop

import (
	"encoding/json"
	"maps"
	"slices"

	"agentloop/compaction"
	"agentloop/model"
	"agentloop/permissions"
)

// Options are the knobs of a run, as schemas/run-options.schema.json describes them; nil means no limit.
type Options struct {
	MaxTurns                *int                     `json:"max_turns"`
	MaxTruncationRecoveries int                      `json:"max_truncation_recoveries"`
	MaxPauseContinuations   int                      `json:"max_pause_continuations"`
	ExecuteTools            bool                     `json:"execute_tools"`
	Scheduling              string                   `json:"scheduling"`
	MaxConcurrency          int                      `json:"max_concurrency"`
	ToolTimeoutMS           *int64                   `json:"tool_timeout_ms"`
	CancelGraceMS           int64                    `json:"cancel_grace_ms"`
	MaxTotalTokens          *int64                   `json:"max_total_tokens"`
	MaxToolCalls            *int                     `json:"max_tool_calls"`
	MaxFailedTurns          *int                     `json:"max_failed_turns"`
	DeadlineMS              *int64                   `json:"deadline_ms"`
	StopWhen                []Condition              `json:"stop_when"`
	MaxRetries              int                      `json:"max_retries"`
	MaxRetryDelayMS         int64                    `json:"max_retry_delay_ms"`
	ModelTimeoutMS          *int64                   `json:"model_timeout_ms"`
	Bounds                  model.Bounds             `json:"bounds"`
	ApprovalBatch           string                   `json:"approval_batch"`
	Permissions             *permissions.Permissions `json:"permissions"`
	Compaction              *compaction.Options      `json:"compaction"`
	HookTimeoutMS           *int64                   `json:"hook_timeout_ms"`
	MaxStopBlocks           int64                    `json:"max_stop_blocks"`

	unknown []string // the names of options that were given and that this loop does not have
}

// Agent is who answers.
type Agent struct {
	Name         string       `json:"name"`
	Instructions string       `json:"instructions"`
	Model        string       `json:"model"`
	Tools        []model.Tool `json:"tools"`
	Limits       struct {
		MaxTurns json.RawMessage `json:"max_turns"`
	} `json:"limits"`
}

// DefaultOptions are those of a run that is told nothing.
func DefaultOptions() Options {
	turns, minute, tenMinutes := 20, int64(60_000), int64(600_000)
	return Options{
		MaxTurns:                &turns,
		MaxTruncationRecoveries: 3,
		MaxPauseContinuations:   10,
		ExecuteTools:            true,
		Scheduling:              "barrier",
		MaxConcurrency:          10,
		MaxRetries:              2,
		MaxRetryDelayMS:         60_000,
		ModelTimeoutMS:          &tenMinutes,
		Bounds:                  model.DefaultBounds(),
		ApprovalBatch:           "atomic",
		HookTimeoutMS:           &minute,
		MaxStopBlocks:           3,
	}
}

// UnmarshalJSON reads options on top of the defaults.
func (o *Options) UnmarshalJSON(data []byte) error {
	*o = DefaultOptions()
	return o.Replace(data)
}

// Replace takes the options that are given in the place of those of the same names. [LOOP-102]
func (o *Options) Replace(data []byte) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	all := o.members()
	unknown := append(slices.Clone(o.unknown), unknownTo(all, given)...)
	maps.Copy(all, given)
	written, err := json.Marshal(all)
	if err != nil {
		return err
	}
	type plain Options
	replaced := DefaultOptions()
	if err := json.Unmarshal(written, (*plain)(&replaced)); err != nil {
		return err
	}
	*o = replaced
	o.unknown = unknown
	return nil
}

// unknownTo are the names of the options that are given and not null, and that are not among those that there are.
func unknownTo(known, given map[string]json.RawMessage) (unknown []string) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, has := known[name]; !has && string(given[name]) != "null" {
			unknown = append(unknown, name)
		}
	}
	bounds := members(known["bounds"])
	for _, name := range slices.Sorted(maps.Keys(members(given["bounds"]))) {
		if _, has := bounds[name]; !has {
			unknown = append(unknown, "bounds."+name)
		}
	}
	return unknown
}

// MarshalJSON writes the options that differ from their defaults: another loop must not refuse what it does anyway. [LOOP-101]
func (o Options) MarshalJSON() ([]byte, error) {
	options, defaults := o.members(), DefaultOptions().members()
	maps.DeleteFunc(options, func(name string, value json.RawMessage) bool {
		return string(value) == string(defaults[name])
	})
	return json.Marshal(options)
}

// members are all options as JSON, by name.
func (o Options) members() map[string]json.RawMessage {
	type plain Options
	data, _ := json.Marshal(plain(o)) // numbers, texts and lists of them
	return members(data)
}

func members(data []byte) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(data, &all) // what is no object has none
	return all
}

// check says what is wrong with the options: one that nobody acts on, for example, on which the caller relies. [LOOP-100]
func (o Options) check() *model.Error {
	if o.Compaction != nil && o.Compaction.Check() != nil {
		return model.Errorf(model.Configuration, "%s", o.Compaction.Check())
	}
	for _, condition := range o.StopWhen {
		if slices.Contains([]string{"requested", "final_result", "no_active_agent"}, condition.Name) { // [EXTENSION-5]
			return model.Errorf(model.Configuration, "a stop condition has the name %q, which a loop reports of itself; rename it", condition.Name)
		}
	}
	if len(o.unknown) == 0 {
		return nil
	}
	return model.Errorf(model.Configuration, "this loop has no option %q; the nearest that it has is %q; leave it out",
		o.unknown[0], nearest(o.unknown[0], slices.Sorted(maps.Keys(DefaultOptions().members()))))
}

// nearest is the name that takes the fewest changed letters.
func nearest(wanted string, names []string) string {
	return slices.MinFunc(names, func(one, other string) int { return distance(wanted, one) - distance(wanted, other) })
}

// distance counts the bytes to put in, take out or change to make one text of the other.
func distance(one, other string) int {
	row := make([]int, len(other)+1)
	for column := range row {
		row[column] = column
	}
	for i := range len(one) {
		before := row[0]
		row[0] = i + 1
		for column := range len(other) {
			changed := before
			if one[i] != other[column] {
				changed++
			}
			before = row[column+1]
			row[column+1] = min(changed, row[column]+1, row[column+1]+1)
		}
	}
	return row[len(other)]
}

// tool finds a tool by its name.
func (a Agent) tool(name string) (model.Tool, bool) {
	for _, tool := range a.Tools {
		if tool.Name == name {
			return tool, true
		}
	}
	return model.Tool{}, false
}

// limited are the options of a run that begins with the agent: its own limits take the place of those of the same names.
func (a Agent) limited(options Options) Options {
	if a.Limits.MaxTurns != nil {
		options.MaxTurns = nil
		_ = json.Unmarshal(a.Limits.MaxTurns, &options.MaxTurns) // null: no limit
	}
	return options
}
