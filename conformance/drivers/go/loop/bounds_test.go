// Bounds: what of a response is kept, and that thousands of calls take time linear in their number.

package loop

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"agentloop/model"
	"agentloop/session"
)

func TestTheDefaultsAreThoseOfTheSpecAndOtherNamesAreRefused(t *testing.T) {
	written, err := os.ReadFile("../../../../spec/bounds.json")
	if err != nil {
		t.Fatal(err)
	}
	defaults := members(DefaultOptions().members()["bounds"])
	for name, bound := range members(written) {
		if string(defaults[name]) != string(members(bound)["default"]) {
			t.Errorf("%s is %s", name, defaults[name])
		}
	}
	var options Options
	if err := json.Unmarshal([]byte(`{"bounds":{"depth":3}}`), &options); err != nil || options.check() != nil || options.Bounds.Depth != 3 || options.Bounds.Calls != 1000 {
		t.Errorf("got %+v, %v", options.Bounds, err)
	}
	if err := json.Unmarshal([]byte(`{"bounds":{"depht":3}}`), &options); err != nil || options.check() == nil {
		t.Error("a bound that does not exist was taken")
	}
}

func TestArgumentsOfAnyDepthNameTheBound(t *testing.T) {
	for _, written := range []string{
		`{"a":` + strings.Repeat("[", 128) + strings.Repeat("]", 128) + "}",
		`{"a":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + "}", // encoding/json reads none of it
	} {
		call := readable(model.Call("a", "save", written), model.DefaultBounds())
		if call.HasInput() || call.RawInput == nil || *call.RawInput != written || !strings.Contains(call.Unreadable(), "128 (bounds.depth)") {
			t.Errorf("%.20s: %s", written, call.Unreadable())
		}
	}
	fine := readable(model.Call("a", "save", `{"a":[]}`), model.DefaultBounds())
	if !fine.HasInput() || fine.Unreadable() != "" {
		t.Error("arguments that are not deep were not read")
	}
}

func TestAStreamIsLeftAtTheFirstCallTooMany(t *testing.T) {
	bounds := model.DefaultBounds()
	bounds.Calls = 1
	of := reading{bounds: bounds}
	text := session.Message{Role: session.Assistant}
	if !of.admits(text) || !of.admits(model.Call("a", "save", "")) || of.admits(model.Call("b", "save", "")) || of.admits(text) {
		t.Error("another message than the second call was the first that is refused, or one after it was not")
	}
	response := of.within(model.Response{Messages: []session.Message{model.Call("a", "save", "")}, StopReason: model.Interrupted})
	if len(response.Messages) != 1 || response.Error == nil || !strings.Contains(response.Error.Message, "1 (bounds.calls)") {
		t.Errorf("got %+v", response)
	}
}

func TestManyCallsOfOneIDAreNamedInOneGo(t *testing.T) {
	taken := session.TakenIDs{}
	for number := range 100_000 {
		if id := session.UniqueID("a", taken); number == 99_999 && id != "a_100000" {
			t.Errorf("the last is %s", id)
		}
	}
}
