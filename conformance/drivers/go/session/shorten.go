// Shortening: the beginning of what a message says, marked as such.

package session

import "encoding/json"

// HasFailed says whether a result is not that of a call that succeeded.
func (m Message) HasFailed() bool { return m.IsError || m.Outcome != "" && m.Outcome != OK }

// IsSealed says whether the message is signed or encrypted, so that nobody but its provider may change it.
func (m Message) IsSealed() bool {
	for key := range m.Opaque {
		if key != "provider" && key != "model" {
			return true
		}
	}
	return false
}

// WithContent is the message with another content.
func (m Message) WithContent(content Content) Message {
	m.Content, m.raw = content, nil
	return m
}

// WithOutput is the result with another output.
func (m Message) WithOutput(output Content) Message {
	m.Output, m.raw = output, nil
	return m
}

// IsCompacted says whether a compaction shortened the message, or put it in.
func (m Message) IsCompacted() bool { return string(m.extra["compacted"]) == "true" }

// WithCompacted is the message with the mark that a compaction leaves. [COMPACT-11]
func (m Message) WithCompacted() Message { return m.withExtra("compacted", json.RawMessage("true")) }

// Shortened is the content with at most so many characters of text, and all its parts that are not text.
func (c Content) Shortened(most int) Content {
	if !c.IsParts {
		return Text(Beginning(c.Text, most))
	}
	short := Content{IsParts: true, Parts: []Part{}}
	for _, part := range c.Parts {
		if part.Type == "text" {
			part = Part{Type: "text", Text: Beginning(part.Text, most)}
			most -= len([]rune(part.Text))
		}
		if part.Type != "text" || part.Text != "" {
			short.Parts = append(short.Parts, part)
		}
	}
	return short
}

// Beginning is the text as far as so many characters.
func Beginning(text string, most int) string {
	characters := []rune(text)
	return string(characters[:min(len(characters), most)])
}
