// Messages: one struct for all kinds, open for fields that nobody here knows.

package session

import (
	"encoding/json"
	"maps"
	"slices"
)

// The kinds of message, as Kind gives them.
const (
	System       = "system"
	User         = "user"
	Assistant    = "assistant"
	Thinking     = "thinking"
	ToolCall     = "tool_call"
	ToolResult   = "tool_result"
	ProviderItem = "provider_item"
)

// Incomplete is the status of a message that was cut off; such a message is never sent to a model. [SESSION-12]
const Incomplete = "incomplete"

// Opaque is what a provider needs back unchanged, with the provider and the model that may read it.
type Opaque map[string]json.RawMessage

// Message is one entry of a session. It has a role or a type, and of the other fields those of its kind.
type Message struct {
	Role     string
	Type     string
	Content  Content
	ID       string
	Name     string
	Input    json.RawMessage // an object as the model wrote it, or null
	RawInput *string
	Output   Content
	IsError  bool
	Outcome  Outcome
	Provider string
	Model    string
	Item     json.RawMessage
	Opaque   Opaque
	Status   string

	Synthetic bool

	extra map[string]json.RawMessage
	raw   json.RawMessage // as it was read, until it is changed
}

// Kind is the role of the message, or its type where it has no role.
func (m Message) Kind() string {
	if m.Role != "" {
		return m.Role
	}
	return m.Type
}

// IsResponse says whether the message is one of a model's response.
func (m Message) IsResponse() bool {
	return slices.Contains([]string{Assistant, Thinking, ToolCall, ProviderItem}, m.Kind())
}

// HasInput says whether the call has arguments that are an object.
func (m Message) HasInput() bool { return len(m.Input) > 0 && m.Input[0] == '{' }

// WithID is the message under another id.
func (m Message) WithID(id string) Message {
	m.ID, m.raw = id, nil
	return m
}

// WithUnreadable is the call with arguments that were not read, as they were written, and what they have to be. [LOOP-97]
func (m Message) WithUnreadable(written, reason string) Message {
	m = m.withMeta("unreadable", reason)
	m.Input, m.RawInput = json.RawMessage("null"), &written
	return m
}

// WithGuardrail is the message with the name of the guardrail that refuses it. [GUARDRAIL-7]
func (m Message) WithGuardrail(name string) Message { return m.withMeta("guardrail", name) }

func (m Message) withMeta(key, value string) Message {
	meta := map[string]json.RawMessage{}
	_ = json.Unmarshal(m.extra["meta"], &meta) // what is no object says nothing
	meta[key], _ = JSON(value)
	written, _ := JSON(meta) // texts, and what was read
	return m.withExtra("meta", written)
}

// withExtra is the message with a field that is of no kind of message in particular.
func (m Message) withExtra(key string, value json.RawMessage) Message {
	m.extra = maps.Clone(m.extra)
	if m.extra == nil {
		m.extra = map[string]json.RawMessage{}
	}
	m.extra[key], m.raw = value, nil
	return m
}

// Unreadable is what the arguments of a call have to be, where they were not read; empty where they were.
func (m Message) Unreadable() string {
	var meta struct {
		Unreadable string `json:"unreadable"`
	}
	_ = json.Unmarshal(m.extra["meta"], &meta) // what is no object says nothing
	return meta.Unreadable
}

// WithInput is the call with other arguments, where there are any.
func (m Message) WithInput(input json.RawMessage) Message {
	if len(input) == 0 {
		return m
	}
	m.Input, m.RawInput, m.raw = input, nil, nil
	return m
}

// WithStatus is the message with a status.
func (m Message) WithStatus(status string) Message {
	m.Status, m.raw = status, nil
	return m
}

// MadeBy says whether this provider and this model made what is opaque in the message.
func (m Message) MadeBy(provider, model string) bool {
	return m.Opaque.Text("provider") == provider && m.Opaque.Text("model") == model
}

// Text is a field as a string; empty if it is none.
func (o Opaque) Text(key string) string {
	var text string
	_ = json.Unmarshal(o[key], &text) // what is no string stays ""
	return text
}

// UnmarshalJSON reads a message. One of an unknown type keeps all its fields.
func (m *Message) UnmarshalJSON(data []byte) error {
	data = WholeLetters(data)
	var kind struct {
		Role string `json:"role"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return err
	}
	*m = Message{Role: kind.Role, raw: slices.Clone(data)}
	if kind.Role == "" {
		m.Type = kind.Type
	}
	known := m.knownFields()
	if known == nil {
		return nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for key, into := range known {
		value, given := all[key]
		delete(all, key)
		if !given {
			continue
		}
		if err := json.Unmarshal(value, into); err != nil {
			return err
		}
	}
	delete(all, "role")
	if kind.Role == "" {
		delete(all, "type")
	}
	m.extra = all
	return nil
}

// knownFields is where the fields of this kind of message belong; nil for an unknown kind.
func (m *Message) knownFields() map[string]any {
	switch m.Kind() {
	case System, User:
		return map[string]any{"content": &m.Content, "synthetic": &m.Synthetic}
	case Assistant, Thinking:
		return map[string]any{"content": &m.Content, "opaque": &m.Opaque, "status": &m.Status}
	case ToolCall:
		return map[string]any{"id": &m.ID, "name": &m.Name, "input": &m.Input, "raw_input": &m.RawInput,
			"opaque": &m.Opaque, "status": &m.Status}
	case ToolResult:
		return map[string]any{"id": &m.ID, "output": &m.Output, "is_error": &m.IsError, "outcome": &m.Outcome,
			"status": &m.Status, "synthetic": &m.Synthetic}
	case ProviderItem:
		return map[string]any{"provider": &m.Provider, "model": &m.Model, "item": &m.Item, "opaque": &m.Opaque,
			"status": &m.Status}
	}
	return nil
}

// MarshalJSON writes the message, one that was only read exactly as it came.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.raw != nil {
		return m.raw, nil
	}
	fields := []field{{"role", m.Role}}
	if m.Role == "" {
		fields = []field{{"type", m.Type}}
	}
	switch m.Kind() {
	case System, User, Assistant, Thinking:
		fields = append(fields, field{"content", m.Content})
	case ToolCall:
		fields = append(fields, field{"id", m.ID}, field{"name", m.Name}, field{"input", m.Input})
		if m.RawInput != nil {
			fields = append(fields, field{"raw_input", *m.RawInput})
		}
	case ToolResult:
		fields = append(fields, field{"id", m.ID}, field{"output", m.Output})
		if m.IsError {
			fields = append(fields, field{"is_error", true})
		}
		if m.Outcome != "" {
			fields = append(fields, field{"outcome", m.Outcome})
		}
	case ProviderItem:
		fields = append(fields, field{"provider", m.Provider}, field{"model", m.Model}, field{"item", m.Item})
	}
	if len(m.Opaque) > 0 {
		fields = append(fields, field{"opaque", m.Opaque})
	}
	if m.Status != "" {
		fields = append(fields, field{"status", m.Status})
	}
	if m.Synthetic {
		fields = append(fields, field{"synthetic", true})
	}
	return writeObject(fields, m.extra)
}
