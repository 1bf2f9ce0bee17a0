// Streams: chunks, of which one says how the answer ended.

package gemini

import (
	"agentloop/model"
	"agentloop/provider/wire"
)

// Event reads one chunk. None is the last: a later one may still have counts.
func (a *answer) Event(event wire.Event) bool {
	if event.Data == "[DONE]" {
		return false
	}
	chunk, failed := event.Object()
	if failed == nil {
		failed = a.endpoint.Failure([]byte(event.Data))
	}
	if failed != nil {
		a.failed = failed
		return true
	}
	a.chunk(chunk)
	return false
}

// End is the response to a stream of which a chunk has said how the answer ended, or that failed.
func (a *answer) End() *model.Response {
	hasEnded := a.ending.Text("finishReason") != "" || a.ending.Text("blockReason") != ""
	if !hasEnded && a.failed == nil {
		return nil
	}
	response := a.response()
	return &response
}

// SoFar is what has come.
func (a *answer) SoFar() model.Response { return a.response() }
