// Package wire is what all adapters do in the same way: one HTTP request, its answer, and what is wrong with it.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"

	"agentloop/model"
	"agentloop/session"
)

// Endpoint is where a provider is, and how it is asked.
type Endpoint struct {
	Client   *http.Client
	Provider string
	URL      string
	Header   map[string]string
	APIKey   string // taken out of whatever is told of a failure
	IsStream bool
	// Kind is the kind of an error by its code or type, where the provider's table has one.
	Kind map[string]model.ErrorKind
	// Amend adds to an error what only the errors of this provider say; nil if there is nothing.
	Amend func(failed *model.Error, said Object)
}

// Answer reads what a provider answered.
type Answer interface {
	// Body reads a whole answer.
	Body(data []byte) model.Response
	// Event reads one event of a stream. It returns true after the terminal one.
	Event(event Event) (isOver bool)
	// End is the response to a stream that came to its end, or nil if its terminal event is missing.
	End() *model.Response
	// SoFar are the messages that had come when a stream was cut off.
	SoFar() model.Response
}

// Call sends a request once, and has the answer read, as far as the bounds allow. It never tries again.
func (e *Endpoint) Call(ctx context.Context, bounds model.Bounds, body any, answer Answer) model.Response {
	response := e.call(ctx, bounds.OrDefault(), body, answer)
	if response.Error != nil {
		response.Error.Provider = e.Provider
		response.Error.Message = e.withoutKeys(response.Error.Message)
		response.Error.Code = e.withoutKeys(response.Error.Code)
	}
	return response
}

func (e *Endpoint) call(ctx context.Context, bounds model.Bounds, body any, answer Answer) model.Response {
	written, err := session.JSON(body)
	if err != nil {
		return failure(model.Errorf(model.Internal, "the request cannot be written as JSON: %s", err))
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(session.WholeLetters(written)))
	if err != nil {
		return failure(model.Errorf(model.Configuration, "%s is no address: %s", e.URL, err))
	}
	if scheme := request.URL.Scheme; scheme != "http" && scheme != "https" {
		return failure(model.Errorf(model.Configuration, "%s is no address that begins with http:// or https://", e.URL)) // [PROVIDER-40]
	}
	request.Header.Set("content-type", "application/json")
	for name, value := range e.Header {
		request.Header.Set(name, value)
	}
	answered, err := e.withoutRedirects().Do(request)
	if err != nil {
		return failure(model.Errorf(model.Network, "no answer came from %s: %s", e.Provider, err))
	}
	defer answered.Body.Close()
	if target, err := answered.Location(); err == nil && isRedirect[answered.StatusCode] {
		if asked := answered.Request.URL; target.Scheme != asked.Scheme || target.Host != asked.Host {
			return failure(model.Errorf(model.Configuration, "%s://%s sends the request on to %s://%s, which was sent nothing",
				asked.Scheme, asked.Host, target.Scheme, target.Host))
		}
	}
	if answered.StatusCode >= 300 {
		said, _ := io.ReadAll(io.LimitReader(answered.Body, longestError)) // what has come has to do
		return failure(e.refusal(answered, said))
	}
	read := bounded(answered.Body, bounds)
	if e.IsStream {
		return e.stream(answered, read, bounds, answer)
	}
	said, err := io.ReadAll(read)
	if failed := e.tooLong(err); failed != nil {
		return failure(failed)
	}
	if err != nil {
		return interrupted(model.Response{}, "the answer of %s broke off: %s", e.Provider, err)
	}
	if !json.Valid(said) {
		return failure(e.noJSON(answered, said))
	}
	return answer.Body(said)
}

var isRedirect = map[int]bool{301: true, 302: true, 303: true, 307: true, 308: true}

// withoutRedirects is the client, which follows no redirect: Go's own takes all headers but a few to any server. [PROVIDER-38]
func (e *Endpoint) withoutRedirects() *http.Client {
	client := *e.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func (e *Endpoint) stream(answered *http.Response, read io.Reader, bounds model.Bounds, answer Answer) model.Response {
	if kind, _, _ := mime.ParseMediaType(answered.Header.Get("content-type")); kind != "text/event-stream" {
		return e.noStream(answered, read, answer)
	}
	events := NewEvents(read, bounds)
	for {
		event, err := events.Next()
		if err != nil {
			if failed := e.tooLong(err); failed != nil {
				soFar := answer.SoFar()
				soFar.StopReason, soFar.RawStopReason, soFar.Error = model.Failed, nil, failed
				return soFar
			}
			if response := answer.End(); response != nil && err == io.EOF {
				return *response
			}
			return interrupted(answer.SoFar(), "the stream of %s ended before its terminal event: %s", e.Provider, err)
		}
		if answer.Event(event) {
			return *answer.End()
		}
	}
}

// noStream reads an answer that is not the stream that was asked for: a failure, if it says so.
func (e *Endpoint) noStream(answered *http.Response, read io.Reader, answer Answer) model.Response {
	said, err := io.ReadAll(read)
	if failed := e.tooLong(err); failed != nil {
		return failure(failed)
	}
	if err == nil && json.Valid(said) {
		if response := answer.Body(said); response.Error != nil {
			return response
		}
	}
	return failure(model.Errorf(model.InvalidResponse, "expected a stream of events from %s, got %s: %.200s",
		e.Provider, answered.Header.Get("content-type"), said))
}

func failure(err *model.Error) model.Response {
	return model.Response{StopReason: model.Failed, Error: err}
}

func interrupted(soFar model.Response, format string, args ...any) model.Response {
	soFar.StopReason, soFar.RawStopReason = model.Interrupted, nil
	soFar.Error = model.Errorf(model.StreamInterrupted, format, args...)
	return soFar
}
