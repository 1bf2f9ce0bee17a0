// Bounds: how much of what a model and its server say is read.

package model

import "fmt"

// Bounds are what is read of an answer at most, as spec/bounds.json has them.
type Bounds struct {
	Depth     int   `json:"depth"`      // objects and lists inside one another
	Calls     int   `json:"calls"`      // calls in one response
	LineBytes int64 `json:"line_bytes"` // bytes of a stream without a line break
	BodyBytes int64 `json:"body_bytes"` // bytes of an answer, whole or streamed
}

// DefaultBounds are those of a run that is told nothing.
func DefaultBounds() Bounds {
	return Bounds{Depth: 128, Calls: 1000, LineBytes: 1 << 24, BodyBytes: 1 << 26}
}

// OrDefault are the bounds, or the defaults where none were given.
func (b Bounds) OrDefault() Bounds {
	if b == (Bounds{}) {
		return DefaultBounds()
	}
	return b
}

// Most is what may be read of something, with the name of the bound.
func (b Bounds) Most(bound string) string {
	most := map[string]int64{"depth": int64(b.Depth), "calls": int64(b.Calls), "line_bytes": b.LineBytes, "body_bytes": b.BodyBytes}
	return fmt.Sprintf("%d (bounds.%s)", most[bound], bound)
}

// Readable is how deep JSON may be so that encoding/json reads it.
const Readable = 10_000

// IsDeeper says whether more than so many lists and objects stand inside one another in a JSON text, without reading it.
func IsDeeper(text []byte, most int) bool {
	depth, isString := 0, false
	for at := 0; at < len(text); at++ {
		switch letter := text[at]; {
		case isString && letter == '\\':
			at++
		case letter == '"':
			isString = !isString
		case isString:
		case letter == '[' || letter == '{':
			depth++
		case letter == ']' || letter == '}':
			depth--
		}
		if depth > most {
			return true
		}
	}
	return false
}
