// Letters: half of a surrogate pair is none, and U+FFFD takes its place in what is stored and what is sent.

package session

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// escape finds an escape sequence, or both of a surrogate pair.
var escape = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.`)

// WholeLetters is the JSON text with U+FFFD for each half of a surrogate pair. [PROVIDER-12, TOOL-48, SESSION-33]
func WholeLetters(written []byte) []byte {
	return replaceHalves(written, func([]byte) []byte { return []byte(`\ufffd`) })
}

// MergesNames says whether two names of an object are one once half of a surrogate pair is U+FFFD. [TOOL-47]
func MergesNames(written []byte) bool {
	told := replaceHalves(written, func(half []byte) []byte { return append([]byte(`\ufffd`), half[2:]...) })
	return len(told) > len(written) && names(told) > names(WholeLetters(written))
}

// names is how many names the objects of a JSON text have.
func names(written []byte) int {
	var value any
	_ = json.Unmarshal(written, &value) // what is no JSON has none
	return namesIn(value)
}

func namesIn(value any) int {
	count := 0
	switch value := value.(type) {
	case map[string]any:
		count = len(value)
		for _, inner := range value {
			count += namesIn(inner)
		}
	case []any:
		for _, inner := range value {
			count += namesIn(inner)
		}
	}
	return count
}

func replaceHalves(written []byte, replace func(half []byte) []byte) []byte {
	if !bytes.Contains(written, []byte(`\u`)) {
		return written
	}
	return escape.ReplaceAllFunc(written, func(found []byte) []byte {
		if len(found) == 6 && strings.ContainsAny(string(found[2]), "dD") && strings.ContainsAny(string(found[3]), "89abcdefABCDEF") {
			return replace(found)
		}
		return found
	})
}
