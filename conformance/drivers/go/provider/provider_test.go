// Package provider_test holds the adapters against the examples of the spec, and streamed answers against whole ones.
package provider_test

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentloop/model"
	"agentloop/provider/anthropic"
	"agentloop/provider/chat"
	"agentloop/provider/gemini"
	"agentloop/provider/responses"
	"agentloop/session"
)

type adapter = func(client *http.Client, baseURL, key, name string, isStream bool) model.Invoke

var adapters = map[string]adapter{anthropic.Provider: anthropic.New, chat.Provider: chat.New,
	gemini.Provider: gemini.New, responses.Provider: responses.New}

// heard is what an adapter tells: the pieces of each message, and how many have ended.
type heard struct {
	pieces []string
	ended  int
}

func (h *heard) Start(int, session.Message)    { h.pieces = append(h.pieces, "") }
func (h *heard) Delta(index int, piece string) { h.pieces[index] += piece }
func (h *heard) End(int)                       { h.ended++ }
func (h *heard) Warn(string, string)           {}

// ask asks a server that gives one answer, and returns what it was sent too.
func ask(t *testing.T, with adapter, request model.Request, name, kind, answer string) (model.Response, *heard, map[string]any) {
	t.Helper()
	var body map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		sent, _ := io.ReadAll(in.Body)
		if err := json.Unmarshal(sent, &body); err != nil {
			t.Errorf("the request is not JSON: %s", sent)
		}
		out.Header().Set("content-type", kind)
		_, _ = io.WriteString(out, answer)
	}))
	defer server.Close()
	listener := &heard{}
	invoke := with(server.Client(), server.URL, "key", name, kind == "text/event-stream")
	return invoke(context.Background(), request, listener), listener, body
}

var fence = regexp.MustCompile("(?s)```json (\\S+)\n(.*?)```")

func TestRequestsAreThoseOfTheSpec(t *testing.T) {
	for provider, with := range adapters {
		t.Run(provider, func(t *testing.T) {
			text, err := os.ReadFile("../../../../spec/loop/providers/" + provider + ".md")
			if err != nil {
				t.Fatal(err)
			}
			blocks := map[string]string{}
			for _, found := range fence.FindAllStringSubmatch(string(text), -1) {
				if _, isLater := blocks[found[1]]; !isLater {
					blocks[found[1]] = found[2]
				}
			}
			var request model.Request
			var expected map[string]any
			if err := json.Unmarshal([]byte(blocks["Message[]"]), &request.Messages); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(blocks["Wire"]), &expected); err != nil {
				t.Fatal(err)
			}
			name, isInBody := expected["model"].(string)
			if !isInBody {
				name = "gemini-3-flash-preview" // which the path has
			}
			_, _, sent := ask(t, with, request, name, "application/json", "{}")
			if !reflect.DeepEqual(sent, expected) {
				got, _ := json.MarshalIndent(sent, "", "  ")
				t.Errorf("sent %s", got)
			}
		})
	}
}

var answers = map[string]struct{ whole, stream string }{
	anthropic.Provider: {
		whole: `{"model":"m","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"Hello."},` +
			`{"type":"tool_use","id":"a","name":"t","input":{"x":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}}`,
		stream: events(
			`{"type":"message_start","message":{"model":"m","usage":{"input_tokens":3,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"t","input":{}}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hel"}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"x\":"}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"lo."}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"1}"}}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":4}}`,
			`{"type":"message_stop"}`),
	},
	chat.Provider: {
		whole: `{"model":"m","choices":[{"message":{"reasoning":"hm","content":"Hello.","tool_calls":[{"id":"a","type":"function",` +
			`"function":{"name":"t","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`,
		stream: events(
			`{"model":"m","choices":[{"delta":{"reasoning":"h"}}]}`,
			`{"model":"m","choices":[{"delta":{"reasoning":"m"}}]}`,
			`{"model":"m","choices":[{"delta":{"content":"Hello"}}]}`,
			`{"model":"m","choices":[{"delta":{"content":".","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"t","arguments":"{\"x\""}}]}}]}`,
			`{"model":"m","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}`, `[DONE]`),
	},
	gemini.Provider: {
		whole: `{"modelVersion":"m","candidates":[{"content":{"parts":[{"text":"hm","thought":true,"thoughtSignature":"s"},{"text":"Hello."},` +
			`{"functionCall":{"id":"a","name":"t","args":{"x":1}},"thoughtSignature":"e"}]},"finishReason":"STOP"}],` +
			`"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}`,
		stream: events(
			`{"modelVersion":"m","candidates":[{"content":{"parts":[{"text":"h","thought":true}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"m","thought":true,"thoughtSignature":"s"}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"lo."},{"functionCall":{"id":"a","name":"t","args":{"x":1}},"thoughtSignature":"e"}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}`),
	},
	responses.Provider: {
		whole: `{"model":"m","status":"completed","output":[{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"e"},` +
			`{"type":"message","id":"i","content":[{"type":"output_text","text":"Hello."}]},` +
			`{"type":"function_call","id":"f","call_id":"a","name":"t","arguments":"{\"x\":1}"}],"usage":{"input_tokens":3,"output_tokens":4}}`,
		stream: events(
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"r","summary":[]}}`,
			`{"type":"response.reasoning_summary_text.delta","item_id":"r","output_index":0,"summary_index":0,"delta":"hm"}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"e"}}`,
			`{"type":"response.output_item.added","output_index":1,"item":{"type":"message","id":"i","content":[]}}`,
			`{"type":"response.output_text.delta","item_id":"i","output_index":1,"content_index":0,"delta":"Hel"}`,
			`{"type":"response.output_text.delta","item_id":"i","output_index":1,"content_index":0,"delta":"lo."}`,
			`{"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"i","content":[{"type":"output_text","text":"Hello."}]}}`,
			`{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"f","call_id":"a","name":"t","arguments":""}}`,
			`{"type":"response.function_call_arguments.delta","item_id":"f","output_index":2,"delta":"{\"x\":1}"}`,
			`{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","id":"f","call_id":"a","name":"t","arguments":"{\"x\":1}"}}`,
			`{"type":"response.completed","response":{"model":"m","status":"completed","output":[],"usage":{"input_tokens":3,"output_tokens":4}}}`),
	},
}

func events(data ...string) string { return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n" }

var request = model.Request{Messages: []session.Message{{Role: session.User, Content: session.Text("Hi.")}}}

func TestAStreamedAnswerSaysWhatTheWholeOneSays(t *testing.T) {
	for provider, with := range adapters {
		t.Run(provider, func(t *testing.T) {
			whole, silence, _ := ask(t, with, request, "m", "application/json", answers[provider].whole)
			streamed, told, _ := ask(t, with, request, "m", "text/event-stream", answers[provider].stream)
			left, _ := session.JSON(whole)
			right, _ := session.JSON(streamed)
			if string(left) != string(right) || whole.Error != nil || whole.StopReason != model.ToolUse || len(whole.Messages) != 3 {
				t.Errorf("whole    %s\nstreamed %s", left, right)
			}
			slices.Sort(told.pieces) // messages may begin in another order than they stand in
			if expected := []string{"Hello.", "hm", `{"x":1}`}; !reflect.DeepEqual(told.pieces, expected) || len(silence.pieces) > 0 {
				t.Errorf("told %q, and of the whole answer %q", told.pieces, silence.pieces)
			}
		})
	}
}

func TestAStreamThatIsCutAnywhereIsInterrupted(t *testing.T) {
	for provider, with := range adapters {
		t.Run(provider, func(t *testing.T) {
			all := strings.SplitAfter(answers[provider].stream, "\n\n")
			for last := 1; last < len(all)-3; last++ {
				cut, _, _ := ask(t, with, request, "m", "text/event-stream", strings.Join(all[:last], ""))
				if cut.StopReason != model.Interrupted || cut.Error.Kind != model.StreamInterrupted {
					t.Errorf("after %d events: %s, %v", last, cut.StopReason, cut.Error)
				}
			}
		})
	}
}

// broken are the forms of a JSON value in which one value of it is another.
func broken(value any) []any {
	forms := []any{nil, "x", 7.0, []any{nil}, map[string]any{}}
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			for _, form := range broken(inner) {
				whole := maps.Clone(value)
				whole[key] = form
				forms = append(forms, whole)
			}
		}
	case []any:
		for i, inner := range value {
			for _, form := range broken(inner) {
				whole := slices.Clone(value)
				whole[i] = form
				forms = append(forms, whole)
			}
		}
	}
	return forms
}

// An answer that makes no sense is told as one, or read as far as it goes; it never ends the program.
func TestNoAnswerIsTooStrange(t *testing.T) {
	for provider, with := range adapters {
		t.Run(provider, func(t *testing.T) {
			var whole any
			if err := json.Unmarshal([]byte(answers[provider].whole), &whole); err != nil {
				t.Fatal(err)
			}
			for _, form := range broken(whole) {
				written, _ := json.Marshal(form)
				ask(t, with, request, "m", "application/json", string(written))
			}
			all := strings.SplitAfter(answers[provider].stream, "\n\n")
			for i, event := range all {
				var data any
				if json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &data) != nil {
					continue
				}
				for _, form := range broken(data) {
					written, _ := json.Marshal(form)
					changed := slices.Clone(all)
					changed[i] = "data: " + string(written) + "\n\n"
					response, _, _ := ask(t, with, request, "m", "text/event-stream", strings.Join(changed, ""))
					if response.StopReason == "" {
						t.Errorf("no stop reason after %s", written)
					}
				}
			}
		})
	}
}

func TestACancelledCallEndsItsRequest(t *testing.T) {
	for provider, with := range adapters {
		t.Run(provider, func(t *testing.T) {
			asked, ended := make(chan struct{}), make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
				_, _ = io.Copy(io.Discard, in.Body)
				close(asked)
				<-in.Context().Done()
				close(ended)
			}))
			defer server.Close()
			ctx, cancel := context.WithCancel(context.Background())
			go func() { <-asked; cancel() }()
			response := with(server.Client(), server.URL, "key", "m", true)(ctx, request, &heard{})
			<-ended
			if response.Error == nil {
				t.Errorf("got %+v", response)
			}
		})
	}
}

func TestATextThatWasCutOffGoesBackAsSuch(t *testing.T) {
	answer := `{"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [
		{"type": "message", "id": "msg_1", "status": "completed", "content": [{"type": "output_text", "text": "One. "}]},
		{"type": "message", "id": "msg_2", "status": "incomplete", "content": [{"type": "output_text", "text": "Tw"}]}]}`
	asked := model.Request{Messages: []session.Message{{Role: session.User, Content: session.Text("Count.")}}}
	cut, _, _ := ask(t, responses.New, asked, "m", "application/json", answer)
	asked.Messages = append(asked.Messages, cut.Messages...)
	_, _, body := ask(t, responses.New, asked, "m", "application/json", answer)
	var statuses []any
	for _, item := range body["input"].([]any)[1:] {
		statuses = append(statuses, item.(map[string]any)["status"])
	}
	if expected := []any{"completed", "incomplete"}; !reflect.DeepEqual(statuses, expected) {
		t.Errorf("the items go back with status %v, not %v", statuses, expected)
	}
}
