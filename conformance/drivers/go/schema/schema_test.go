// Arguments are held against their schema, and no value is converted.

package schema

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestCheckNamesThePlaceOfEachValueThatDoesNotFit(t *testing.T) {
	for _, each := range []struct {
		schema, value string
		places        []string
	}{
		{`{"type":"object"}`, `{}`, nil},
		{`{"type":"object"}`, `[]`, []string{""}},
		{`{"required":["a/b"]}`, `{}`, []string{"/a~1b"}},
		{`{"properties":{"n":{"type":"number"}}}`, `{"n":"1"}`, []string{"/n"}},
		{`{"properties":{"n":{"type":"integer"}}}`, `{"n":1.0}`, nil},
		{`{"properties":{"n":{"type":"integer"}}}`, `{"n":1.5}`, []string{"/n"}},
		{`{"properties":{"n":{"type":["string","null"]}}}`, `{"n":null}`, nil},
		{`{"additionalProperties":false,"properties":{"a":{}}}`, `{"a":1,"b":2}`, []string{"/b"}},
		{`{"properties":{"l":{"items":{"enum":["x",1]}}}}`, `{"l":["x",1.0,"y"]}`, []string{"/l/2"}},
		{`{"properties":{"c":{"const":{"a":1}}}}`, `{"c":{"a":1}}`, nil},
		{`{"properties":{"c":{"const":true}}}`, `{"c":"true"}`, []string{"/c"}},
		{`{"properties":{"t":{"minLength":2,"pattern":"^a"}}}`, `{"t":"b"}`, []string{"/t", "/t"}},
		{`{"properties":{"n":{"minimum":1,"maximum":2}}}`, `{"n":3}`, []string{"/n"}},
		{`{"properties":{"n":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"n":1}`, []string{"/n"}},
		{`{"properties":{"n":{"oneOf":[{"type":"number"},{"type":"integer"}]}}}`, `{"n":1}`, []string{"/n"}},
		{`{"properties":{"n":{"not":{"type":"null"}}}}`, `{"n":null}`, []string{"/n"}},
		{`{"$defs":{"n":{"type":"number"}},"properties":{"n":{"$ref":"#/$defs/n"}}}`, `{"n":"1"}`, []string{"/n"}},
		{`{"$defs":{"n":{"$anchor":"n","type":"number"}},"properties":{"n":{"$ref":"#n"}}}`, `{"n":"1"}`, []string{"/n"}},
		{`{"properties":{"n":{"multipleOf":0.1,"exclusiveMaximum":1}}}`, `{"n":0.3}`, nil},
		{`{"properties":{"n":{"if":{"minimum":3},"then":{"multipleOf":2}}}}`, `{"n":5}`, []string{"/n"}},
		{`{"patternProperties":{"^n":{"type":"number"}},"additionalProperties":false}`, `{"n":"1","m":1}`, []string{"/m", "/n"}},
		{`{"properties":{"l":{"prefixItems":[{"type":"string"}],"items":false}}}`, `{"l":["a",1]}`, []string{"/l/1"}},
	} {
		problems, err := Check(json.RawMessage(each.schema), json.RawMessage(each.value))
		if err != nil {
			t.Fatal(err)
		}
		var places []string
		for _, problem := range problems {
			places = append(places, problem.Pointer)
		}
		if !slices.Equal(places, each.places) {
			t.Errorf("%s with %s: got %q, expected %q", each.schema, each.value, places, each.places)
		}
	}
}
