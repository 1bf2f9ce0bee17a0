// Package canonical writes JSON in the one form that everybody writes: that of RFC 8785.
package canonical

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"agentloop/session"
)

// JSON is the form of a JSON text that all writers share: keys in the order of their UTF-16 letters, the shortest decimal of each
// number, no white space, and no letter escaped that need not be.
func JSON(written []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(written, &value); err != nil {
		return nil, fmt.Errorf("only JSON has a canonical form: %w", err)
	}
	var into bytes.Buffer
	err := write(&into, value)
	return into.Bytes(), err
}

func write(into *bytes.Buffer, value any) error {
	switch value := value.(type) {
	case map[string]any:
		return writeObject(into, value)
	case []any:
		return writeList(into, value)
	case string:
		return writeText(into, value)
	case float64:
		return writeNumber(into, value)
	default: // true, false and null
		written, err := json.Marshal(value)
		into.Write(written)
		return err
	}
}

func writeObject(into *bytes.Buffer, object map[string]any) error {
	into.WriteByte('{')
	for i, key := range slices.SortedFunc(maps.Keys(object), compare) {
		if i > 0 {
			into.WriteByte(',')
		}
		if err := writeText(into, key); err != nil {
			return err
		}
		into.WriteByte(':')
		if err := write(into, object[key]); err != nil {
			return err
		}
	}
	into.WriteByte('}')
	return nil
}

// compare orders two keys by their UTF-16 letters.
func compare(one, other string) int {
	return slices.Compare(utf16.Encode([]rune(one)), utf16.Encode([]rune(other)))
}

func writeList(into *bytes.Buffer, list []any) error {
	into.WriteByte('[')
	for i, item := range list {
		if i > 0 {
			into.WriteByte(',')
		}
		if err := write(into, item); err != nil {
			return err
		}
	}
	into.WriteByte(']')
	return nil
}

// writeNumber writes a double as ECMAScript does, which encoding/json does too, zero below zero aside.
func writeNumber(into *bytes.Buffer, number float64) error {
	if number == 0 {
		number = 0 // of two zeros the one without a sign
	}
	written, err := json.Marshal(number)
	into.Write(written)
	return err
}

// lineSeparators are the two letters that encoding/json escapes, and RFC 8785 does not, each behind the sign that no escape begins with.
var lineSeparators = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

func writeText(into *bytes.Buffer, text string) error {
	written, err := session.JSON(text)
	into.WriteString(lineSeparators.Replace(string(written)))
	return err
}
