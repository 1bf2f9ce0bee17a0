// Bounds: an answer is read to its bound, and not a byte further, however it is cut.

package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"agentloop/model"
)

func TestABodyMayHaveSoManyBytes(t *testing.T) {
	for length, isTooLong := range map[int]bool{0: false, 8: false, 9: true, 5000: true} {
		for _, cut := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.DataErrReader, iotest.HalfReader} {
			said, err := io.ReadAll(bounded(cut(strings.NewReader(strings.Repeat("x", length))), model.Bounds{BodyBytes: 8}))
			var long *tooLong
			if errors.As(err, &long) != isTooLong || len(said) != min(length, 8) {
				t.Errorf("%d bytes: %d were read, %v", length, len(said), err)
			}
		}
	}
}

func TestALineMayHaveSoManyBytes(t *testing.T) {
	bounds := model.Bounds{LineBytes: 8, BodyBytes: 100}
	events := NewEvents(strings.NewReader("data: ab\n\ndata: abc\n\n"), bounds)
	if event, err := events.Next(); err != nil || event.Data != "ab" {
		t.Errorf("got %+v, %v", event, err)
	}
	var long *tooLong
	if _, err := events.Next(); !errors.As(err, &long) {
		t.Errorf("got %v", err)
	}
}
