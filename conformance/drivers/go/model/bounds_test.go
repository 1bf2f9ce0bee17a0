// Bounds: how deep a JSON text is, whatever stands in its strings.

package model

import (
	"strings"
	"testing"
)

func TestHowDeepATextIs(t *testing.T) {
	for _, of := range []struct {
		depth, most int
		isDeeper    bool
	}{{0, 0, false}, {1, 0, true}, {3, 3, false}, {4, 3, true}, {200_000, 199_999, true}} {
		text := strings.Repeat(`{"a\"[[":[`, of.depth/2) + strings.Repeat("[", of.depth%2) + `"[\\"`
		if got := IsDeeper([]byte(text), of.most); got != of.isDeeper {
			t.Errorf("%d in %d: got %v", of.depth, of.most, got)
		}
	}
}
