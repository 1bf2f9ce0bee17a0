// The signatures of gemini stay on the parts that they came with, and go to nobody but the model that made them.

package provider_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"agentloop/model"
	"agentloop/provider/gemini"
	"agentloop/session"
)

func TestASignatureGoesBackWhereItWas(t *testing.T) {
	answer := `{"candidates":[{"content":{"parts":[{"text":"One "},{"text":"two.","thoughtSignature":"s"},{"text":"Three."},{"text":"","thoughtSignature":"t"},` +
		`{"text":"","thoughtSignature":"u"},{"functionCall":{"id":"a","name":"look"}},{"functionCall":{"id":"b","name":"look"},"thoughtSignature":"v"}]},"finishReason":"STOP"}]}`
	for _, kind := range []string{"application/json", "text/event-stream"} {
		told := answer
		if kind != "application/json" {
			told = events(answer)
		}
		came, _, _ := ask(t, gemini.New, request, "gemini-3-pro", kind, told)
		results := []session.Message{{Type: session.ToolResult, ID: "a"}, {Type: session.ToolResult, ID: "b"}}
		again := model.Request{Messages: slices.Concat(request.Messages, came.Messages, results)}
		for name, expected := range map[string]string{
			"gemini-3-pro": `[{"text":"One two.","thoughtSignature":"s"},{"text":"Three."},{"text":"","thoughtSignature":"t"},{"text":"","thoughtSignature":"u"},` +
				`{"functionCall":{"id":"a","name":"look","args":{}},"thoughtSignature":"skip_thought_signature_validator"},` +
				`{"functionCall":{"id":"b","name":"look","args":{}},"thoughtSignature":"v"}]`,
			"gemini-2.5-flash": `[{"text":"One two."},{"text":"Three."},{"functionCall":{"id":"a","name":"look","args":{}}},{"functionCall":{"id":"b","name":"look","args":{}}}]`,
		} {
			_, _, sent := ask(t, gemini.New, again, name, "application/json", "{}")
			parts := sent["contents"].([]any)[1].(map[string]any)["parts"]
			var wanted any
			if err := json.Unmarshal([]byte(expected), &wanted); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(parts, wanted) {
				got, _ := json.Marshal(parts)
				t.Errorf("%s, to %s: got %s", kind, name, got)
			}
		}
	}
}

func TestWhatAnErrorOfGeminiSaysInItsDetails(t *testing.T) {
	for _, each := range []struct {
		said string
		kind model.ErrorKind
		wait int64
	}{
		{`{"code":429,"status":"X","message":"No.","details":[{"@type":"q"},{"retryDelay":"34.5s"}]}`, model.RateLimit, 34500},
		{`{"code":400,"status":"X","message":"No.","details":[{"reason":"API_KEY_INVALID"},7]}`, model.Authentication, 0},
		{`{"code":400,"status":"X","message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}`, model.ContextExceeded, 0},
		{`{"code":400,"status":"X","message":"No.","details":[{"retryDelay":"NaNs"},{"retryDelay":"7"}]}`, model.InvalidRequest, 0},
	} {
		failed, _, _ := ask(t, gemini.New, request, "m", "text/event-stream", events(`{"error":`+each.said+`}`))
		wait := int64(0)
		if failed.Error.RetryAfterMS != nil {
			wait = *failed.Error.RetryAfterMS
		}
		if failed.Error.Kind != each.kind || failed.Error.Code != "X" || wait != each.wait {
			t.Errorf("%s: got %+v", each.said, failed.Error)
		}
	}
}
