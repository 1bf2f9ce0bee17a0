// Letters: half of a surrogate pair is none, and U+FFFD takes its place in what is stored and what is sent.

package session

import (
	"bytes"
	"regexp"
	"strings"
)

// escape finds an escape sequence, or both of a surrogate pair.
var escape = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.`)

// WholeLetters is the JSON text with U+FFFD for each half of a surrogate pair. [PROVIDER-12, TOOL-48, SESSION-33]
func WholeLetters(written []byte) []byte {
	if !bytes.Contains(written, []byte(`\u`)) {
		return written
	}
	return escape.ReplaceAllFunc(written, func(found []byte) []byte {
		if len(found) == 6 && strings.ContainsAny(string(found[2]), "dD") && strings.ContainsAny(string(found[3]), "89abcdefABCDEF") {
			return []byte(`\ufffd`)
		}
		return found
	})
}
