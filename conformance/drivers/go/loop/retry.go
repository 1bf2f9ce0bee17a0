// Retries: a model call that failed in passing is tried again, in the same turn.

package loop

import (
	"slices"

	"agentloop/model"
)

// passing are the kinds of error after which a call may succeed if it is made again. [RETRY-1]
var passing = []model.ErrorKind{model.RateLimit, model.Overloaded, model.ServerError, model.Timeout, model.Network, model.StreamInterrupted}

const (
	firstWaitMS = 500
	lastWaitMS  = 8000
)

// askUntilAnswered asks until there is an answer, or a failure for good; and returns the failures before that.
func (r *run) askUntilAnswered(request model.Request, pieces *pieces) (model.Response, []FailedAttempt) {
	var failed []FailedAttempt
	for {
		response := r.attempt(request, pieces)
		if r.isCancelled() || pieces.wereTold() || len(response.Messages) > 0 || len(failed) >= r.state.Options.MaxRetries || !mayPass(response.Error) {
			return response, failed
		}
		wait := r.waitAfter(response.Error, len(failed))
		if wait > r.state.Options.MaxRetryDelayMS {
			return response, failed
		}
		r.emit("retry", Event{"turn": r.state.Turn, "attempt": len(failed) + 1, "wait_ms": wait, "error": response.Error})
		r.wait(wait)
		if r.isCancelled() {
			return response, failed
		}
		failed = append(failed, FailedAttempt{Model: request.Model, Error: response.Error, WaitMS: &wait, Usage: known(response.Usage)})
	}
}

// mayPass says whether a failed call may be tried again; the provider has the last word, except where what was paid for is used up.
// [RETRY-5, RETRY-14]
func mayPass(err *model.Error) bool {
	if err == nil || err.Kind == model.Quota {
		return false
	}
	if err.ShouldRetry != nil {
		return *err.ShouldRetry
	}
	return slices.Contains(passing, err.Kind)
}

// waitAfter is how long to wait: as the provider asked, or longer each time, shortened a little by chance. [RETRY-2, RETRY-3]
func (r *run) waitAfter(err *model.Error, retries int) int64 {
	if err.RetryAfterMS != nil {
		return *err.RetryAfterMS
	}
	wait := min(float64(int64(firstWaitMS)<<min(retries, 10)), lastWaitMS)
	return min(int64(wait*(1-r.ports.Random()/4)), r.state.Options.MaxRetryDelayMS)
}

// wait lets time pass, or ends at once when the run is cancelled. [RETRY-12, EVENT-14]
func (r *run) wait(ms int64) {
	r.emit("wait_start", Event{"turn": r.state.Turn, "wait_ms": ms})
	passed := make(chan struct{})
	stop := r.ports.Clock.After(ms, func() { close(passed) })
	defer stop()
	for isOver := false; !isOver; {
		select {
		case <-passed:
			isOver = true
		case <-r.ctx.Done():
			isOver = true
		case end := <-r.returned:
			r.hearLate(end)
		}
	}
	r.emit("wait_end", Event{"turn": r.state.Turn})
}

// known is the usage if a number of it is known.
func known(usage model.Usage) *model.Usage {
	if usage == (model.Usage{}) {
		return nil
	}
	return &usage
}
