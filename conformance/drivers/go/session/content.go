// Content: text, or parts in order, kept as it was written.

package session

import (
	"encoding/json"
	"slices"
	"strings"
)

// Content is what a message says: Text, or Parts where IsParts is true.
type Content struct {
	Text    string
	Parts   []Part
	IsParts bool
	raw     json.RawMessage
}

// Text is content that is a text.
func Text(text string) Content { return Content{Text: text} }

// Part is one piece of content. A part of an unknown type has only its Type.
type Part struct {
	Type      string
	Text      string
	MediaType string
	Data      string
	URL       string
	Title     string
	raw       json.RawMessage
}

// AsParts is the content as a list of parts.
func (c Content) AsParts() []Part {
	if c.IsParts {
		return c.Parts
	}
	return []Part{{Type: "text", Text: c.Text}}
}

// saysNothing is whether there is neither a part nor a text that is not blank.
func (c Content) saysNothing() bool {
	return !slices.ContainsFunc(c.AsParts(), func(part Part) bool { return part.Type != "text" || !IsBlank(part.Text) })
}

// IsBlank says whether there is nothing but white space in a text.
func IsBlank(text string) bool { return strings.TrimSpace(text) == "" }

// UnmarshalJSON reads a string or a list of parts.
func (c *Content) UnmarshalJSON(data []byte) error {
	data = WholeLetters(data)
	*c = Content{raw: slices.Clone(data)}
	if len(data) > 0 && data[0] == '[' {
		c.IsParts = true
		return json.Unmarshal(data, &c.Parts)
	}
	return json.Unmarshal(data, &c.Text)
}

// MarshalJSON writes the content as it came.
func (c Content) MarshalJSON() ([]byte, error) {
	if c.raw != nil {
		return c.raw, nil
	}
	if c.IsParts {
		return JSON(c.Parts)
	}
	return JSON(c.Text)
}

// UnmarshalJSON reads a part and keeps it as it is.
func (p *Part) UnmarshalJSON(data []byte) error {
	var known struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return err
	}
	*p = Part{Type: known.Type, raw: slices.Clone(data)}
	if !slices.Contains([]string{"text", "image", "document"}, p.Type) {
		return nil
	}
	var fields struct {
		Text      string `json:"text"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
		URL       string `json:"url"`
		Title     string `json:"title"`
	}
	err := json.Unmarshal(data, &fields)
	p.Text, p.MediaType, p.Data, p.URL, p.Title = fields.Text, fields.MediaType, fields.Data, fields.URL, fields.Title
	return err
}

// MarshalJSON writes the part as it came; a part that this program made is text.
func (p Part) MarshalJSON() ([]byte, error) {
	if p.raw != nil {
		return p.raw, nil
	}
	return writeObject([]field{{"type", p.Type}, {"text", p.Text}}, nil)
}
