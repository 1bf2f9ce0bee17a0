// Streams: the events of an answer, up to its terminal one.

package responses

import (
	"maps"
	"slices"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
)

// answer is what one request is answered with, whole or event by event.
type answer struct {
	reader   *reader
	listener model.Listener
	whole    wire.Object // the response without its items, as the last event has it
	slots    []*slot
	told     int
	isOver   bool
	failed   *model.Error
}

// Body reads a whole answer.
func (a *answer) Body(data []byte) model.Response { return a.reader.body(data) }

// Event reads one event. One of an unknown type changes nothing. [RESPONSES-18]
func (a *answer) Event(event wire.Event) bool {
	if event.Data == "[DONE]" {
		return a.isOver
	}
	data, failed := event.Object()
	if failed != nil {
		a.failed = failed
		return true
	}
	kind := data.Text("type")
	switch {
	case kind == "response.completed" || kind == "response.incomplete" || kind == "response.failed":
		a.end(data.Object("response"))
	case kind == "" && data["output"] != nil:
		a.end(data) // [RESPONSES-36]
	case kind == "error" || kind == "" && !wire.IsNothing(data["error"]):
		said := data["error"]
		if wire.IsNothing(said) {
			said = []byte(event.Data)
		}
		a.failed = a.reader.endpoint.FailureOf(said)
	case kind == "response.created" || kind == "response.in_progress":
		a.whole["model"] = data.Object("response")["model"]
	case kind == "response.output_item.added":
		a.slots = append(a.slots, a.newSlot(data))
	case kind == "response.output_item.done":
		a.done(data)
	case strings.HasPrefix(kind, "response."):
		if of := a.find(data); of != nil {
			of.hear(strings.TrimPrefix(kind, "response."), data)
		}
	}
	return a.isOver || a.failed != nil
}

// End is the response after the terminal event, or after an error. [RESPONSES-19, RESPONSES-20]
func (a *answer) End() *model.Response {
	if !a.isOver && a.failed == nil {
		return nil
	}
	response := a.SoFar()
	if a.failed != nil {
		response.StopReason, response.RawStopReason, response.Error = model.Failed, nil, a.failed
	}
	return &response
}

// SoFar is what has come.
func (a *answer) SoFar() model.Response {
	var items []item
	for _, slot := range a.slots {
		items = append(items, slot.item())
	}
	return a.reader.response(a.whole, items)
}

// done takes an item as it is when it is whole. [RESPONSES-17]
func (a *answer) done(data wire.Object) {
	of := a.find(data)
	if of == nil || of.isDone {
		of = a.newSlot(data)
		a.slots = append(a.slots, of)
	}
	of.finish(data.Object("item"))
}

// end takes the terminal event, and from its items what the stream did not have, and their order. [RESPONSES-32, RESPONSES-33]
func (a *answer) end(response wire.Object) {
	a.isOver = true
	maps.Copy(a.whole, response.Without("output"))
	a.failed = a.reader.endpoint.Failure(wire.Raw(response))
	output := response.List("output")
	ids := map[string]bool{}
	for _, each := range output {
		ids[wire.ReadObject(each).Text("id")] = true
	}
	rest := a.slots
	a.slots = nil
	for _, each := range output {
		var of *slot
		fields := wire.ReadObject(each)
		if at := match(rest, fields, ids); at >= 0 {
			of = rest[at]
			rest = slices.Delete(rest, at, at+1)
		} else {
			of = a.newSlot(wire.Object{"item": each})
		}
		of.complete(fields)
		a.slots = append(a.slots, of)
	}
	a.slots = append(a.slots, rest...)
}

// match is which item of the stream an item of the terminal event is: that of the same id, or the next of its type whose id none
// of them has; -1 for none. [RESPONSES-35]
func match(streamed []*slot, fields wire.Object, ids map[string]bool) int {
	id := fields.Text("id")
	same := slices.IndexFunc(streamed, func(each *slot) bool { return id != "" && each.fields.Text("id") == id })
	if same >= 0 {
		return same
	}
	return slices.IndexFunc(streamed, func(each *slot) bool {
		own := each.fields.Text("id")
		return each.fields.Text("type") == fields.Text("type") && (own == "" || !ids[own])
	})
}

// find is the item that an event is about: by its id, or as the last one in its place. [RESPONSES-34]
func (a *answer) find(data wire.Object) *slot {
	id := data.Text("item_id")
	if id == "" {
		id = data.Object("item").Text("id")
	}
	for _, each := range slices.Backward(a.slots) {
		if id != "" && each.fields.Text("id") == id {
			return each
		}
	}
	for _, each := range slices.Backward(a.slots) {
		if each.place == data.Text("output_index") {
			return each
		}
	}
	return nil
}
