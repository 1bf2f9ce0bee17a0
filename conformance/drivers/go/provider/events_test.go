// What is in an event but no object cannot be read, whoever sends it; what came before it is kept.

package provider_test

import (
	"strings"
	"testing"

	"agentloop/model"
)

func TestAnEventThatIsNoObjectCannotBeRead(t *testing.T) {
	for provider, with := range adapters {
		for _, data := range []string{"[]", "7", `"text"`, "{"} {
			t.Run(provider+" "+data, func(t *testing.T) {
				all := strings.SplitAfter(answers[provider].stream, "\n\n")
				stream := strings.Join(all[:3], "") + events(data) + strings.Join(all[3:], "")
				response, _, _ := ask(t, with, request, "m", "text/event-stream", stream)
				if response.StopReason != model.Failed || response.Error.Kind != model.InvalidResponse || len(response.Messages) == 0 {
					t.Errorf("got %+v, %v", response, response.Error)
				}
			})
		}
	}
}
