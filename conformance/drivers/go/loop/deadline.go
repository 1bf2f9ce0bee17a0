// The deadline: what is under way when the time of a run is over ends as at a cancel.

package loop

import (
	"context"
	"errors"
)

var errTimeIsOver = errors.New("the run has taken deadline_ms")

// until is the context of a run that ends with the run's time. A run whose time was over before is left to the turn boundary. [LOOP-105]
func (r *run) until(ctx context.Context) (context.Context, func()) {
	most := r.state.Options.DeadlineMS
	if most == nil || *most <= r.elapsed() {
		return ctx, func() {}
	}
	limited, end := context.WithCancelCause(ctx)
	stop := r.ports.Clock.After(*most-r.elapsed(), func() { end(errTimeIsOver) })
	return limited, func() {
		stop()
		end(nil)
	}
}

// nameDeadline tells a run that its deadline cut off from one that was cancelled, then or later. [LOOP-110]
func (r *run) nameDeadline() {
	ending := r.state.Ending
	if ending == nil || ending.Status != Cancelled || !errors.Is(context.Cause(r.ctx), errTimeIsOver) || r.wasCancelled() {
		return
	}
	ending.Status = Deadline
	r.emit("limit", Event{"turn": r.state.Turn, "limit": "deadline_ms", "status": Deadline})
}

// wasCancelled says whether somebody cancelled the run: the time of a run is that of its subagents, too. [SUBAGENT-11]
func (r *run) wasCancelled() bool {
	return r.caller.Err() != nil && !errors.Is(context.Cause(r.caller), errTimeIsOver)
}
