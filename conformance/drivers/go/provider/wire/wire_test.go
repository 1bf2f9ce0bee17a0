// What adapters share: names that are refused, waits, and errors without the key.

package wire

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"agentloop/model"
	"agentloop/session"
)

// silent is a listener that counts warnings.
type silent struct{ warnings int }

func (s *silent) Start(int, session.Message) {}
func (s *silent) Delta(int, string)          {}
func (s *silent) End(int)                    {}
func (s *silent) Warn(string, string)        { s.warnings++ }

func TestNamesAreLegalDifferentAndStable(t *testing.T) {
	listener := &silent{}
	request := model.Request{Tools: []model.Tool{{Name: "a.b"}, {Name: "a_b"}, {Name: "a:b"}, {Name: strings.Repeat("x", 70)}}}
	names := ToolNames(request, PlainName, 64, listener)
	seen := map[string]bool{}
	for _, tool := range request.Tools {
		sent := names.Of(tool.Name)
		if seen[sent] || len(sent) > 64 || illegal.MatchString(sent) {
			t.Errorf("%s is sent as %s", tool.Name, sent)
		}
		seen[sent] = true
		if names.Original(sent) != tool.Name {
			t.Errorf("%s is taken for %s", sent, names.Original(sent))
		}
	}
	if names.Of("a_b") != "a_b" || listener.warnings != 3 {
		t.Errorf("a_b is sent as %s, with %d warnings in all", names.Of("a_b"), listener.warnings)
	}
	if alone := ToolNames(model.Request{}, PlainName, 64, listener); alone.Of("a.b") != names.Of("a.b") {
		t.Error("the name of a tool depends on the others")
	}
}

func TestANameThatMayNotBeginWithADigitBeginsWithAnother(t *testing.T) {
	legal := regexp.MustCompile(`^[a-z_][a-z0-9_.]*$`)
	names := ToolNames(model.Request{}, legal, 20, &silent{})
	for name, isSent := range map[string]bool{"a.b": true, "2ab": false, strings.Repeat("2", 30): false, strings.Repeat("x", 20): true} {
		if sent := names.Of(name); sent == name != isSent || len(sent) > 20 || !legal.MatchString(sent) || names.Original(sent) != name {
			t.Errorf("%s is sent as %s", name, sent)
		}
	}
}

func TestHowLongAProviderAsksToWait(t *testing.T) {
	for expected, header := range map[int64]http.Header{
		1500:  {"Retry-After-Ms": {"1500"}, "Retry-After": {"9"}},
		2000:  {"Retry-After": {"2"}},
		60000: {"Retry-After": {"Sun, 06 Nov 1994 08:50:37 GMT"}, "Date": {"Sun, 06 Nov 1994 08:49:37 GMT"}},
	} {
		if got := retryAfter(header); got == nil || *got != expected {
			t.Errorf("%v: got %v, expected %d", header, got, expected)
		}
	}
	if got := retryAfter(http.Header{"Retry-After": {"soon"}}); got != nil {
		t.Errorf("got %d for what is neither a number nor a date", *got)
	}
}

func TestErrorsHaveTheirKindAndNoKey(t *testing.T) {
	endpoint := &Endpoint{APIKey: "secret", Kind: map[string]model.ErrorKind{"overloaded_error": model.Overloaded}}
	failed := endpoint.Failure([]byte(`{"error":{"type":"overloaded_error","message":"secret is busy"}}`))
	if failed.Kind != model.Overloaded || failed.Code != "overloaded_error" || endpoint.withoutKeys(failed.Message) != "[redacted] is busy" {
		t.Errorf("got %+v", failed)
	}
	endpoint.APIKey = "crafted-key-0123456789"
	for said, told := range map[string]string{
		"Wrong: crafted-key-0123…":                   "Wrong: [redacted]…",
		"Wrong: sk-proj-a1b2c3d4e5f6a1b2.":           "Wrong: [redacted].",
		"authorization: Bearer a1b2c3d4e5f6a1b2c3d4": "authorization: Bearer [redacted]",
	} {
		if got := endpoint.withoutKeys(said); got != told {
			t.Errorf("got %q, expected %q", got, told)
		}
	}
	if failed := endpoint.Failure([]byte(`{"error":"out of order"}`)); failed.Message != "out of order" {
		t.Errorf("got %+v", failed)
	}
	if failed := endpoint.Failure([]byte(`{"error":null}`)); failed != nil {
		t.Errorf("null is an error: %+v", failed)
	}
}
