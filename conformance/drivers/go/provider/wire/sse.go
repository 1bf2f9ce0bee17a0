// Server-sent events, however the bytes are cut.

package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"agentloop/model"
)

// Event is one server-sent event; Name is empty where the stream gives none.
type Event struct {
	Name string
	Data string
}

// Object is the data of the event, which has to be an object. Null is one that says nothing. [PROVIDER-24]
func (e Event) Object() (Object, *model.Error) {
	var data Object
	if json.Unmarshal([]byte(e.Data), &data) != nil {
		if model.IsDeeper([]byte(e.Data), model.Readable) {
			return nil, model.Errorf(model.InvalidResponse, "%s", nestedTooDeep)
		}
		return nil, model.Errorf(model.InvalidResponse, "expected a JSON object in an event, got: %.200s", e.Data)
	}
	return data, nil
}

// Events reads events from a stream, one at a time.
type Events struct {
	lines   *bufio.Reader
	bounds  model.Bounds
	isBegun bool
	afterCR bool // the last line ended in CR: an LF that follows belongs to it
}

// NewEvents reads the events of a stream, of which no line may be longer than its bound.
func NewEvents(stream io.Reader, bounds model.Bounds) *Events {
	return &Events{lines: bufio.NewReader(stream), bounds: bounds}
}

// Next is the next event. An event that the stream does not finish is none; at the end the error is io.EOF.
func (e *Events) Next() (Event, error) {
	var event Event
	var data []string
	for {
		line, err := e.line()
		if err != nil {
			return Event{}, err
		}
		if line == "" {
			if data != nil {
				event.Data = strings.Join(data, "\n")
				return event, nil
			}
			event = Event{}
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			event.Name = value
		case "data":
			data = append(data, value)
		}
	}
}

// line is the next line, which ends in LF, CR, or both.
func (e *Events) line() (string, error) {
	var line bytes.Buffer
	for {
		char, err := e.lines.ReadByte()
		if err != nil {
			return "", err
		}
		if char == '\n' && e.afterCR {
			e.afterCR = false
			continue
		}
		e.afterCR = char == '\r'
		if char == '\r' || char == '\n' {
			break
		}
		if int64(line.Len()) == e.bounds.LineBytes {
			return "", &tooLong{"a line", e.bounds.Most("line_bytes")}
		}
		line.WriteByte(char)
	}
	text := line.String()
	if !e.isBegun {
		text = strings.TrimPrefix(text, "\uFEFF")
	}
	e.isBegun = true
	return text, nil
}
