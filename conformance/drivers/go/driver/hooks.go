// Hooks of a run: the kit is each of them. [DRIVER-12]

package driver

import (
	"context"

	"agentloop/loop"
)

// hookFilter says when a hook is called.
type hookFilter struct {
	Point string `json:"point"`
	Tool  string `json:"tool"`
}

func (r *run) hooksOf(filters []hookFilter) (hooks []loop.Hook) {
	for number, filter := range filters {
		hooks = append(hooks, loop.Hook{Point: filter.Point, Tool: filter.Tool,
			Ask: func(ctx context.Context, call loop.HookCall) func() (loop.HookReply, error) {
				answered := r.kit.ask("hook/fire", map[string]any{"run": r.id, "hook": number, "call": call})
				return func() (reply loop.HookReply, err error) {
					err = answered.wait(ctx, &reply)
					return reply, err
				}
			}})
	}
	return hooks
}
