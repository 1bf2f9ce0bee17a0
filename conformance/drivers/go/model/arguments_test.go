// What the model wrote for a tool is neither converted nor lost.

package model

import "testing"

func TestArgumentsAreAnObjectOrKeptAsWritten(t *testing.T) {
	for _, each := range []struct {
		written, input string
		isKept         bool
	}{
		{``, `{}`, false},
		{" \n", `{}`, false},
		{`{"b": 1, "a": "<&>"}`, `{"b":1,"a":"<&>"}`, false},
		{`{"path": "/et`, `null`, true},
		{`[1]`, `null`, true},
		{`"text"`, `null`, true},
		{`null`, `null`, true},
		{`{} {}`, `null`, true},
		{`{"account":12345678901234567}`, `{"account":12345678901234567}`, true},
		{`{"a":[{"\ud800":1,"\ud801":2}]}`, `null`, true},
		{`{"a":{"\ud800":1,"b":2}}`, `{"a":{"\ufffd":1,"b":2}}`, false},
		{`{"account":9007199254740992}`, `{"account":9007199254740992}`, false},
	} {
		call := Call("c", "t", each.written)
		if string(call.Input) != each.input || (call.RawInput != nil) != each.isKept {
			t.Errorf("%q: got input %s, raw_input %v", each.written, call.Input, call.RawInput)
		}
		if each.isKept && call.RawInput != nil && *call.RawInput != each.written {
			t.Errorf("%q is kept as %q", each.written, *call.RawInput)
		}
	}
}

func TestArgumentsGoBackWithTheNumbersThatTheModelWrote(t *testing.T) {
	call := Call("c", "t", `{"account":12345678901234567}`)
	call.Input = []byte(`{"account":12345678901234568}`) // as a loop with floating-point numbers stores it
	if got := string(Arguments(call)); got != `{"account":12345678901234567}` {
		t.Errorf("got %s", got)
	}
	if got := string(Arguments(Call("c", "t", "no JSON"))); got != "{}" {
		t.Errorf("got %s for arguments that are none", got)
	}
}
