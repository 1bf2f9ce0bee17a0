// Bounds: what becomes of a response that goes beyond what a run lets be read.

package loop

import (
	"fmt"

	"agentloop/model"
	"agentloop/session"
)

// reading counts what one attempt streams, up to the first message that goes beyond a bound.
type reading struct {
	bounds model.Bounds
	calls  int
	beyond string // why the stream is left, if it is
}

// admits says whether a message that begins may be told. After the first that may not, none may.
func (r *reading) admits(message session.Message) bool {
	if r.beyond != "" {
		return false
	}
	if message.Kind() == session.ToolCall {
		r.calls++
	}
	r.beyond = brokenBy(message, r.calls, r.bounds)
	return r.beyond == ""
}

// within is the response, or what of it came before it went beyond a bound. [LOOP-98, LOOP-99]
func (r *reading) within(response model.Response) model.Response {
	var kept []session.Message
	calls := 0
	for _, message := range response.Messages {
		if message.Kind() == session.ToolCall {
			calls++
			message = readable(message, r.bounds)
		}
		if broken := brokenBy(message, calls, r.bounds); broken != "" {
			return beyond(response, kept, broken)
		}
		kept = append(kept, message)
	}
	if r.beyond != "" {
		return beyond(response, kept, r.beyond)
	}
	response.Messages = kept
	return response
}

// brokenBy says which bound a message goes beyond in a response that has so many calls up to it; empty if none.
func brokenBy(message session.Message, calls int, bounds model.Bounds) string {
	if calls > bounds.Calls {
		return fmt.Sprintf("the response has more calls than %s; none was executed", bounds.Most("calls"))
	}
	written, err := session.JSON(message)
	if err != nil || model.IsDeeper(written, bounds.Depth+1) { // the message stands around it
		return fmt.Sprintf("the response has something nested deeper than %s", bounds.Most("depth"))
	}
	return ""
}

// readable is the call, without its arguments where they are nested too deep. [LOOP-97]
func readable(call session.Message, bounds model.Bounds) session.Message {
	written, most := string(call.Input), bounds.Depth
	if !call.HasInput() && call.RawInput != nil {
		written, most = *call.RawInput, max(bounds.Depth, model.Readable)
	}
	if !model.IsDeeper([]byte(written), most) {
		return call
	}
	if call.RawInput != nil {
		written = *call.RawInput
	}
	return call.WithUnreadable(written, "may not be nested deeper than "+bounds.Most("depth"))
}

func beyond(response model.Response, kept []session.Message, reason string) model.Response {
	err := model.Errorf(model.InvalidResponse, "%s", reason)
	if response.Error != nil {
		err.Provider = response.Error.Provider
	}
	response.Messages, response.StopReason, response.Error = kept, model.Failed, err
	return response
}
