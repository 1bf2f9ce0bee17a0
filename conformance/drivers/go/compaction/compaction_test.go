// Compaction: what stays whatever the strategy does, and what is said of it.

package compaction

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentloop/session"
)

func read(t *testing.T, messages ...string) []session.Message {
	t.Helper()
	var all []session.Message
	if err := json.Unmarshal([]byte("["+strings.Join(messages, ",")+"]"), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func call(id string) string {
	return fmt.Sprintf(`{"type":"tool_call","id":%q,"name":"save","input":{"text":%q}}`, id, strings.Repeat("é", 300))
}

func result(id, outcome string) string {
	return fmt.Sprintf(`{"type":"tool_result","id":%q,"output":%q,"outcome":%q}`, id, strings.Repeat("x", 300), outcome)
}

func ids(messages []session.Message) (all []string) {
	for _, message := range messages {
		all = append(all, message.Kind()+" "+message.ID)
	}
	return all
}

const (
	asked = `{"role":"user","content":"Do it."}`
	said  = `{"role":"assistant","content":"Done."}`
	rule  = `{"role":"system","content":"Be brief."}`
	short = `{"role":"user","content":"Summary","synthetic":true,"compacted":true}`
)

func TestASummaryLeavesFailuresWholeAndRulesAndTheLatestRequest(t *testing.T) {
	messages := read(t, rule, asked, call("a"), result("a", "ok"), call("b"), call("c"), result("b", "ok"), result("c", "denied"), rule, asked, call("d"), result("d", "ok"))
	part, exists := PartToSummarize(messages, 1)
	kept := []string{"tool_call b", "tool_call c", "tool_result b", "tool_result c", "system ", "user "}
	if !exists || part.From != 2 || part.To != 10 || !slices.Equal(ids(part.Lost), []string{"tool_call a", "tool_result a"}) || !slices.Equal(ids(part.Kept), kept) {
		t.Errorf("%v, %d to %d, lost %q, kept %q", exists, part.From, part.To, ids(part.Lost), ids(part.Kept))
	}
	change := part.With("All is well.")
	if first := change.Messages[0]; !first.Synthetic || !first.IsCompacted() || len(change.Messages) != len(kept)+1 {
		t.Errorf("got %q", ids(change.Messages))
	}
	if question := part.Question("Mind the é.").Content.Text; !strings.Contains(question, "Mind the é.") || !strings.Contains(question, "save {") {
		t.Errorf("the question is %s", question)
	}
}

func TestNothingIsAskedForWhereNothingCouldGo(t *testing.T) {
	for _, messages := range [][]session.Message{
		nil,
		read(t, asked, call("a"), result("a", "ok")),
		read(t, asked, call("a"), result("a", "error"), said, asked),
		read(t, asked, short, call("a"), result("a", "ok")),
	} {
		if part, exists := PartToSummarize(messages, 1); exists {
			t.Errorf("of %q: lost %q", ids(messages), ids(part.Lost))
		}
	}
}

func TestOldThoughtsAndArgumentsAreShortenedToTheirBeginning(t *testing.T) {
	thought := `{"type":"thinking","content":"` + strings.Repeat("é", 300) + `"`
	messages := read(t, asked, thought+`}`, thought+`,"opaque":{"provider":"p","model":"m","signature":"s"}}`, call("a"), result("a", "ok"), call("b"), result("b", "ok"))
	changes := TruncateOld(messages, 1)
	if len(changes) != 2 || changes[0].From != 1 || changes[0].To != 2 || changes[1].From != 3 || changes[1].To != 4 {
		t.Fatalf("got %+v", changes)
	}
	if thinking := changes[0].Messages[0].Content.Text; thinking != strings.Repeat("é", 200) {
		t.Errorf("the thought is %s", thinking)
	}
	var input struct {
		Compacted bool   `json:"_compacted"`
		Preview   string `json:"preview"`
	}
	if err := json.Unmarshal(changes[1].Messages[0].Input, &input); err != nil || !input.Compacted || len([]rune(input.Preview)) != 200 {
		t.Errorf("the arguments are %s", changes[1].Messages[0].Input)
	}
	if again := TruncateOld(append(read(t, asked), append(changes[1].Messages, messages[4:]...)...), 1); len(again) != 0 {
		t.Errorf("shortened twice: %+v", again)
	}
}

func TestLargeResultsKeepWhatIsNoText(t *testing.T) {
	output := `[{"type":"text","text":"` + strings.Repeat("x", 150) + `"},{"type":"image","data":"i"},{"type":"text","text":"` + strings.Repeat("y", 150) + `"},{"type":"text","text":"z"}]`
	messages := read(t, `{"type":"tool_result","id":"a","output":`+output+`}`, result("b", "error"), result("c", "ok"))
	changes := ShortenResults(messages, 200)
	if len(changes) != 2 || changes[0].From != 0 || changes[1].From != 2 {
		t.Fatalf("got %+v", changes)
	}
	written, _ := session.JSON(changes[0].Messages[0].Output)
	if textOf(changes[0].Messages[0].Output) != 200 || partsOf(changes[0].Messages[0].Output) != 1 {
		t.Errorf("got %s", written)
	}
}

func TestOptionsHaveDefaultsAndNullIsNone(t *testing.T) {
	for written, expected := range map[string]string{
		`{"strategy":"truncate_old","window":50000}`: `{"strategy":"truncate_old","window":50000,"keep_last_turns":3,"max_result_chars":50000}`,
		`{"max_result_chars":null}`:                  `{"keep_last_turns":3,"max_result_chars":null}`,
	} {
		var options Options
		if err := json.Unmarshal([]byte(written), &options); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(options); string(again) != expected || options.Check() != nil {
			t.Errorf("%s is written %s", written, again)
		}
	}
	if (Options{Window: 50_000}).Threshold() != 40_000 || (Options{Strategy: Truncate}).Check() == nil || (Options{Strategy: "magic", AtTokens: 1}).Check() == nil {
		t.Error("a threshold is another, or a strategy that is never asked is taken")
	}
}
