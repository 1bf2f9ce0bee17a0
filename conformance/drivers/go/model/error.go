// Errors: why a model call, or a run, failed.

package model

import "fmt"

// ErrorKind is one of the closed list of spec/loop/results.md.
type ErrorKind string

// The kinds of error that this program tells of.
const (
	InvalidRequest    ErrorKind = "invalid_request"
	Authentication    ErrorKind = "authentication"
	Permission        ErrorKind = "permission"
	NotFound          ErrorKind = "not_found"
	RequestTooLarge   ErrorKind = "request_too_large"
	ContextExceeded   ErrorKind = "context_window_exceeded"
	RateLimit         ErrorKind = "rate_limit"
	Quota             ErrorKind = "quota"
	Overloaded        ErrorKind = "overloaded"
	ServerError       ErrorKind = "server_error"
	Timeout           ErrorKind = "timeout"
	Network           ErrorKind = "network"
	StreamInterrupted ErrorKind = "stream_interrupted"
	InvalidResponse   ErrorKind = "invalid_response"
	Unsupported       ErrorKind = "unsupported"
	PauseLimit        ErrorKind = "pause_limit"
	ToolFatal         ErrorKind = "tool_fatal"
	InvalidSession    ErrorKind = "invalid_session"
	Superseded        ErrorKind = "superseded"
	Configuration     ErrorKind = "configuration"
	Internal          ErrorKind = "internal"
)

// Error says why a model call or a run failed.
type Error struct {
	Kind         ErrorKind `json:"kind"`
	Message      string    `json:"message"`
	Status       int       `json:"status,omitempty"`
	Provider     string    `json:"provider,omitempty"`
	Code         string    `json:"code,omitempty"`
	RetryAfterMS *int64    `json:"retry_after_ms,omitempty"`
	ShouldRetry  *bool     `json:"should_retry,omitempty"`
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// Errorf is an error of a kind.
func Errorf(kind ErrorKind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}
