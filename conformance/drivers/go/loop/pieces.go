// Pieces: what a model streams, told as events and kept for the case that the run is cancelled.

package loop

import (
	"context"
	"encoding/json"
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// pieces are the streamed messages of one turn, counted through all its attempts.
type pieces struct {
	run   *run
	first int // index of the first message of this attempt
	all   []*piece
	reading
}

type piece struct {
	message session.Message
	text    strings.Builder
	isOpen  bool
}

func (p *pieces) begin() {
	p.first, p.reading = len(p.all), reading{bounds: p.run.state.Options.Bounds}
}

// wereTold says whether something of this attempt's answer was reported. [RETRY-4]
func (p *pieces) wereTold() bool { return len(p.all) > p.first }

func (p *pieces) start(message session.Message) {
	if !p.admits(message) {
		return
	}
	if message.Kind() == session.ToolCall {
		message.Input = json.RawMessage("{}")
		if message.ID == "" {
			message.ID = p.run.ports.NewID()
		}
	}
	p.run.emit("message_start", Event{"turn": p.run.state.Turn, "index": len(p.all), "message": message})
	p.all = append(p.all, &piece{message: message, isOpen: true})
}

func (p *pieces) delta(index int, text string) {
	if index >= len(p.all) { // of a message that was one too many
		return
	}
	p.all[index].text.WriteString(text)
	p.run.emit("message_delta", Event{"turn": p.run.state.Turn, "index": index, "delta": text})
}

func (p *pieces) close(index int) {
	if index < len(p.all) && p.all[index].isOpen {
		p.all[index].isOpen = false
		p.run.emit("message_end", Event{"turn": p.run.state.Turn, "index": index})
	}
}

// end closes what a response that was cut off left open. [EVENT-6]
func (p *pieces) end() {
	for index := p.first; index < len(p.all); index++ {
		p.close(index)
	}
}

// soFar are the messages of this attempt as far as they have come.
func (p *pieces) soFar() []session.Message {
	var messages []session.Message
	for _, each := range p.all[p.first:] {
		message := each.message
		if message.Kind() == session.ToolCall {
			message = model.Call(message.ID, message.Name, each.text.String())
		} else {
			message.Content = session.Text(each.text.String())
		}
		messages = append(messages, message)
	}
	return messages
}

// teller hands what an adapter tells, on a goroutine of its own, to the goroutine of the run.
type teller struct {
	ctx    context.Context
	pieces *pieces
	told   chan<- func()
}

func (t teller) tell(what func()) {
	select {
	case t.told <- what:
	case <-t.ctx.Done():
	}
}

func (t teller) Start(_ int, message session.Message) { t.tell(func() { t.pieces.start(message) }) }

func (t teller) Delta(index int, piece string) {
	t.tell(func() { t.pieces.delta(t.pieces.first+index, piece) })
}

func (t teller) End(index int) { t.tell(func() { t.pieces.close(t.pieces.first + index) }) }

func (t teller) Warn(code, message string) { t.tell(func() { t.pieces.run.warn(code, message) }) }
