// The canonical form: what RFC 8785 says of numbers, letters and the order of keys.

package canonical

import "testing"

func TestTheFormIsThatOfRFC8785(t *testing.T) {
	for written, expected := range map[string]string{
		`{"b" : 1, "a": [ true , null, "x" ]}`: `{"a":[true,null,"x"],"b":1}`,
		`[1.0, -0, 1e2, 1E21, 1e-7, 0.000001]`: `[1,0,100,1e+21,1e-7,0.000001]`,
		`[333333333.33333329, 4.50, 2e-3]`:     `[333333333.3333333,4.5,0.002]`,
		`"\u20ac\u000f\u000aA'B\u0022\\\/<&>"`: "\"€\\u000f\\nA'B\\\"\\\\/<&>\"",
		`"\u2028 \\u2028 \b\f"`:                "\"\u2028 \\\\u2028 \\b\\f\"",
		`{"\ud83d\ude00":1,"\ufb33":2}`:        "{\"\U0001F600\":1,\"\ufb33\":2}",
		`{"\r":1,"1":2,"\u0080":3,"\u00f6":4}`: "{\"\\r\":1,\"1\":2,\"\u0080\":3,\"ö\":4}",
	} {
		if got, err := JSON([]byte(written)); err != nil || string(got) != expected {
			t.Errorf("%s became %s (%v), expected %s", written, got, err, expected)
		}
	}
	if _, err := JSON([]byte("{")); err == nil {
		t.Error("half an object has a form")
	}
}
