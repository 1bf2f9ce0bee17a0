// Permissions: the table is that of the spec, and what a pattern fits.

package permissions

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"agentloop/model"
)

func TestTheTableIsThatOfTheSpec(t *testing.T) {
	written, err := os.ReadFile("../../../../spec/permissions.json")
	if err != nil {
		t.Fatal(err)
	}
	if expected := rows(string(written)); !reflect.DeepEqual(table, expected) {
		t.Errorf("expected %+v\ngot %+v", expected, table)
	}
}

func tool(t *testing.T, written string) (read model.Tool) {
	t.Helper()
	if err := json.Unmarshal([]byte(written), &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestWhatRulesMatch(t *testing.T) {
	shell := tool(t, `{"name":"bash","input_schema":{"required":["line"]},"annotations":{"shell":true}}`)
	file := tool(t, `{"name":"write","input_schema":{},"annotations":{"subject":"line"}}`)
	for _, each := range []struct {
		tool    model.Tool
		effect  Verdict
		match   string
		subject string
		matches bool
	}{
		{shell, Allow, "bash(npm *)", "npm  test", true},
		{shell, Allow, "bash(npm *)", "npm x; rm -rf ~", false},
		{shell, Allow, "bash(a | *)", "a | b", true},
		{shell, Deny, "bash(rm *)", "ls &&\trm\t-rf /", true},
		{shell, Deny, "bash(rm *)", "ls $(rm x)", true},
		{shell, Deny, "bash(rm *)", "alarm x", false},
		{shell, Deny, "bash(rm  x)", "rm\t\tx", true},
		{shell, Ask, "ba*", "anything", true},
		{shell, Deny, "bash(ls)", "ls ; x", true},
		{file, Allow, "write(/srv/*)", "/srv/../etc/passwd", false},
		{file, Allow, "write(/srv/*)", "/srv/./a//b/../c", true},
		{file, Deny, "write(/etc/*)", "//etc/passwd", true},
		{file, Deny, "write(a/../b)", "a/../b", true},
		{file, Allow, "write(../x)", "./../x", true},
		{file, Allow, "write(x)", "x/", false},
	} {
		input, err := json.Marshal(map[string]string{"line": each.subject})
		if err != nil {
			t.Fatal(err)
		}
		if got := (Rule{each.effect, each.match}).matches(each.tool, input); got != each.matches {
			t.Errorf("%s %s and %q: got %v", each.effect, each.match, each.subject, got)
		}
	}
}

func TestACallWithoutASubjectIsOnlyForbidden(t *testing.T) {
	named := tool(t, `{"name":"write","input_schema":{"required":["a","b"]}}`)
	for effect, matches := range map[Verdict]bool{Allow: false, Ask: true, Deny: true} {
		if got := (Rule{effect, "write(x)"}).matches(named, json.RawMessage(`{"a":"x"}`)); got != matches {
			t.Errorf("%s: got %v", effect, got)
		}
	}
}

func TestStarsTakeNoMoreThanTimeLinearInBoth(t *testing.T) {
	if (Rule{Deny, "bash(*a*a*a*a*b)"}).matches(tool(t, `{"name":"bash","input_schema":{"required":["line"]},"annotations":{"shell":true}}`),
		json.RawMessage(`{"line":"`+strings.Repeat("a ", 50_000)+`"}`)) {
		t.Error("a text without b fits")
	}
}
