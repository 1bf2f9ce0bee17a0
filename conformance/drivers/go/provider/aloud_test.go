// What a model of openai-chat said aloud: kept in the same way however it came, and sent back by its id.

package provider_test

import (
	"reflect"
	"testing"

	"agentloop/model"
	"agentloop/provider/chat"
	"agentloop/session"
)

func TestWhatWasSaidAloudIsKeptAndGoesBackByItsID(t *testing.T) {
	for _, text := range []string{`null`, `"Hello."`} {
		t.Run("beside "+text, func(t *testing.T) {
			whole, _, _ := ask(t, chat.New, request, "m", "application/json",
				`{"model":"m","choices":[{"message":{"content":`+text+`,"audio":{"data":"UklGRg==","expires_at":9,"id":"a","transcript":"Hello there"}},"finish_reason":"stop"}]}`)
			streamed, _, _ := ask(t, chat.New, request, "m", "text/event-stream", events(
				`{"model":"m","choices":[{"delta":{"content":`+text+`,"audio":{"id":"a","transcript":"Hello "}}}]}`,
				`{"model":"m","choices":[{"delta":{"audio":{"data":"UklG","transcript":null}}}]}`,
				`{"model":"m","choices":[{"delta":{"audio":{"data":"Rg==","transcript":"there","expires_at":9}},"finish_reason":"stop"}]}`, `[DONE]`))
			left, _ := session.JSON(whole)
			right, _ := session.JSON(streamed)
			if string(left) != string(right) || len(whole.Messages) != 1 {
				t.Errorf("whole    %s\nstreamed %s", left, right)
			}
			for name, expected := range map[string]any{"m": map[string]any{"id": "a"}, "other": nil} {
				again := model.Request{Messages: append(streamed.Messages, request.Messages...)}
				_, _, sent := ask(t, chat.New, again, name, "application/json", "{}")
				first, _ := sent["messages"].([]any)[0].(map[string]any)
				if !reflect.DeepEqual(first["audio"], expected) {
					t.Errorf("to the model %s went %v", name, first)
				}
			}
		})
	}
}
