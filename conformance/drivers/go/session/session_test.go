// A session keeps what it does not know, and is refused where its calls and results do not pair.

package session

import (
	"encoding/json"
	"os"
	"testing"
)

func TestWhatIsNotKnownIsKept(t *testing.T) {
	const written = `{"spec_version":"1.0","id":"s","messages":[{"type":"note","content":7},` +
		`{"meta":{"x":1},"role":"user","content":[{"type":"video","at":3}]},` +
		`{"type":"tool_result","id":"a","output":"\u00e9 <b>","is_error":false,"data":{"z":1,"a":2}}],"owner":"me"}`
	var read Session
	if err := json.Unmarshal([]byte(written), &read); err != nil {
		t.Fatal(err)
	}
	again, err := JSON(read)
	if err != nil || string(again) != written {
		t.Errorf("got  %s (%v)\nfrom %s", again, err, written)
	}
}

func TestHalvesOfSurrogatePairsAreReplaced(t *testing.T) {
	for written, expected := range map[string]string{
		`"\ud83d"`:        `"\ufffd"`,
		`"\ude00 x"`:      `"\ufffd x"`,
		`"\ud83d\ude00"`:  `"\ud83d\ude00"`,
		`"\\ud83d"`:       `"\\ud83d"`,
		`"\ud83d\ud83d"`:  `"\ufffd\ufffd"`,
		`"\u00e9 \uD7FF"`: `"\u00e9 \uD7FF"`,
	} {
		if got := string(WholeLetters([]byte(written))); got != expected {
			t.Errorf("%s became %s, expected %s", written, got, expected)
		}
	}
}

func TestAMessageThatIsMarkedKeepsItsOtherFields(t *testing.T) {
	var call Message
	if err := json.Unmarshal([]byte(`{"type":"tool_call","id":"a","name":"t","input":{"b":1,"a":2},"colour":"red"}`), &call); err != nil {
		t.Fatal(err)
	}
	marked, _ := JSON(call.WithID("a_2").WithStatus(Incomplete))
	const expected = `{"type":"tool_call","id":"a_2","name":"t","input":{"b":1,"a":2},"status":"incomplete","colour":"red"}`
	if string(marked) != expected {
		t.Errorf("got %s, expected %s", marked, expected)
	}
}

func TestCanStart(t *testing.T) {
	const user = `{"role":"user","content":"x"}`
	const call = `{"type":"tool_call","id":"a","name":"t","input":{}}`
	const result = `{"type":"tool_result","id":"a","output":"y"}`
	const cut = `{"role":"assistant","content":"z","status":"incomplete"}`
	for messages, can := range map[string]bool{
		user:                             true,
		user + "," + call + "," + result: true,
		user + "," + cut:                 true,
		"":                               false,
		user + "," + call:                false,
		user + "," + result:              false,
		call + "," + user + "," + result: false,
		call + "," + result + "," + result + "," + user: false,
		call + "," + result + "," + call + "," + result: false,
		user + `,{"role":"assistant","content":"z"}`:    false,
	} {
		var read Session
		if err := json.Unmarshal([]byte(`{"spec_version":"1.3","id":"s","messages":[`+messages+`]}`), &read); err != nil {
			t.Fatal(err)
		}
		if err := read.CanStart(); (err == nil) != can {
			t.Errorf("%s: got %v", messages, err)
		}
	}
	if err := (Session{SpecVersion: "2.0", Messages: []Message{{Role: User, Content: Text("x")}}}).CanStart(); err == nil {
		t.Error("a session of version 2.0 is not refused")
	}
}

func TestUniqueID(t *testing.T) {
	if got := UniqueID("a", TakenIDs{"a": 1, "a_2": 1}); got != "a_3" {
		t.Errorf("got %s", got)
	}
}

func TestTheTextsAreThoseOfTheSpec(t *testing.T) {
	written, err := os.ReadFile("../../../../spec/result-texts.json")
	if err != nil {
		t.Fatal(err)
	}
	var table map[Situation]struct{ Text string }
	if err := json.Unmarshal(written, &table); err != nil {
		t.Fatal(err)
	}
	for situation, text := range texts {
		if table[situation].Text != text {
			t.Errorf("%s: expected %q, got %q", situation, table[situation].Text, text)
		}
	}
}
