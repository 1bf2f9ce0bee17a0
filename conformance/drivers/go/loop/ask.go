// Asking: how the run waits for code of the caller that it asks something.

package loop

import (
	"context"
	"errors"
	"fmt"
)

// errCancelled is why an answer is not waited for any more.
var errCancelled = errors.New("the run is cancelled")

// await asks, and waits for the answer until the run is cancelled, or the time is over where it is limited. Tools that end
// meanwhile are heard afterwards.
func await[Answer any](r *run, ask func(context.Context) func() (Answer, error), limitMS *int64) (Answer, error) {
	type outcome struct {
		answer Answer
		err    error
	}
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	expired := make(chan struct{})
	if limitMS != nil {
		defer r.ports.Clock.After(*limitMS, func() { close(expired) })()
	}
	answered := make(chan outcome, 1)
	wait := ask(ctx)
	go func() {
		answer, err := wait()
		answered <- outcome{answer, err}
	}()
	var none Answer
	select {
	case came := <-answered:
		return came.answer, came.err
	case <-expired:
		return none, fmt.Errorf("it did not answer within %d ms", *limitMS)
	case <-r.ctx.Done():
		return none, errCancelled
	}
}
