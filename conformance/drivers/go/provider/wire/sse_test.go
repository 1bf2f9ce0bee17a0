// The parser gives the same events however the bytes are cut.

package wire

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"agentloop/model"
)

const stream = "\ufeff: a comment\r\nevent: greeting\r\ndata: Grüß\r\ndata: Gott 😀\r\n\r\n" +
	"data:no space\n\nid: 7\nretry: 10\ndata\n\n\revent: lonely\n\ndata: {\"a\": 1}\r\rdata: never ended\n"

var events = []Event{{"greeting", "Grüß\nGott 😀"}, {"", "no space"}, {"", ""}, {"", `{"a": 1}`}}

func readAll(t *testing.T, from io.Reader) []Event {
	t.Helper()
	var all []Event
	for reader := NewEvents(from, model.DefaultBounds()); ; {
		event, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, event)
	}
}

func TestEventsAreTheSameHoweverTheyAreCut(t *testing.T) {
	for name, reader := range map[string]io.Reader{
		"whole":        strings.NewReader(stream),
		"byte by byte": iotest.OneByteReader(strings.NewReader(stream)),
		"in halves":    iotest.HalfReader(strings.NewReader(stream)),
		"with its end": iotest.DataErrReader(strings.NewReader(stream)),
	} {
		t.Run(name, func(t *testing.T) {
			if got := readAll(t, reader); !slices.Equal(got, events) {
				t.Errorf("got %q, expected %q", got, events)
			}
		})
	}
}

func TestAnEventIsThereAsSoonAsItHasEnded(t *testing.T) {
	reader, writer := io.Pipe()
	go func() { _, _ = io.WriteString(writer, "data: now\r\n\r") }() // and nothing more
	event, err := NewEvents(reader, model.DefaultBounds()).Next()
	if err != nil || event.Data != "now" {
		t.Errorf("got %q, %v", event, err)
	}
}

func TestALostConnectionIsNoEnd(t *testing.T) {
	reader := NewEvents(io.MultiReader(strings.NewReader("data: half"), iotest.ErrReader(io.ErrUnexpectedEOF)), model.DefaultBounds())
	if _, err := reader.Next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, expected the error of the connection", err)
	}
}
