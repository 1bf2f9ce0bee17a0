// Failures: what a provider says when it refuses, and of which kind that is.

package wire

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentloop/model"
)

// LongestWait is the longest wait that is reported, in milliseconds. [PROVIDER-37]
const LongestWait = 1<<53 - 1

// refusal is the error of an answer with an HTTP status that says so. [PROVIDER-21, PROVIDER-25]
func (e *Endpoint) refusal(answered *http.Response, said []byte) *model.Error {
	if all := ReadList(said); len(all) > 0 { // of a stream that is a list
		said = all[0]
	}
	failed := e.Failure(said)
	if failed == nil {
		failed = &model.Error{Message: strings.TrimSpace(string(said))}
	}
	if failed.Message == "" {
		failed.Message = answered.Status
	}
	if failed.Kind != model.Quota { // which comes with any status [PROVIDER-41]
		failed.Kind = KindOfStatus(answered.StatusCode)
		failed.Kind = kindByOverflow(failed, "")
	}
	failed.Status = answered.StatusCode
	if wait := retryAfter(answered.Header); wait != nil {
		failed.RetryAfterMS = wait
	}
	if said, err := strconv.ParseBool(answered.Header.Get("x-should-retry")); err == nil {
		failed.ShouldRetry = &said
	}
	e.amend(failed, ReadObject(ReadObject(said)["error"]))
	return failed
}

func (e *Endpoint) amend(failed *model.Error, said Object) {
	if e.Amend != nil {
		e.Amend(failed, said)
	}
}

// Failure is the error that a body or an event says with a field error; nil if it says none.
func (e *Endpoint) Failure(said []byte) *model.Error {
	var answer struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(said, &answer) != nil || IsNothing(answer.Error) {
		return nil
	}
	return e.FailureOf(answer.Error)
}

// FailureOf is an error as a provider writes it: a text, or an object with message, code and type.
func (e *Endpoint) FailureOf(said json.RawMessage) *model.Error {
	var told struct {
		Message json.RawMessage `json:"message"`
		Code    json.RawMessage `json:"code"`
		Type    string          `json:"type"`
		Details json.RawMessage `json:"details"`
	}
	if json.Unmarshal(said, &told) != nil {
		return &model.Error{Kind: model.ServerError, Message: Text(said)}
	}
	failed := &model.Error{Message: Text(told.Message), Code: Text(told.Code), Kind: model.ServerError}
	if failed.Message == "" {
		failed.Message = string(said)
	}
	for _, code := range []string{ReadObject(told.Details).Text("error_code"), told.Type} {
		if failed.Code == "" {
			failed.Code = code
		}
	}
	if status, err := strconv.Atoi(Text(told.Code)); err == nil {
		failed.Kind = KindOfStatus(status)
	} else {
		for _, code := range []string{told.Type, Text(told.Code)} {
			if kind, known := e.Kind[code]; known {
				failed.Kind = kind
			}
		}
	}
	failed.Kind = kindByOverflow(failed, told.Type)
	e.amend(failed, ReadObject(said))
	return failed
}

// How servers say that a conversation is longer than the context window. [PROVIDER-39]
var (
	overflowCodes = []string{"context_length_exceeded", "exceed_context_size_error"}
	overflowWords = []string{
		"prompt is too long", "exceed context limit", "exceeds the context window", "maximum context length",
		"maximum prompt length is", "reduce the length of the messages", "exceeds the available context size",
		"greater than the context length", "exceeded model token limit", "context window exceeds limit",
		"input is too long for requested model",
	}
)

// kindByOverflow is the kind of an error, also where it says that the conversation is longer than the model can read. [PROVIDER-39]
func kindByOverflow(failed *model.Error, kind string) model.ErrorKind {
	if failed.Kind == model.RateLimit || failed.Kind == model.RequestTooLarge {
		return failed.Kind
	}
	said := strings.ToLower(failed.Message)
	isNamed := slices.Contains(overflowCodes, failed.Code) || slices.Contains(overflowCodes, kind)
	if isNamed || slices.ContainsFunc(overflowWords, func(words string) bool { return strings.Contains(said, words) }) {
		return model.ContextExceeded
	}
	return failed.Kind
}

// KindOfStatus is the kind of error for an HTTP status.
func KindOfStatus(status int) model.ErrorKind {
	switch status {
	case 401:
		return model.Authentication
	case 402:
		return model.Quota
	case 403:
		return model.Permission
	case 404:
		return model.NotFound
	case 408, 504:
		return model.Timeout
	case 413:
		return model.RequestTooLarge
	case 429:
		return model.RateLimit
	case 503, 529:
		return model.Overloaded
	}
	if status >= 500 {
		return model.ServerError
	}
	return model.InvalidRequest
}

// retryAfter is how long the provider asks to wait: in milliseconds, in seconds, or until a date by its own clock.
func retryAfter(header http.Header) *int64 {
	var wait float64
	if ms := header.Get("retry-after-ms"); isAmount(ms) {
		wait, _ = strconv.ParseFloat(ms, 64)
	} else if seconds := header.Get("retry-after"); isAmount(seconds) {
		wait, _ = strconv.ParseFloat(seconds, 64)
		wait *= 1000
	} else if date, err := http.ParseTime(header.Get("retry-after")); err == nil {
		now, err := http.ParseTime(header.Get("date"))
		if err != nil {
			now = time.Now()
		}
		wait = float64(date.Sub(now).Milliseconds())
	} else {
		return nil
	}
	whole := int64(min(max(wait, 0), LongestWait))
	return &whole
}

// isAmount is whether a text is a number in digits: ParseFloat takes NaN, Inf and -5 for numbers, too. [PROVIDER-36]
func isAmount(text string) bool {
	return strings.Trim(text, "0123456789.") == "" && strings.Count(text, ".") <= 1 && strings.Trim(text, ".") != ""
}
